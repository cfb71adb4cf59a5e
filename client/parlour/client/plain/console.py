"""Lines in and lines out."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TextIO


class Console:
    """Reads in a thread of its own, so that the connection lives while somebody thinks."""

    def __init__(self, source: TextIO, sink: TextIO) -> None:
        self._source = source
        self._sink = sink
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self.ended = False  # whether there is nothing more to read

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(loop, self._lines.put_nowait), daemon=True).start()

    def _read(self, loop: asyncio.AbstractEventLoop, put: Callable[[str | None], None]) -> None:
        try:
            for line in self._source:
                loop.call_soon_threadsafe(put, line)
            loop.call_soon_threadsafe(put, None)
        except (RuntimeError, ValueError, OSError):
            return  # the loop or the file was closed: nobody waits any more

    async def read(self) -> str | None:
        """The next line, or None when there are no more."""
        if self.ended:
            return None
        line = await self._lines.get()
        self.ended = line is None
        return line

    def print(self, *lines: str) -> None:
        for line in lines:
            self._sink.write(f"{line}\n")
        self._sink.flush()
