"""Connections that are cut at several points, and commands that are not answered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from parlour.conform.client_faults import UNDER_WAY, AtReady, Fault
from parlour.conform.connection import Connection
from parlour.conform.profiles import Profile
from parlour.conform.script import Cut, Outgoing
from parlour.protocol import messages as wire


class _Reconnects(Fault):
    expected = "it did not connect again and say hello"

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.kept = self.kept or (bool(self.injected) and isinstance(message, wire.Hello))
        return True


class LostBeforeWelcome(_Reconnects):
    rule = "reconnects-early"

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if not self.injected:
            self.injected = "the connection was cut after hello"
            connection.put(Cut())
            return False
        return super().incoming(connection, message)


class LostInQueue(Fault):
    rule = "queues-again"
    expected = "it did not queue again on the next connection, though its place had ended with the last one"

    def __init__(self) -> None:
        super().__init__()
        self._queue: wire.Queue | None = None
        self._paired: wire.Paired | None = None  # held back until the client has queued again

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if isinstance(message, wire.Queue):
            if self.injected and self._queue is not None:
                self.kept = message.id == self._queue.id
                if not self.kept:
                    self.complain(f"it queued with id {self._queue.id}, and then again with id {message.id}")
            self._queue = message
        return True

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if isinstance(message, wire.Paired) and not self.kept:
            if self.injected:
                return ()
            self.injected = "the connection was cut while it waited in the queue"
            self._paired = message
            return (Cut(),)
        if self.kept and self._paired is not None and isinstance(message, wire.Ok):
            paired, self._paired = self._paired, None
            return message, paired
        return (message,)


class LostLater(AtReady, _Reconnects):
    rule = "reconnects-later"
    shows: ClassVar[tuple[str, ...]] = ("resumes", "continues-session", "stands")

    def inject(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        self.injected = "the connection was cut when the client was waiting for nothing"
        return message, Cut()


class LostHistory(LostLater):
    rule = "takes-room"
    shows = ()

    def __init__(self) -> None:
        super().__init__()
        self._epochs: dict[str, int] = {}

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        outgoing = super().outgoing(connection, message)
        if self.injected and not self._epochs:
            for room in connection.rooms.values():
                room.lose_history()
                self._epochs[room.id] = room.updates.epoch
        return outgoing

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if isinstance(message, wire.Sync) and message.epoch < self._epochs.get(message.room, 0):
            self.complain("it was sent the whole room, and asked for updates of the old epoch")
        return super().incoming(connection, message)


class _Resends(Fault):
    rule = "resends"
    expected = "it did not send the command again"

    def __init__(self) -> None:
        super().__init__()
        self.command: wire.Command | None = None  # the one that stays unanswered

    def watch(self, message: wire.ClientMessage, kind: type[wire.Command]) -> None:
        """Check that the first command of this kind after the fault is the unanswered one."""
        if self.injected and not self.kept and isinstance(message, kind) and self.command is not None:
            self.kept = message.id == self.command.id
            if not self.kept:
                self.complain(f"{self.injected}; it had id {self.command.id}, and then came one with id {message.id}")


class QueueUnanswered(_Resends):
    profiles = (Profile.PLAYER,)

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.watch(message, wire.Queue)
        if isinstance(message, wire.Queue) and not self.injected:
            self.command = message
        return True

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if self.injected or self.command is None or not isinstance(message, wire.Ok):
            return (message,)
        self.injected = "the connection was cut instead of the answer to queue"
        return (Cut(),)


class PlayUnanswered(_Resends):
    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.watch(message, wire.Play)
        if isinstance(message, wire.Play) and message.ply >= UNDER_WAY and not self.injected:
            self.command = message
        return True

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if self.injected or self.command is None or not isinstance(message, wire.Ok) or message.id != self.command.id:
            return (message,)
        self.injected = "the turn was played and the connection cut instead of the answer"
        return (Cut(),)


class PlayLost(_Resends):
    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.watch(message, wire.Play)
        if not isinstance(message, wire.Play) or message.ply < UNDER_WAY or self.injected:
            return True
        self.command = message
        self.injected = "the connection was cut before the turn reached the server"
        connection.put(Cut())
        return False
