"""Games without a fault, and refusals that are not the client's fault."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from parlour.conform.client_faults import UNDER_WAY, Fault
from parlour.conform.connection import Connection
from parlour.conform.script import Outgoing, Pause
from parlour.protocol import messages as wire
from parlour.protocol.errors import ErrorCode
from parlour.protocol.types import Pick


class NoFault(Fault):
    """Nothing goes wrong, but welcome is delayed."""

    rule = "plays"
    expected = "the game did not end"
    shows = ("subprotocol", "hello-first", "waits-for-welcome", "well-formed", "fresh-ids", "legal")

    def __init__(self) -> None:
        super().__init__()
        self.injected = "the client was started"

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if isinstance(message, wire.Welcome):
            return Pause(0.1), message
        self.kept = self.kept or (isinstance(message, wire.RoomEvent) and message.result is not None)
        return (message,)


class CutChoices(Fault):
    rule = "explores"
    expected = "it never asked with explore"
    budget = 0

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if isinstance(message, wire.Choices) and any(
            isinstance(pick, Pick) and pick.more for pick in message.step.picks
        ):
            self.injected = "the choices had picks with more to explore"
        return (message,)

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.kept = self.kept or isinstance(message, wire.Explore)
        return True


class _Refusal(Fault):
    expected = "no other turn came"
    code: ClassVar[ErrorCode]

    def __init__(self) -> None:
        super().__init__()
        self.refused: wire.Play | None = None

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if not isinstance(message, wire.Play) or message.ply < UNDER_WAY:
            return True
        if self.refused is None:
            self.refused = message
            self.injected = f"a turn was refused with {self.code}"
        elif self.again(message, self.refused):
            self.kept = True
            return True
        connection.put(wire.Refused(code=self.code, text=self.code.meaning, id=message.id))
        return False

    def again(self, turn: wire.Play, refused: wire.Play) -> bool:
        """Return whether to accept the turn now."""
        raise NotImplementedError


class CannotStore(_Refusal):
    rule = "tries-again"
    code = ErrorCode.TRY_AGAIN

    def again(self, turn: wire.Play, refused: wire.Play) -> bool:
        return True


class Stale(_Refusal):
    rule = "chooses-again"
    expected = "no turn with a new id came"
    code = ErrorCode.STALE_PLY

    def again(self, turn: wire.Play, refused: wire.Play) -> bool:
        if turn.id == refused.id:
            self.complain(f"{self.injected}, and it sent the same again, with the same id")
        return turn.id != refused.id
