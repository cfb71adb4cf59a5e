"""Reading and printing lines."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TextIO


class Console:
    """Reads lines in a separate thread, so that waiting for input does not block the connection."""

    def __init__(self, source: TextIO, sink: TextIO) -> None:
        self._source = source
        self._sink = sink
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self.ended = False  # the input is exhausted

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(loop, self._lines.put_nowait), daemon=True).start()

    def _read(self, loop: asyncio.AbstractEventLoop, put: Callable[[str | None], None]) -> None:
        try:
            for line in self._source:
                loop.call_soon_threadsafe(put, line)
            loop.call_soon_threadsafe(put, None)
        except (RuntimeError, ValueError, OSError):
            return  # the loop or the file was closed

    async def read(self) -> str | None:
        """Return the next line, or None at the end of the input."""
        if self.ended:
            return None
        line = await self._lines.get()
        self.ended = line is None
        return line

    def print(self, *lines: str) -> None:
        for line in lines:
            self._sink.write(f"{line}\n")
        self._sink.flush()
