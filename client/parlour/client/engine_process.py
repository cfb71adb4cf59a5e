"""Engines: other programs, in any language, that answer one line of JSON with one line, over pipes.

A request is self-contained, so an engine that crashes is simply restarted and asked again. docs/writing-a-bot.md
describes the lines.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self

EXIT_TIMEOUT = 2.0  # seconds for an engine to exit once its input is closed
MAX_LINE = 1 << 20


class EngineFailed(Exception):
    """An engine cannot be started, exited, or did not reply in time. The message says which."""


class EngineProcesses:
    """Up to `processes` running copies of one engine. An async context manager: leaving it ends them."""

    def __init__(self, command: Sequence[str], processes: int = 1, *, stderr: int | None = None) -> None:
        """`stderr`: where the engine's own messages go, as for `subprocess`; None: to those of this program."""
        self._command = list(command)
        self._stderr = stderr
        self._slots = asyncio.Semaphore(processes)
        self._idle: list[asyncio.subprocess.Process] = []
        self._processes: set[asyncio.subprocess.Process] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in list(self._processes):
            await self._end(process, EXIT_TIMEOUT)

    async def ask(self, line: bytes, timeout: float) -> bytes:
        """Send a line to a free engine, and return its reply. Raise EngineFailed if there is none."""
        async with self._slots:
            return await self._exchange(line, timeout)

    async def _exchange(self, line: bytes, timeout: float) -> bytes:
        process = self._idle.pop() if self._idle else await self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            async with asyncio.timeout(timeout):
                process.stdin.write(line)
                await process.stdin.drain()
                reply = await process.stdout.readline()
            if not reply.endswith(b"\n"):
                raise EOFError
        except BaseException as error:
            # The process cannot be reused: its next line would be the reply to this request. One that exits by itself
            # is not killed, because that would hide its exit code.
            await self._end(process, EXIT_TIMEOUT if isinstance(error, ConnectionError | EOFError) else 0.0)
            if isinstance(error, TimeoutError):
                raise EngineFailed(f"the engine did not reply within {timeout:.0f} seconds; restarting it") from None
            if isinstance(error, OSError | EOFError):
                raise EngineFailed(f"the engine exited with code {process.returncode}; restarting it") from None
            if isinstance(error, ValueError):
                raise EngineFailed(f"the engine's reply is longer than {MAX_LINE >> 20} MiB") from None
            raise
        self._idle.append(process)
        return reply

    async def _start(self) -> asyncio.subprocess.Process:
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=self._stderr,
                limit=MAX_LINE,
                start_new_session=True,  # Ctrl-C is for this program; the engine exits when its input is closed
            )
        except OSError as error:
            raise EngineFailed(f"cannot start the engine: {error}") from None
        self._processes.add(process)
        return process

    async def _end(self, process: asyncio.subprocess.Process, grace: float = 0.0) -> None:
        """End a process. Give it `grace` seconds to exit by itself before it is killed."""
        self._processes.discard(process)
        assert process.stdin is not None
        process.stdin.close()
        if grace:
            with suppress(TimeoutError):
                async with asyncio.timeout(grace):
                    await process.wait()
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
