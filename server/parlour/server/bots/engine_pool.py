"""Engine processes. The event loop talks to them through pipes, so a search never blocks it."""

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

logger = logging.getLogger(__name__)

NICE = 5  # a search can wait, players cannot
# Twice as long as any level searches, plus time to start: a process that takes longer is stuck.
ANSWER_WITHIN = 20.0  # seconds
LONGEST_LINE = 1 << 20

encode = msgspec.json.Encoder().encode


class EngineFailed(Exception):
    """An engine process died or did not answer in time."""


class Error(msgspec.Struct, frozen=True):
    """Why a request was refused."""

    code: str
    message: str


class Reply(msgspec.Struct, frozen=True):
    """The part of a line that shows whether it is an answer."""

    error: Error | None = None


class EnginePool:
    """A pool of `count` `parlour think` processes, started when first needed. A process that dies is replaced."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._free: list[asyncio.subprocess.Process] = []
        self._all: set[asyncio.subprocess.Process] = set()
        self._slots = asyncio.Semaphore(count)

    async def ask(self, request: Request) -> Answer:
        """Return the answer of the next free process. Raise Refusal if the request makes no sense.

        If the process dies, another one is asked; raise EngineFailed if that dies too.
        """
        async with self._slots:
            try:
                return await self._ask(request)
            except EngineFailed as failure:
                logger.warning("an engine process is replaced: %s", failure)
                return await self._ask(request)

    async def _ask(self, request: Request) -> Answer:
        process = self._free.pop() if self._free else await self._start()
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                line = await _exchange(process, encode(request) + b"\n")
        except BaseException as fault:
            await self._kill(process)  # its next line would be the answer to this request
            if isinstance(fault, TimeoutError | OSError | ValueError):
                raise EngineFailed(str(fault) or type(fault).__name__) from fault
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
            start_new_session=True,  # its own session, so Ctrl-C does not reach it; it exits when its input is closed
        )
        self._all.add(process)
        return process

    async def _kill(self, process: asyncio.subprocess.Process) -> None:
        self._all.discard(process)
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()

    async def close(self) -> None:
        """Kill all processes."""
        for process in list(self._all):
            await self._kill(process)
        self._free.clear()


async def _exchange(process: asyncio.subprocess.Process, line: bytes) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line)
    await process.stdin.drain()
    answer = await process.stdout.readline()
    if not answer.endswith(b"\n"):
        raise BrokenPipeError("the process exited")
    return answer
