"""Reading and printing lines."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import Protocol, TextIO

WIDTH = 76  # columns of prose where the width is unknown, and where there is more room
Complete = Callable[[str], Sequence[str]]  # the text before the cursor -> what the last word may become


class Console(Protocol):
    """Where commands come from and where lines go."""

    is_broken: bool  # the reader of the output has exited; nothing is printed any more

    @property
    def width(self) -> int:
        """The number of columns for prose."""
        ...

    def start(self, complete: Complete) -> None:
        """Start reading, inside a running event loop."""
        ...

    def close(self) -> None:
        """Stop reading."""
        ...

    async def read(self) -> str | None:
        """Return the next line, or None at the end of the input."""
        ...

    async def read_secret(self, prompt: str) -> str:
        """Return a line that is not shown, such as a password."""
        ...

    def print(self, *lines: str) -> None: ...


class PipeConsole:
    """Reads lines in a separate thread, so that waiting for input does not block the connection."""

    def __init__(self, source: TextIO, sink: TextIO) -> None:
        self._source = source
        self._sink = sink
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self.ended = False  # the input is exhausted
        self.is_broken = False
        self.width = WIDTH

    def start(self, complete: Complete) -> None:
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(loop, self._lines.put_nowait), daemon=True).start()

    def close(self) -> None:
        """Leave the thread alone: it ends with the input or with the process."""

    def _read(self, loop: asyncio.AbstractEventLoop, put: Callable[[str | None], None]) -> None:
        try:
            for line in self._source:
                loop.call_soon_threadsafe(put, line)
            loop.call_soon_threadsafe(put, None)
        except (RuntimeError, ValueError, OSError):
            return  # the loop or the file was closed

    async def read(self) -> str | None:
        if self.ended:
            return None
        line = await self._lines.get()
        self.ended = line is None
        return line

    async def read_secret(self, prompt: str) -> str:
        return (await self.read() or "").rstrip("\r\n")

    def print(self, *lines: str) -> None:
        if self.is_broken:
            return
        try:
            for line in lines:
                self._sink.write(f"{line}\n")
            self._sink.flush()
        except BrokenPipeError:
            self.is_broken = True
            self._lines.put_nowait(None)  # ends a client that waits for input
