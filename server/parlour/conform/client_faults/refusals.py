"""Refusals that are not the client's fault: of turns, and of hello."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from parlour.conform.client_faults import UNDER_WAY, AtReady, Fault
from parlour.conform.connection import Connection
from parlour.conform.script import Cut, Outgoing
from parlour.protocol import messages as wire
from parlour.protocol.errors import ErrorCode

STAY_AWAY = 8.0  # seconds: longer than any delay before a reconnect
TOLERANCE = 0.1  # of a delay that a client must wait


class _Refusal(Fault):
    expected = "no other turn came"
    code: ClassVar[ErrorCode]
    retry_after: ClassVar[int | None] = None

    def __init__(self) -> None:
        super().__init__()
        self.refused: wire.Play | None = None
        self.refused_at = 0.0

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if not isinstance(message, wire.Play) or message.ply < UNDER_WAY or self.kept:
            return True
        if self.refused is None:
            self.refused, self.refused_at = message, self.now
            self.injected = f"a turn was refused with {self.code}"
            connection.put(
                wire.Refused(code=self.code, text=self.code.meaning, id=message.id, retry_after=self.retry_after)
            )
            return False
        self.kept = True
        self.came_again(message, self.refused, self.now - self.refused_at)
        return True

    def came_again(self, turn: wire.Play, refused: wire.Play, after: float) -> None:
        """Complain if this is not the expected turn, or comes too early."""
        raise NotImplementedError


class _Later(_Refusal):
    code = ErrorCode.TRY_AGAIN
    least: ClassVar[float] = 0.0  # seconds

    def came_again(self, turn: wire.Play, refused: wire.Play, after: float) -> None:
        if after < self.least * (1 - TOLERANCE):
            self.complain(f"{self.injected}, and it came again after {after:.2f} s, not {self.least:g} s")


class CannotStore(_Later):
    rule = "tries-again"

    def came_again(self, turn: wire.Play, refused: wire.Play, after: float) -> None:
        if turn.id != refused.id:
            self.complain(f"{self.injected}, and it sent a turn with another id")


class RetriedLater(_Later):
    rule = "retries-later"
    least = 1.0


class RetryAfter(_Later):
    rule = "retry-after"
    code = ErrorCode.TOO_FAST
    retry_after = 3000
    least = 3.0
    extra = 3.0


class Stale(_Refusal):
    rule = "chooses-again"
    expected = "no turn with a new id came"
    code = ErrorCode.STALE_PLY

    def came_again(self, turn: wire.Play, refused: wire.Play, after: float) -> None:
        if turn.id == refused.id:
            self.complain(f"{self.injected}, and it sent the same again, with the same id")


class UnknownToken(Fault):
    rule = "token-unknown"
    expected = "it did not say hello without a token on the same connection"

    def __init__(self) -> None:
        super().__init__()
        self._lost: Connection | None = None
        self._refused: Connection | None = None

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if isinstance(message, wire.Queue) and self._lost is None:
            self._lost = connection
            self.server.guests.clear()
            connection.put(Cut())
            return False
        if isinstance(message, wire.Hello) and connection is not self._lost and self._lost is not None:
            if self._refused is None:
                self._refused = connection
                self.injected = "the token of hello was refused with token_unknown"
            elif not self.kept:
                self.kept = connection is self._refused and not (message.token or message.session or message.rooms)
                if not self.kept:
                    where = "the same connection" if connection is self._refused else "another connection"
                    self.complain(f"{self.injected}, and on {where} came {message}")
        return True


class _RefusedHello(AtReady):
    """The connection is cut, and the next hello refused."""

    code: ClassVar[ErrorCode]

    def __init__(self) -> None:
        super().__init__()
        self.was_cut = False
        self.refused_on: Connection | None = None

    def ready(self, connection: Connection, message: wire.Message | wire.Moved) -> bool:
        return not self.was_cut and super().ready(connection, message)

    def inject(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        self.was_cut = True
        return message, Cut()

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if not self.was_cut or not isinstance(message, wire.Hello):
            return True
        if self.refused_on is None:
            self.refused_on = connection
            self.injected = f"hello was refused with {self.code}"
            connection.put(wire.Refused(code=self.code, text=self.code.meaning))
            self.was_refused()
            return False
        self.came_back(connection)
        return True

    def was_refused(self) -> None:
        """Record that hello was refused."""

    def came_back(self, connection: Connection) -> None:
        """Judge the hello that follows."""
        raise NotImplementedError


class HelloLater(_RefusedHello):
    rule = "hello-later"
    expected = "it did not say hello on another connection"
    code = ErrorCode.TRY_AGAIN
    extra = 5.0

    def came_back(self, connection: Connection) -> None:
        self.kept = self.kept or connection is not self.refused_on
        if not self.kept:
            self.complain(f"{self.injected}, and it said hello again on the same connection")


class HelloRefused(_RefusedHello):
    rule = "hello-refused"
    code = ErrorCode.SUSPENDED
    must_end = False
    extra = STAY_AWAY

    def was_refused(self) -> None:
        self.kept = True
        self.later(STAY_AWAY, self.decided.set)

    def came_back(self, connection: Connection) -> None:
        self.complain(f"{self.injected}, and it came back with another hello")

    def opened(self, connection: Connection) -> None:
        if self.kept:
            self.complain(f"{self.injected}, and it opened another connection")
