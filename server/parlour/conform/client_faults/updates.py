"""Updates that are repeated, lost or wrong."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from parlour.conform.client_faults import Fault
from parlour.conform.connection import Connection
from parlour.conform.script import Outgoing
from parlour.conform.scripted_room import ScriptedRoom
from parlour.protocol import messages as wire
from parlour.protocol.scene import SceneDiff


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


class _WrongScene(Fault):
    expected = "it never asked for the whole room with epoch 0"

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


class WrongRoom(_WrongScene):
    rule = "checks-room"

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if not isinstance(message, wire.Room) or self.injected:
            return (message,)
        self.injected = "the room had a wrong hash"
        return (replace(message, hash=message.hash ^ 1),)
