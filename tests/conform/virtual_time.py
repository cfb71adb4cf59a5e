"""An event loop whose clock jumps to the next timer whenever nothing is left to do.

Timing rules of many seconds are tested in milliseconds, exactly, and however busy the machine is. Everything has to run
in this one loop, and over Unix sockets: what is written to one can be read from its other end at once, so the loop
never mistakes a message on its way for the end of all work.
"""

from __future__ import annotations

import asyncio
import selectors
import socket
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")


class _Selector(selectors.DefaultSelector):
    """Never waits: it reports what is ready, or lets the time pass."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready: list[tuple[selectors.SelectorKey, int]] = super().select(0)
        if not ready and timeout is None:
            return list(super().select(None))
        if not ready and timeout is not None:
            self.now += timeout
        return ready


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time, which begins at 0."""

    def __init__(self) -> None:
        self._virtual = _Selector()
        super().__init__(self._virtual)

    def time(self) -> float:
        return self._virtual.now


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in virtual time, and return its result."""
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(main)


class UnixSockets:
    """Opens listening Unix sockets in a folder that is removed in the end."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="parlour-")
        self._opened = 0

    def __enter__(self) -> UnixSockets:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def open(self) -> socket.socket:
        self._opened += 1
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(Path(self._folder.name) / str(self._opened)))
        listener.listen(100)
        return listener
