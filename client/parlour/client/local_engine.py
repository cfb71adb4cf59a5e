"""Assessments of saved games by an engine on this machine.

A server assesses only games that were played on it: if it answered for any position, players could ask it for help in
their rated games. A saved game is therefore assessed on the machine that has the file.
"""

from __future__ import annotations

from asyncio.subprocess import DEVNULL
from collections.abc import Sequence
from types import TracebackType
from typing import Self

import msgspec
from msgspec import Struct

from parlour.client.engine_process import EngineFailed, EngineProcesses
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Assessment, Record
from parlour.protocol.types import OptionValue

SECONDS = 1.0  # of search for each position, as on a server
REPLY_TIMEOUT = 60.0  # seconds, with the start of the engine on a busy machine


class Question(Struct, frozen=True):
    """A line to `parlour think`."""

    game: str
    options: dict[str, OptionValue]
    moves: tuple[str, ...]
    seconds: float
    position: str | None


class Problem(Struct, frozen=True):
    message: str


class Answer(Struct, frozen=True):
    """A line from `parlour think`: an evaluation, or an error."""

    move: str = ""
    score: int = 0
    chance: float = 0.0
    line: tuple[str, ...] = ()
    error: Problem | None = None


class LocalEngine:
    """An engine with the interface of `parlour think`. An async context manager: leaving it ends the engine."""

    def __init__(self, command: Sequence[str], *, seconds: float = SECONDS) -> None:
        self._engine = EngineProcesses(command, stderr=DEVNULL)
        self._seconds = seconds

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._engine.__aexit__(kind, value, trace)

    async def assess(self, record: Record, ply: int, seat: int | None) -> Assessment:
        """Assess the position of a record after `ply` moves, with `seat` to move.

        Raise Refusal if that is not possible.
        """
        if not record.replayable:
            raise Refusal(ErrorCode.RULES_UNSUPPORTED, "The rules by which this game was played are not available.")
        if seat is None:
            raise Refusal(ErrorCode.GAME_OVER, "The game is over in that position.")
        moves = tuple(move.move for move in record.moves[:ply])
        question = Question(record.terms.game, dict(record.options), moves, self._seconds, record.position)
        try:
            line = await self._engine.ask(msgspec.json.encode(question) + b"\n", REPLY_TIMEOUT)
        except EngineFailed as failed:
            raise Refusal(ErrorCode.HINT_REFUSED, f"The computer cannot assess this game: {failed}.") from None
        answer = msgspec.json.decode(line, type=Answer)
        if answer.error is not None:
            raise Refusal(ErrorCode.HINT_REFUSED, f"The computer cannot assess this game: {answer.error.message}")
        return Assessment(
            id=0, room=record.room, ply=ply, seat=seat, chance=round(answer.chance * 1000), move=answer.move, picks=(),
            line=answer.line, score=answer.score,
        )  # fmt: skip
