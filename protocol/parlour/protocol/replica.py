"""A client's copy of a room, which knows when it has diverged from the server's."""

from __future__ import annotations

from enum import Enum

from parlour.protocol.messages import Cursor, Moved, Room, RoomEvent
from parlour.protocol.scene import patch, scene_hash
from parlour.protocol.types import TimeLeft

Update = Moved | RoomEvent


class ApplyResult(Enum):
    """What `RoomReplica.apply` did with an update."""

    APPLIED = "applied"
    STALE = "stale"  # already known
    GAP = "gap"  # an earlier update is missing: ask for the updates after the cursor
    DIVERGED = "diverged"  # the replica does not match the server's room: ask for the whole room


class RoomReplica:
    """The room as far as this client knows it: the last `Room` message and every update since."""

    def __init__(self, room: Room) -> None:
        self.room = room  # as it was received; the fields below have changed since
        self.epoch = room.epoch
        self.seq = room.seq
        self.scene = room.scene
        self.seat = room.seat
        self.moves = list(room.moves)
        self.players = list(room.players)
        self.clocks = list(room.clocks)
        self.offers = set(room.offers)
        self.status = room.status
        self.result = room.result
        self.next = room.next  # the room of the rematch
        self.chooser = room.chooser  # the seat that decides who moves first, while the status is choosing
        self.berserk = list(room.berserk)  # by seat: whether the player has halved the clock; empty: not possible
        # False from a wrong hash until the whole room arrives: until then the scene may be wrong.
        self.in_sync = scene_hash(room.scene) == room.hash

    @property
    def cursor(self) -> Cursor:
        """The cursor to send to the server. A replica that has to be replaced as a whole sends 0, 0."""
        return Cursor(self.room.room, self.epoch, self.seq) if self.in_sync else Cursor(self.room.room, 0, 0)

    @property
    def running(self) -> int | None:
        """The seat whose clock runs: the one to move, once each player has played a move."""
        return self.scene.to_move if self.clocks and self.status == "playing" and len(self.moves) >= 2 else None

    def apply(self, update: Update) -> ApplyResult:
        """Apply the update if it is the next one. Return the outcome."""
        if update.epoch != self.epoch:
            return ApplyResult.DIVERGED if update.epoch > self.epoch else ApplyResult.STALE
        if update.seq <= self.seq:
            return ApplyResult.STALE
        if not self.in_sync:
            return ApplyResult.DIVERGED
        if update.seq > self.seq + 1:
            return ApplyResult.GAP
        self.seq = update.seq
        try:
            self._apply(update)
        except (IndexError, ValueError):  # the change does not fit the scene
            self.in_sync = False
        else:
            self.in_sync = scene_hash(self.scene) == update.hash
        return ApplyResult.APPLIED if self.in_sync else ApplyResult.DIVERGED

    def _apply(self, update: Update) -> None:
        mover = self.scene.to_move
        if update.change is not None:
            self.scene = patch(self.scene, update.change)
        if isinstance(update, RoomEvent):
            self._apply_event(update)
            return
        self.moves.append(update.move)
        self.offers.clear()
        if update.clock is not None and mover is not None:
            self.clocks[mover] = update.clock if isinstance(update.clock, TimeLeft) else TimeLeft(update.clock)

    def _apply_event(self, update: RoomEvent) -> None:
        """Apply the changes of an event other than those of the scene."""
        self.clocks = self.clocks if update.clocks is None else list(update.clocks)
        self.players = self.players if update.players is None else list(update.players)
        self.status = update.status or self.status
        self.result = update.result or self.result
        self.next = update.next or self.next
        match update.kind:
            case "swapped" if self.seat is not None:
                self.seat = 1 - self.seat
            case "offered":
                self.offers.add(f"{update.seat}:{update.offer}")
            case "declined" | "withdrawn":
                self.offers = {offer for offer in self.offers if not offer.endswith(f":{update.offer}")}
            case "taken_back":
                del self.moves[update.plies :]
                self.offers.clear()
            case "berserk" if update.seat is not None and self.berserk:
                self.berserk[update.seat] = True
            case "ended" | "rematch" | "closed":
                self.offers.clear()
            case _:
                pass
