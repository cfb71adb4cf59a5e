"""Processes that think. The event loop talks to them through pipes and is never kept waiting."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from contextlib import suppress

import msgspec

from parlour import games
from parlour.bots.engine import Answer, Request
from parlour.protocol.errors import ErrorCode, Refusal

log = logging.getLogger(__name__)

NICE = 5  # thinking can wait, players cannot
# Twice as long as any level thinks, and time to start: a process that takes longer is stuck.
ANSWER_WITHIN = 20.0  # seconds
LONGEST_LINE = 1 << 20

encode = msgspec.json.Encoder().encode


class Broken(Exception):
    """A process died, or does not answer."""


class Error(msgspec.Struct, frozen=True):
    """What was wrong with a request."""

    code: str
    message: str


class Reply(msgspec.Struct, frozen=True):
    """A line that is no answer."""

    error: Error | None = None


class Engines:
    """So many processes of `parlour think`, started when they are needed first. One that dies is replaced."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._free: list[asyncio.subprocess.Process] = []
        self._all: set[asyncio.subprocess.Process] = set()
        self._room = asyncio.Semaphore(count)

    async def think(self, request: Request) -> Answer:
        """What a process thinks, when one is free; refuses what cannot be thought about.

        A process that dies over it is replaced once; the second time `Broken` is raised.
        """
        async with self._room:
            try:
                return await self._think(request)
            except Broken as broken:
                log.warning("a thinking process is replaced: %s", broken)
                return await self._think(request)

    async def _think(self, request: Request) -> Answer:
        process = self._free.pop() if self._free else await self._start()
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                line = await _exchange(process, encode(request) + b"\n")
        except BaseException as fault:
            await self._end(process)  # its next line would be the answer to this request
            if isinstance(fault, TimeoutError | OSError | ValueError):
                raise Broken(str(fault) or type(fault).__name__) from fault
            raise
        self._free.append(process)
        error = msgspec.json.decode(line, type=Reply).error
        if error is not None:
            raise Refusal(ErrorCode.named(error.code), error.message)
        return msgspec.json.decode(line, type=Answer)

    async def _start(self) -> asyncio.subprocess.Process:
        environment = {**os.environ, "PARLOUR_GAMES": os.pathsep.join(games.folders())}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "parlour.cli", "think", "--nice", str(NICE)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE,
            env=environment,
            start_new_session=True,  # Ctrl-C is for us; it ends when its input does
        )
        self._all.add(process)
        return process

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        self._all.discard(process)
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()

    async def close(self) -> None:
        for process in list(self._all):
            await self._end(process)
        self._free.clear()


async def _exchange(process: asyncio.subprocess.Process, line: bytes) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line)
    await process.stdin.drain()
    answer = await process.stdout.readline()
    if not answer.endswith(b"\n"):
        raise BrokenPipeError("it ended")
    return answer
