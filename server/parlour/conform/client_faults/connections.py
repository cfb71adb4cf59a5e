"""Connections that are cut at several points or fall silent, and commands that are not answered."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import ClassVar

from parlour.conform.client_faults import UNDER_WAY, Fault
from parlour.conform.connection import Connection
from parlour.conform.script import Close, Cut, Outgoing
from parlour.protocol import messages as wire
from parlour.protocol.errors import CloseCode


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


class LostInOpponentsTurn(_Reconnects):
    rule = "reconnects-later"
    shows: ClassVar[tuple[str, ...]] = ("resumes", "continues-session", "stands")

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if not self.ready(connection, message):
            return (message,)
        self.injected = "the connection was cut in the opponent's turn"
        return message, Cut()


class Restart(_Reconnects):
    rule = "reconnects-restart"

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if not self.ready(connection, message):
            return (message,)
        self.injected = "the connection was closed with 1012"
        closing = wire.Closing(code=CloseCode.RESTART, text="This server restarts.")
        return message, closing, Close(CloseCode.RESTART)


class Silence(Fault):
    """The connection stays open, but from a turn of the client on the server sends nothing more on it."""

    rule = "leaves-silence"
    expected = "it did not open another connection"
    allowed: ClassVar[float] = 10.0  # seconds; the specification asks for about two

    def __init__(self) -> None:
        super().__init__()
        self._silent: Connection | None = None
        self._since = 0.0

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if isinstance(message, wire.Play) and message.ply >= UNDER_WAY and not self.injected:
            self.injected = "the server fell silent instead of answering a turn"
            self._silent, self._since = connection, time.monotonic()
        elif self.injected and not self.kept and connection is not self._silent and isinstance(message, wire.Hello):
            self.kept = True
            waited = time.monotonic() - self._since
            if waited > self.allowed:
                self.complain(f"{self.injected}, and it waited {waited:.0f} s before it opened another connection")
        return connection is not self._silent

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        return () if connection is self._silent else (message,)


class LostHistory(LostInOpponentsTurn):
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
