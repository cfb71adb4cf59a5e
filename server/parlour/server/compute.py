"""A thread for work that would keep the event loop busy for more than two milliseconds, such as replaying a record."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")


class ComputeThread:
    """Runs pure functions one at a time, for each owner in turn: no owner waits for the long queue of another.

    A caller that is cancelled while it waits leaves nothing to be done. While the thread computes, the event loop gets
    the interpreter back within its switch interval, which `loop.run` shortens.
    """

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, "compute")
        self._waiting: OrderedDict[str, deque[tuple[asyncio.Future[Any], Callable[[], Any]]]] = OrderedDict()
        self._is_busy = False
        self._is_closed = False

    async def run(self, owner: str, work: Callable[[], T]) -> T:
        """Return what the function returns, or raise what it raises. `owner` is the address or room it is for."""
        result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append((result, work))
        self._start_next()
        try:
            return await result
        finally:
            del result  # its error refers to this frame: a reference cycle

    def close(self) -> None:
        """Drop all waiting and later calls. The running one ends with the process."""
        self._is_closed = True
        self._waiting.clear()
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _start_next(self) -> None:
        while self._waiting and not self._is_busy and not self._is_closed:
            owner, queue = self._waiting.popitem(last=False)
            result, work = queue.popleft()
            if queue:
                self._waiting[owner] = queue  # back to the end of the line: the other owners come first
            if not result.done():
                self._is_busy = True
                computed = asyncio.get_running_loop().run_in_executor(self._executor, work)
                computed.add_done_callback(partial(self._finished, result))

    def _finished(self, result: asyncio.Future[Any], computed: asyncio.Future[Any]) -> None:
        self._is_busy = False
        fault = computed.exception()
        if not result.done():
            if fault is None:
                result.set_result(computed.result())
            else:
                result.set_exception(fault)
        self._start_next()
