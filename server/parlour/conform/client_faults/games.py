"""Games in which nothing goes wrong, and refusals that are no fault of the client."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from parlour.conform.client_faults import UNDER_WAY, Fault
from parlour.conform.connection import Connection
from parlour.conform.script import Leaving, Pause
from parlour.protocol import messages as wire
from parlour.protocol.errors import ErrorCode
from parlour.protocol.tables import Pick


class NoFault(Fault):
    """Nothing goes wrong; only welcome takes its time."""

    rule = "plays"
    wanted = "the game did not get to its end"
    shows = ("subprotocol", "hello-first", "waits-for-welcome", "well-formed", "fresh-ids", "legal")

    def __init__(self) -> None:
        super().__init__()
        self.struck = "the client was started"

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        if isinstance(message, wire.Welcome):
            return Pause(0.1), message
        self.kept = self.kept or (isinstance(message, wire.Happened) and message.result is not None)
        return (message,)


class CutChoices(Fault):
    rule = "explores"
    wanted = "it never asked with explore"
    budget = 0

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        if isinstance(message, wire.Choices) and any(
            isinstance(pick, Pick) and pick.more for pick in message.step.picks
        ):
            self.struck = "choices came with picks that have more"
        return (message,)

    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.kept = self.kept or isinstance(message, wire.Explore)
        return True


class _Refusal(Fault):
    wanted = "no other turn came"
    code: ClassVar[ErrorCode]

    def __init__(self) -> None:
        super().__init__()
        self.refused: wire.Play | None = None

    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if not isinstance(message, wire.Play) or message.ply < UNDER_WAY:
            return True
        if self.refused is None:
            self.refused = message
            self.struck = f"a turn was refused with {self.code}"
        elif self.again(message, self.refused):
            self.kept = True
            return True
        connection.put(wire.Refused(code=self.code, text=self.code.meaning, id=message.id))
        return False

    def again(self, turn: wire.Play, refused: wire.Play) -> bool:
        """Whether the turn is to be accepted now."""
        raise NotImplementedError


class CannotStore(_Refusal):
    rule = "tries-again"
    code = ErrorCode.TRY_AGAIN

    def again(self, turn: wire.Play, refused: wire.Play) -> bool:
        return True


class Stale(_Refusal):
    rule = "chooses-again"
    wanted = "no turn with a new id came"
    code = ErrorCode.STALE_PLY

    def again(self, turn: wire.Play, refused: wire.Play) -> bool:
        if turn.id == refused.id:
            self.complain(f"{self.struck}, and it sent the same again, with the same id")
        return turn.id != refused.id
