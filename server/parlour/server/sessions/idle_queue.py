"""A queue of work that takes a few milliseconds, run one piece per loop iteration so that quick work is not held up."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable


class IdleQueue:
    """Runs callbacks in order, one per loop iteration."""

    def __init__(self) -> None:
        self._callbacks: deque[Callable[[], None]] = deque()

    def add(self, callback: Callable[[], None]) -> None:
        """Run a callback after those added before."""
        self._callbacks.append(callback)
        if len(self._callbacks) == 1:
            asyncio.get_running_loop().call_soon(self._run_next)

    def _run_next(self) -> None:
        try:
            self._callbacks[0]()
        finally:
            self._callbacks.popleft()
            if self._callbacks:
                asyncio.get_running_loop().call_soon(self._run_next)
