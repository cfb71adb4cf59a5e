"""Close codes: those after which a client reconnects, and those after which it does not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from parlour.conform.client_faults import AtReady
from parlour.conform.client_faults.refusals import STAY_AWAY
from parlour.conform.connection import Connection
from parlour.conform.script import Close, Outgoing
from parlour.protocol import messages as wire
from parlour.protocol.errors import CloseCode

# The last one is none of the protocol's.
PASSING = (
    CloseCode.GOING_AWAY, CloseCode.UNAVAILABLE, CloseCode.NO_HELLO, CloseCode.TOO_SLOW, CloseCode.FLOOD,
    CloseCode.SUSPENDED, 1011,
)  # fmt: skip


class Restart(AtReady):
    rule = "reconnects-restart"
    expected = "it did not connect again and say hello"

    def inject(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        self.injected = "the connection was closed with 1012"
        closing = wire.Closing(code=CloseCode.RESTART, text="This server restarts.")
        return message, closing, Close(CloseCode.RESTART)

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.kept = self.kept or (bool(self.injected) and isinstance(message, wire.Hello))
        return True


class Closed(AtReady):
    rule = "reconnects-closed"
    expected = "it did not reconnect"
    extra = 15.0

    def __init__(self) -> None:
        super().__init__()
        self._codes = list(PASSING)

    def inject(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        return message, self._next_close()

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if self.injected and not self.kept and isinstance(message, wire.Welcome):
            return message, self._next_close()
        return super().outgoing(connection, message)

    def _next_close(self) -> Close:
        code = self._codes.pop(0)
        self.injected = f"the connection was closed with {code:d}"
        return Close(code)

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.kept = self.kept or (isinstance(message, wire.Hello) and not self._codes)
        return True


class _StaysAway(AtReady):
    must_end = False
    extra = STAY_AWAY
    code: ClassVar[CloseCode]

    def inject(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        self.injected, self.kept = f"the connection was closed with {self.code:d}", True
        self.later(STAY_AWAY, self.decided.set)
        return message, Close(self.code)

    def opened(self, connection: Connection) -> None:
        if self.injected:
            self.complain(f"{self.injected}, and it connected again")


class TakenOver(_StaysAway):
    rule = "taken-over"
    code = CloseCode.TAKEN_OVER


class SignedOut(_StaysAway):
    rule = "signed-out"
    code = CloseCode.SIGNED_OUT
