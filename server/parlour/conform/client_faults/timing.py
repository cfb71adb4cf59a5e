"""Silence, commands that stay unanswered, and a server that cannot be reached."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import ClassVar

from parlour.conform.client_faults import UNDER_WAY, AtReady, Fault
from parlour.conform.connection import Connection
from parlour.conform.profiles import Profile
from parlour.conform.script import THINKING, Close, Cut, Outgoing
from parlour.conform.scripted_room import ScriptedRoom
from parlour.conform.scripted_server import ScriptedServer
from parlour.protocol import messages as wire
from parlour.protocol.errors import CloseCode
from parlour.protocol.timing import FIRST_COMMAND_DELAY, MAX_RECONNECT_DELAY, PING_INTERVAL, SILENCE_LIMIT

SLACK = 2.0  # seconds that a busy machine may add to a delay
LEAVING = 5.0  # seconds from the decision to leave a connection to the hello on another one, on a busy machine


class Quiet(Fault):
    """Nothing happens for a while on a connection that works."""

    rule = "pings"
    quiet: ClassVar[float] = 2.6 * PING_INTERVAL
    extra = quiet + SLACK

    def __init__(self) -> None:
        super().__init__()
        self._heard: list[float] = []  # when the quiet began, each ping, and the end

    def thinks(self, room: ScriptedRoom) -> float:
        if self.server.profile is Profile.LOBBY or room.ply < UNDER_WAY or self.injected:
            return THINKING
        return self._begin()

    def open_lobby(self) -> None:
        self.later(self._begin(), self.server.offer_seek)

    def _begin(self) -> float:
        self.injected = f"nothing happened for {self.quiet:g} s"
        self._heard.append(self.now)
        self.later(self.quiet - THINKING, self._judge)
        return self.quiet

    def pinged(self, connection: Connection) -> None:
        if self._heard:
            self._heard.append(self.now)

    def _judge(self) -> None:
        heard = [*self._heard, self.now]
        longest = max(after - before for before, after in pairwise(heard))
        self.kept = True
        if longest > PING_INTERVAL + SLACK:
            self.complain(f"{self.injected}, and it sent no ping for {longest:.0f} s")


class _Left(Fault):
    """A connection stops working, and the client must leave it in time."""

    allowed: ClassVar[float]  # seconds
    expected = "it did not open another connection"

    def __init__(self) -> None:
        super().__init__()
        self.bad: Connection | None = None

    def begin(self, connection: Connection, injected: str) -> None:
        self.injected, self.bad = injected, connection
        self.later(self.allowed + LEAVING, self._judge)

    def _judge(self) -> None:
        if not self.kept:
            self.complain(f"{self.injected}, and it stayed for {self.allowed + LEAVING:g} s")

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if self.bad is not None and connection is not self.bad and isinstance(message, wire.Hello):
            self.kept = True
        return connection is not self.bad

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        return () if connection is self.bad else (message,)


class Silence(_Left):
    """The connection stays open, but from a turn of the client on the server sends nothing more on it."""

    rule = "leaves-silence"
    allowed = 10.0  # the specification asks for about two
    extra = allowed + LEAVING

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if isinstance(message, wire.Play) and message.ply >= UNDER_WAY and not self.injected:
            self.begin(connection, "the server fell silent instead of answering a turn")
        return super().incoming(connection, message)


class IdleSilence(_Left):
    """The same while the client has no unanswered command."""

    rule = "notices-silence"
    allowed = SILENCE_LIMIT
    extra = allowed + LEAVING

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if self.ready(connection, message):
            self.begin(connection, "the server fell silent while no command was unanswered")
            # The message that the client still has to get: the answer to its turn was sent before.
            return (message,)
        return super().outgoing(connection, message)


class Unanswered(_Left):
    """The server answers pings, but not turns."""

    rule = "leaves-unanswered"
    allowed = 25.0  # the specification asks for ten
    extra = allowed + LEAVING

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if isinstance(message, wire.Play) and message.ply >= UNDER_WAY and not self.injected:
            self.begin(connection, "the server answered pings, but not a turn")
        super().incoming(connection, message)
        return connection is not self.bad or not isinstance(message, wire.Play)

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        return (message,)


class Unreachable(AtReady):
    """The connection is cut, and those that follow are cut before welcome."""

    rule = "backs-off"
    expected = "it did not try often enough"
    attempts: ClassVar[int] = 6  # that fail
    extra = 30.0

    def __init__(self) -> None:
        super().__init__()
        self._failed = -1
        self._lost_at: float | None = None

    def inject(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        self.injected = f"the connection was cut, and the next {self.attempts} before welcome"
        return message, Cut()

    def closed(self, connection: Connection) -> None:
        if self.injected and connection.lost:
            self._failed += 1
            self._lost_at = self.now

    def opened(self, connection: Connection) -> None:
        if self._lost_at is None or self.kept:
            return
        waited = self.now - self._lost_at
        least = 0.7 * min(FIRST_COMMAND_DELAY * 2**self._failed, MAX_RECONNECT_DELAY)
        most = 1.25 * MAX_RECONNECT_DELAY + SLACK
        if not least <= waited <= most:
            self.complain(
                f"after {self._failed} attempts that failed it waited {waited:.2f} s, not {least:.2f} to {most:.2f} s"
            )
        self.kept = self._failed >= self.attempts

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if self.injected and not self.kept and isinstance(message, wire.Hello):
            connection.put(Cut())
            return False
        return True


class LostNode(AtReady):
    rule = "fails-over"
    expected = "it did not connect to the other node"
    nodes = 1
    extra = 15.0

    def inject(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        self.injected = f"the first address was closed, and welcome had named {self.server.nodes[0]}"
        self.server.refuse_first_address()
        return message, Cut()

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.kept = self.kept or (bool(self.injected) and isinstance(message, wire.Hello))
        return True


class ClosingNode(LostNode):
    rule = "follows-closing"

    def attach(self, server: ScriptedServer) -> None:
        super().attach(server)
        self._nodes, self.server.nodes = self.server.nodes, ()

    def inject(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        self.injected = f"the first address was closed, and closing had named {self._nodes[0]}"
        self.server.refuse_first_address()
        closing = wire.Closing(code=CloseCode.RESTART, text="This server restarts.", nodes=self._nodes)
        return message, closing, Close(CloseCode.RESTART)
