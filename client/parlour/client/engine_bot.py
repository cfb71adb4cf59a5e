"""A bot whose moves come from an engine: another program, in any language, that exchanges JSON lines over pipes."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

import msgspec
from msgspec import Struct

from parlour.client.bot import Bot
from parlour.client.bot_move import BotMove, NoMoveError
from parlour.client.engine_process import EXIT_TIMEOUT, EngineFailed, EngineProcesses
from parlour.client.position import Position
from parlour.protocol.clock import turn_limit
from parlour.protocol.types import OptionValue, TimeLeft

logger = logging.getLogger("parlour.bot")

REPLY_TIMEOUT = 600.0  # seconds, where no clock runs
DEFAULT_SECONDS = 5.0  # to think, where neither the clock nor the user sets a limit

encode = msgspec.json.Encoder().encode


class TableInfo(Struct, frozen=True, omit_defaults=True):
    """The table of the position, for engines that care."""

    room: str
    seat: int
    rated: bool
    opponent: str | None
    clock: dict[str, Any]  # the time control
    left: tuple[TimeLeft, ...] = ()  # by seat: [milliseconds, count]


class EngineRequest(Struct, frozen=True, omit_defaults=True):
    """The request line. Its fields are those of `parlour think`, plus `legal`."""

    game: str
    options: dict[str, OptionValue]
    moves: tuple[str, ...]
    seconds: float
    seed: int
    table: TableInfo
    position: str | None = None
    level: str | None = None
    legal: tuple[tuple[int, ...], ...] | None = None


class EngineError(Struct, frozen=True):
    message: str
    code: str = ""


class EngineReply(Struct, frozen=True):
    """The reply line. Unknown fields are ignored."""

    move: str | None = None
    picks: tuple[int, ...] | None = None
    resign: bool = False
    error: EngineError | None = None


class EngineBot(Bot):
    """A bot whose moves come from an engine: a program that reads requests and writes replies, as lines of JSON.

    It is an async context manager: leaving it ends the engine processes.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        processes: int = 1,
        level: str | None = None,
        seconds: float | None = None,
        legal: bool = False,
    ) -> None:
        """`seconds`: the longest time for a move; `legal`: send the engine all legal turns."""
        self._engines = EngineProcesses(command, processes)
        self._level = level
        self._seconds = seconds
        self._legal = legal

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._engines.__aexit__(kind, value, trace)

    async def choose(self, position: Position) -> BotMove:
        """Return the reply of the engine."""
        request = encode(await self._request(position)) + b"\n"
        try:
            line = await self._engines.ask(request, _reply_timeout(position))
        except EngineFailed as failed:
            raise NoMoveError(str(failed)) from None
        reply = _parse(line)
        if reply.error is not None:
            code = f" [{reply.error.code}]" if reply.error.code else ""
            raise NoMoveError(f"the engine says: {reply.error.message}{code}")
        if reply.resign:
            return None
        move = reply.picks if reply.move is None else reply.move
        if move is None:
            raise NoMoveError(f"the engine's reply has neither move nor picks: {_shorten(line)}")
        return move

    async def _request(self, position: Position) -> EngineRequest:
        left = (position.time_left, position.opponent_time_left)
        by_seat = left if position.seat == 0 else left[::-1]
        limits = [seconds for seconds in (position.seconds, self._seconds) if seconds is not None]
        return EngineRequest(
            game=position.game,
            options=dict(position.options),
            moves=position.moves,
            seconds=min(limits, default=DEFAULT_SECONDS),
            seed=secrets.randbits(31),
            table=TableInfo(
                position.room,
                position.seat,
                position.rated,
                None if position.opponent is None else position.opponent.name,
                msgspec.to_builtins(position.clock),
                tuple(each for each in by_seat if each is not None),
            ),
            position=position.start,
            level=self._level,
            legal=tuple([turn.picks for turn in await position.legal_turns_async()]) if self._legal else None,
        )


def _reply_timeout(position: Position) -> float:
    """Return how long to wait for a reply: until the bot would lose on time."""
    if position.time_left is None:
        return REPLY_TIMEOUT
    return min(REPLY_TIMEOUT, turn_limit(position.clock, position.time_left) / 1000 + EXIT_TIMEOUT)


def _parse(line: bytes) -> EngineReply:
    try:
        return msgspec.json.decode(line, type=EngineReply)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NoMoveError(f"the engine's reply is malformed, {error}: {_shorten(line)}") from None


def _shorten(line: bytes) -> str:
    text = line.decode(errors="replace").strip()
    return text if len(text) <= 80 else f"{text[:79]}…"
