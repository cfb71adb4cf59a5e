"""Work that takes a few milliseconds, done one piece at a time, so that it never holds up what is quick."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable


class Chores:
    """Does one piece in each turn of the event loop, in the order in which they came."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()

    def add(self, work: Callable[[], None]) -> None:
        self._waiting.append(work)
        if len(self._waiting) == 1:
            asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        try:
            self._waiting[0]()
        finally:
            self._waiting.popleft()
            if self._waiting:
                asyncio.get_running_loop().call_soon(self._next)
