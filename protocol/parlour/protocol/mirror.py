"""A client's copy of a room, which knows when it is not a true copy any more."""

from __future__ import annotations

from enum import Enum

from parlour.protocol.messages import Happened, Moved, Room, Standing
from parlour.protocol.scene import patch, scene_hash

Update = Moved | Happened


class Verdict(Enum):
    """What became of an update."""

    APPLIED = "applied"
    OLD = "old"  # known already: nothing to do
    GAP = "gap"  # something before it is missing: ask for what follows the standing
    BROKEN = "broken"  # the copy is not what the server has: ask for the whole room


class Mirror:
    """The room as this client knows it: the last `Room`, and every update since."""

    def __init__(self, room: Room) -> None:
        self.room = room  # as it was sent; what has changed since is below
        self.epoch = room.epoch
        self.seq = room.seq
        self.scene = room.scene
        self.moves = list(room.moves)
        self.chairs = list(room.chairs)
        self.clocks = list(room.clocks)
        self.offers = set(room.offers)
        self.status = room.status
        self.result = room.result
        # False from a wrong hash until the whole room comes: what is drawn then may be wrong.
        self.true = scene_hash(room.scene) == room.hash

    @property
    def standing(self) -> Standing:
        """What to tell the server; one that has to be replaced as a whole stands nowhere."""
        return Standing(self.room.room, self.epoch, self.seq) if self.true else Standing(self.room.room, 0, 0)

    def take(self, update: Update) -> Verdict:
        """Apply the update if it is the next one."""
        if update.epoch != self.epoch:
            return Verdict.BROKEN if update.epoch > self.epoch else Verdict.OLD
        if update.seq <= self.seq:
            return Verdict.OLD
        if not self.true:
            return Verdict.BROKEN
        if update.seq > self.seq + 1:
            return Verdict.GAP
        self.seq = update.seq
        mover = self.scene.to_move
        if update.change is not None:
            self.scene = patch(self.scene, update.change)
        self.true = scene_hash(self.scene) == update.hash
        if isinstance(update, Moved):
            self.moves.append(update.move)
            self.offers.clear()
            if update.clock is not None and mover is not None:
                self.clocks[mover] = update.clock
        else:
            self._happened(update)
        return Verdict.APPLIED if self.true else Verdict.BROKEN

    def _happened(self, update: Happened) -> None:
        """What belongs to the table around the board."""
        if update.clocks is not None:
            self.clocks = list(update.clocks)
        match update.what:
            case "seated" | "chose" if update.chairs is not None:
                self.chairs = list(update.chairs)
            case "started":
                self.status = "playing"
            case "offered":
                self.offers.add(f"{update.seat}:{update.offer}")
            case "declined" | "withdrawn":
                self.offers = {offer for offer in self.offers if not offer.endswith(f":{update.offer}")}
            case "taken_back":
                del self.moves[update.plies :]
                self.offers.clear()
            case _:
                pass
        if update.result is not None:
            self.status, self.result = "over", update.result
