"""A client's copy of a room, which knows when it is not a true copy any more."""

from __future__ import annotations

from enum import Enum

from parlour.protocol.messages import Happened, Moved, Room, Standing
from parlour.protocol.scene import patch, scene_hash
from parlour.protocol.tables import TimeLeft

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
        self.seat = room.seat
        self.moves = list(room.moves)
        self.chairs = list(room.chairs)
        self.clocks = list(room.clocks)
        self.offers = set(room.offers)
        self.status = room.status
        self.result = room.result
        self.next = room.next  # the room of the rematch
        self.chooser = room.chooser  # who says who moves first, while the status is choosing
        # False from a wrong hash until the whole room comes: what is drawn then may be wrong.
        self.true = scene_hash(room.scene) == room.hash

    @property
    def standing(self) -> Standing:
        """What to tell the server; one that has to be replaced as a whole stands nowhere."""
        return Standing(self.room.room, self.epoch, self.seq) if self.true else Standing(self.room.room, 0, 0)

    @property
    def running(self) -> int | None:
        """The seat whose clock runs: the one to move, once each side has made its first move."""
        return self.scene.to_move if self.clocks and self.status == "playing" and len(self.moves) >= 2 else None

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
        try:
            self._apply(update)
        except (IndexError, ValueError):  # the change does not fit what is here
            self.true = False
        else:
            self.true = scene_hash(self.scene) == update.hash
        return Verdict.APPLIED if self.true else Verdict.BROKEN

    def _apply(self, update: Update) -> None:
        mover = self.scene.to_move
        if update.change is not None:
            self.scene = patch(self.scene, update.change)
        if isinstance(update, Happened):
            self._happened(update)
            return
        self.moves.append(update.move)
        self.offers.clear()
        if update.clock is not None and mover is not None:
            self.clocks[mover] = update.clock if isinstance(update.clock, TimeLeft) else TimeLeft(update.clock)

    def _happened(self, update: Happened) -> None:
        """What belongs to the table around the board."""
        self.clocks = self.clocks if update.clocks is None else list(update.clocks)
        self.chairs = self.chairs if update.chairs is None else list(update.chairs)
        self.status = update.status or self.status
        self.result = update.result or self.result
        self.next = update.next or self.next
        match update.what:
            case "swapped" if self.seat is not None:
                self.seat = 1 - self.seat
            case "offered":
                self.offers.add(f"{update.seat}:{update.offer}")
            case "declined" | "withdrawn":
                self.offers = {offer for offer in self.offers if not offer.endswith(f":{update.offer}")}
            case "taken_back":
                del self.moves[update.plies :]
                self.offers.clear()
            case "ended" | "rematch":
                self.offers.clear()
            case _:
                pass
