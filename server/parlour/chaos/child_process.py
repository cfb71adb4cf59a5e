"""A module that runs in a process of its own: it is told what to do line by line, and prints lines."""

from __future__ import annotations

import asyncio
import sys
from asyncio import StreamReader
from asyncio.subprocess import PIPE, Process
from contextlib import suppress

LONGEST_LINE = 2**28  # bytes: what the spectators have seen is one line, with the moves of all games


class ChildProcess:
    """The process, seen from its parent."""

    def __init__(self, module: str, *arguments: str) -> None:
        self._arguments = ["-m", module, *arguments]
        self._process: Process | None = None

    async def start(self) -> StreamReader:
        """Start the process and return its output."""
        # In a session of its own, because Ctrl-C in a terminal reaches all processes of the session.
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, *self._arguments, stdin=PIPE, stdout=PIPE, limit=LONGEST_LINE, start_new_session=True
        )
        assert self._process.stdout is not None
        return self._process.stdout

    def send(self, line: bytes) -> None:
        """Send a line, which must have no line break."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(line + b"\n")

    async def kill(self) -> None:
        """Kill the process, unless it has ended by itself."""
        assert self._process is not None
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()


async def standard_input() -> StreamReader:
    """Return the lines that the parent sends, in the process itself."""
    reader = StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return reader
