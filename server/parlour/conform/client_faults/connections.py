"""Connections that are lost, at several points, and commands that stay without an answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from parlour.conform.client_faults import UNDER_WAY, Fault
from parlour.conform.connection import Connection
from parlour.conform.script import Close, Cut, Leaving
from parlour.protocol import messages as wire
from parlour.protocol.errors import CloseCode


class _Reconnects(Fault):
    wanted = "it did not connect again and say hello"

    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.kept = self.kept or (bool(self.struck) and isinstance(message, wire.Hello))
        return True


class LostBeforeWelcome(_Reconnects):
    rule = "reconnects-early"

    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if not self.struck:
            self.struck = "the connection was cut after hello"
            connection.put(Cut())
            return False
        return super().arriving(connection, message)


class LostInQueue(Fault):
    rule = "queues-again"
    wanted = "it did not queue again on the next connection, and its place had gone with the last one"

    def __init__(self) -> None:
        super().__init__()
        self._queue: wire.Queue | None = None
        self._paired: wire.Paired | None = None  # what it is not told until it has queued again

    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if isinstance(message, wire.Queue):
            if self.struck and self._queue is not None:
                self.kept = message.id == self._queue.id
                if not self.kept:
                    self.complain(f"it queued with id {self._queue.id}, and then again with id {message.id}")
            self._queue = message
        return True

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        if isinstance(message, wire.Paired) and not self.kept:
            if self.struck:
                return ()
            self.struck = "the connection was cut while it waited in the queue"
            self._paired = message
            return (Cut(),)
        if self.kept and self._paired is not None and isinstance(message, wire.Ok):
            paired, self._paired = self._paired, None
            return message, paired
        return (message,)


class LostInOpponentsTurn(_Reconnects):
    rule = "reconnects-later"
    shows: ClassVar[tuple[str, ...]] = ("resumes", "stands")

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        if not self.ready(connection, message):
            return (message,)
        self.struck = "the connection was cut in the opponent's turn"
        return message, Cut()


class Restart(_Reconnects):
    rule = "reconnects-restart"

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        if not self.ready(connection, message):
            return (message,)
        self.struck = "the connection was closed with 1012"
        closing = wire.Closing(code=CloseCode.RESTART, text="This server restarts.")
        return message, closing, Close(CloseCode.RESTART)


class LostHistory(LostInOpponentsTurn):
    rule = "takes-room"
    shows = ()

    def __init__(self) -> None:
        super().__init__()
        self._epochs: dict[str, int] = {}

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        leaving = super().leaving(connection, message)
        if self.struck and not self._epochs:
            for room in connection.rooms.values():
                room.lose_history()
                self._epochs[room.id] = room.feed.epoch
        return leaving

    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if isinstance(message, wire.Sync) and message.epoch < self._epochs.get(message.room, 0):
            self.complain("it was sent the whole room, and asked for what followed the old one")
        return super().arriving(connection, message)


class _Resends(Fault):
    rule = "resends"
    wanted = "it did not send the command again"

    def __init__(self) -> None:
        super().__init__()
        self.command: wire.Command | None = None  # the one that is not answered

    def watch(self, message: wire.ClientMessage, kind: type[wire.Command]) -> None:
        """After the fault, the first of that kind must be the command again."""
        if self.struck and not self.kept and isinstance(message, kind) and self.command is not None:
            self.kept = message.id == self.command.id
            if not self.kept:
                self.complain(f"{self.struck}; it had id {self.command.id}, and then came one with id {message.id}")


class QueueUnanswered(_Resends):
    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.watch(message, wire.Queue)
        if isinstance(message, wire.Queue) and not self.struck:
            self.command = message
        return True

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        if self.struck or self.command is None or not isinstance(message, wire.Ok):
            return (message,)
        self.struck = "the connection was cut instead of the answer to queue"
        return (Cut(),)


class PlayUnanswered(_Resends):
    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.watch(message, wire.Play)
        if isinstance(message, wire.Play) and message.ply >= UNDER_WAY and not self.struck:
            self.command = message
        return True

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        if self.struck or self.command is None or not isinstance(message, wire.Ok) or message.id != self.command.id:
            return (message,)
        self.struck = "the turn was played and the connection cut instead of the answer"
        return (Cut(),)


class PlayLost(_Resends):
    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.watch(message, wire.Play)
        if not isinstance(message, wire.Play) or message.ply < UNDER_WAY or self.struck:
            return True
        self.command = message
        self.struck = "the connection was cut before the turn reached the server"
        connection.put(Cut())
        return False
