"""Updates that are repeated, lost or wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from parlour.conform.client_faults import Fault
from parlour.conform.connection import Connection
from parlour.conform.script import THINKING, Outgoing
from parlour.conform.scripted_room import ScriptedRoom
from parlour.protocol import messages as wire
from parlour.protocol.scene import SceneDiff
from parlour.protocol.timing import PING_INTERVAL


class RepeatedUpdates(Fault):
    rule = "ignores-repeats"

    def __init__(self) -> None:
        super().__init__()
        self._before: wire.Moved | None = None

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        before = self._before
        if isinstance(message, wire.Moved):
            self._before = message
        if before is None or not self.ready(connection, message):
            return (message,)
        self.injected = "two updates were sent again"
        self.kept = True
        return message, before, message

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if self.injected and isinstance(message, wire.Sync):
            self.complain(f"{self.injected}, and it asked with sync from {message.epoch}:{message.seq}")
        return True


class LostUpdate(Fault):
    rule = "asks-for-missed"
    expected = "it never asked with sync"

    def __init__(self) -> None:
        super().__init__()
        self._missing: wire.Moved | None = None

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if not isinstance(message, wire.Moved) or not self.ready(connection, message):
            return (message,)
        self.injected = f"update {message.epoch}:{message.seq} was left out"
        self._missing = message
        return ()

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        missing = self._missing
        if isinstance(message, wire.Sync) and missing is not None and not self.kept:
            self.kept = (message.room, message.epoch, message.seq) == (missing.room, missing.epoch, missing.seq - 1)
            if not self.kept:
                self.complain(f"{self.injected}, and it asked with sync from {message.epoch}:{message.seq}")
        return True


class LostLastUpdate(LostUpdate):
    """The newest update is missing, and none follows it for a while: only pong tells."""

    rule = "compares-pong"
    expected = "it did not ask with sync after a pong that listed the update"
    extra = PING_INTERVAL + 5.0

    def thinks(self, room: ScriptedRoom) -> float:
        return self.extra if self.injected and not self.kept else THINKING

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if self.injected and not self.kept and isinstance(message, wire.Moved):
            self.complain(f"{self.injected}, and it did not ask before the next update came")
        return super().outgoing(connection, message)


class Flood(Fault):
    """An update is missing, and more arrive while the sync that asks for it is not answered yet."""

    rule = "syncs-once"
    expected = "it never asked with sync"
    hold: ClassVar[float] = 0.5  # seconds until the sync is answered

    def __init__(self) -> None:
        super().__init__()
        self._held: wire.Sync | None = None

    def thinks(self, room: ScriptedRoom) -> float:
        return 2 * self.hold if self.injected and not self.kept else THINKING

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if not isinstance(message, wire.Moved) or not self.ready(connection, message):
            return (message,)
        self.injected = f"update {message.epoch}:{message.seq} was left out, and four others followed it"
        room = connection.rooms[message.room]
        seat = room.players.index(None)
        return [update for _ in range(2) for change in (room.disconnected, room.reconnected) for update in change(seat)]

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if not isinstance(message, wire.Sync) or not self.injected or self.kept:
            return True
        if self._held is not None:
            self.complain(f"{self.injected}, and it sent another sync before the first was answered")
        self._held = held = message
        self.later(self.hold, lambda: self._answer(connection, held))
        return False

    def _answer(self, connection: Connection, held: wire.Sync) -> None:
        self.kept = True
        self.server.handle(connection, held)


class OldEpoch(Fault):
    rule = "ignores-old-epochs"

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if not isinstance(message, wire.Moved) or not self.ready(connection, message):
            return (message,)
        self.injected, self.kept = f"an update of epoch {message.epoch - 1} came after {message.epoch}", True
        change = _with_ghost(connection.rooms[message.room], message.change)
        return message, replace(message, epoch=message.epoch - 1, seq=message.seq + 1, change=change)

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if self.injected and isinstance(message, wire.Sync):
            self.complain(f"{self.injected}, and it asked with sync from {message.epoch}:{message.seq}")
        return True


class _WrongScene(Fault):
    diverges = True
    expected: ClassVar[str] = "it never asked for the whole room with epoch 0"

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if self.injected and not self.kept and isinstance(message, wire.Sync):
            self.kept = message.epoch == 0
            if not self.kept:
                self.complain(f"{self.injected}, and it asked with sync from {message.epoch}:{message.seq}")
        return True


class WrongDiff(_WrongScene):
    rule = "asks-for-whole"

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if not isinstance(message, wire.Moved) or not self.ready(connection, message):
            return (message,)
        self.injected = f"update {message.epoch}:{message.seq} put a piece on the board that is not there"
        return (replace(message, change=_with_ghost(connection.rooms[message.room], message.change)),)


def _with_ghost(room: ScriptedRoom, change: SceneDiff) -> SceneDiff:
    """Return the change with one more piece on a free cell."""
    taken = {stack[0] for stack in room.scene.pieces} | {stack[0] for stack in change.pieces}
    free = next(place for place in range(len(taken) + 1) if place not in taken)
    return replace(change, pieces=tuple(sorted((*change.pieces, (free, 0)))))


class WrongHash(_WrongScene):
    rule = "checks-hash"

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if not isinstance(message, wire.Moved) or not self.ready(connection, message):
            return (message,)
        self.injected = f"update {message.epoch}:{message.seq} had a wrong hash"
        return (replace(message, hash=message.hash ^ 1),)


class WrongEvent(_WrongScene):
    rule = "checks-event"

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if not isinstance(message, wire.Moved) or not self.ready(connection, message):
            return (message,)
        self.injected = "an event without a change had a wrong hash"
        room = connection.rooms[message.room]
        (event,) = room.disconnected(room.players.index(None))
        return message, replace(event, hash=event.hash ^ 1)


class NewEpoch(_WrongScene):
    """The numbering starts over. The update fits all the same, but a client cannot know."""

    rule = "checks-epoch"

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if not isinstance(message, wire.Moved) or not self.ready(connection, message):
            return (message,)
        room = connection.rooms[message.room]
        room.lose_history()
        self.injected = f"epoch {room.updates.epoch} began after {message.epoch}:{message.seq}"
        return (message,)


class WrongRoom(_WrongScene):
    rule = "checks-room"

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if not isinstance(message, wire.Room) or self.injected:
            return (message,)
        self.injected = "the room had a wrong hash"
        return (replace(message, hash=message.hash ^ 1),)
