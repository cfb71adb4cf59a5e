"""A bot whose thinking is done by another program, in any language: JSON lines through a pipe.

One line asks, one line answers, and every question says everything, so a program that crashes is started anew and
asked again. docs/writing-a-bot.md describes the lines.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

import msgspec
from msgspec import Struct

from parlour.client import clocks
from parlour.client.bot import Bot
from parlour.client.choice import Choice, NoChoice
from parlour.client.position import Position
from parlour.protocol.tables import OptionValue, TimeLeft

log = logging.getLogger("parlour.bot")

PATIENCE = 600.0  # seconds for an answer where no clock runs
SECONDS = 5.0  # to think, where neither a clock nor anybody else says how long
GRACE = 2.0  # seconds for a program to end by itself when nothing more is asked
LONGEST_LINE = 1 << 20

encode = msgspec.json.Encoder().encode


class At(Struct, frozen=True, omit_defaults=True):
    """Where the position is played, for programs that care."""

    room: str
    seat: int
    rated: bool
    opponent: str | None
    clock: dict[str, Any]  # as it was agreed on
    left: tuple[TimeLeft, ...] = ()  # by seat: [milliseconds, count]


class Question(Struct, frozen=True, omit_defaults=True):
    """The line that asks. Its fields are those of `parlour think`, and `legal`."""

    game: str
    options: dict[str, OptionValue]
    moves: tuple[str, ...]
    seconds: float
    seed: int
    table: At
    position: str | None = None
    level: str | None = None
    legal: tuple[tuple[int, ...], ...] | None = None


class Fault(Struct, frozen=True):
    message: str
    code: str = ""


class Answer(Struct, frozen=True):
    """The line that answers; whatever else is in it is left out."""

    move: str | None = None
    picks: tuple[int, ...] | None = None
    resign: bool = False
    error: Fault | None = None


class EngineBot(Bot):
    """Use it as an async context manager: what it has started ends with it."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        processes: int = 1,
        level: str | None = None,
        seconds: float | None = None,
        legal: bool = False,
    ) -> None:
        """`seconds`: at most so long for a move; `legal`: tell the program all turns that may be made."""
        self._command = list(command)
        self._level = level
        self._seconds = seconds
        self._legal = legal
        self._places = asyncio.Semaphore(processes)
        self._free: list[asyncio.subprocess.Process] = []
        self._all: set[asyncio.subprocess.Process] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in list(self._all):
            await self._end(process, GRACE)

    async def choose(self, position: Position) -> Choice:
        async with self._places:
            line = await self._exchange(encode(await self._question(position)) + b"\n", _patience(position))
        answer = _read(line)
        if answer.error is not None:
            code = f" [{answer.error.code}]" if answer.error.code else ""
            raise NoChoice(f"the engine says: {answer.error.message}{code}")
        if answer.resign:
            return None
        choice = answer.picks if answer.move is None else answer.move
        if choice is None:
            raise NoChoice(f"the engine's answer has neither move nor picks: {_shown(line)}")
        return choice

    async def _question(self, position: Position) -> Question:
        left = (position.time_left, position.their_time_left)
        by_seat = left if position.seat == 0 else left[::-1]
        wanted = [seconds for seconds in (position.seconds, self._seconds) if seconds is not None]
        return Question(
            game=position.game,
            options=dict(position.options),
            moves=position.moves,
            seconds=min(wanted, default=SECONDS),
            seed=secrets.randbits(31),
            table=At(
                position.room,
                position.seat,
                position.rated,
                None if position.opponent is None else position.opponent.name,
                msgspec.to_builtins(position.clock),
                tuple(each for each in by_seat if each is not None),
            ),
            position=position.start,
            level=self._level,
            legal=tuple([turn.picks for turn in await position.legal_async()]) if self._legal else None,
        )

    # -- processes

    async def _exchange(self, line: bytes, within: float) -> bytes:
        process = self._free.pop() if self._free else await self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            async with asyncio.timeout(within):
                process.stdin.write(line)
                await process.stdin.drain()
                answer = await process.stdout.readline()
            if not answer.endswith(b"\n"):
                raise EOFError
        except BaseException as fault:
            # Its next line would be the answer to this question. One that has ended by itself is not killed: its code
            # would be lost.
            await self._end(process, GRACE if isinstance(fault, ConnectionError | EOFError) else 0.0)
            if isinstance(fault, TimeoutError):
                raise NoChoice(f"the engine has not answered within {within:.0f} seconds; it is started anew") from None
            if isinstance(fault, OSError | EOFError):
                raise NoChoice(f"the engine has ended with code {process.returncode}; it is started anew") from None
            if isinstance(fault, ValueError):
                raise NoChoice(f"the engine's answer is longer than {LONGEST_LINE >> 20} MiB") from None
            raise
        self._free.append(process)
        return answer

    async def _start(self) -> asyncio.subprocess.Process:
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LONGEST_LINE,
                start_new_session=True,  # Ctrl-C is for us; it ends when its input does
            )
        except OSError as fault:
            raise NoChoice(f"the engine cannot be started: {fault}") from None
        self._all.add(process)
        return process

    async def _end(self, process: asyncio.subprocess.Process, grace: float = 0.0) -> None:
        """End a process; with some grace, it may do so by itself."""
        self._all.discard(process)
        assert process.stdin is not None
        process.stdin.close()
        if grace:
            with suppress(TimeoutError):
                async with asyncio.timeout(grace):
                    await process.wait()
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _patience(position: Position) -> float:
    """How long to wait for an answer: when the flag has fallen there is nothing to wait for."""
    if position.time_left is None:
        return PATIENCE
    return min(PATIENCE, clocks.at_most(position.clock, position.time_left) / 1000 + GRACE)


def _read(line: bytes) -> Answer:
    try:
        return msgspec.json.decode(line, type=Answer)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise NoChoice(f"the engine's answer is not as it should be, {fault}: {_shown(line)}") from None


def _shown(line: bytes) -> str:
    text = line.decode(errors="replace").strip()
    return text if len(text) <= 80 else f"{text[:79]}…"
