"""The time of Redis, so that all nodes have the same."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from time import monotonic_ns
from typing import Any

import hiredis

from parlour.server.store.line import settle
from parlour.server.store.pipe import Pipe

log = logging.getLogger(__name__)

SAMPLES = 8
REFRESH = 20.0  # seconds; two quartz clocks drift apart by about a millisecond in that time
STEP = 2_000_000_000  # nanoseconds; a larger difference is no drift: somebody has set the server's clock


class RedisTime:
    """Milliseconds since 1970 by the clock of Redis.

    The difference to this machine's monotonic clock is measured as a time client does it: several questions, and the
    answer with the shortest way there and back counts. `now` does not go backwards when a later measurement corrects
    an earlier one; it stands still for the difference. Only if the server's clock was set back by seconds it follows.
    """

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self._offset = 0  # nanoseconds from monotonic to Redis
        self._last = 0  # what was said last
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Measure once, and then again and again."""
        await self.measure()
        self._task = asyncio.create_task(self._refresh(), name="time of Redis")

    async def close(self) -> None:
        """Stop to measure; `now` still works."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))
            self._task = None

    def now(self) -> int:
        """The time, in milliseconds."""
        time = (monotonic_ns() + self._offset) // 1_000_000
        if time < self._last:
            return self._last
        self._last = time
        return time

    async def measure(self) -> None:
        """Ask Redis for the time; raises ConnectionError when it is not there."""
        measured = [await self._sample() for _ in range(SAMPLES)]
        way, offset = min(measured)
        change = offset - self._offset
        if abs(change) <= way // 2 + 1_000_000:  # what we have is as good; Redis is exact to a microsecond
            return
        if abs(change) > STEP:
            if self._offset:
                log.warning("The clock of Redis was set by %.1f seconds", change / 1e9)
            self._last = 0
        self._offset = offset

    async def _sample(self) -> tuple[int, int]:
        """How long the way there and back took, and the difference of the clocks if both ways took the same."""
        answer: asyncio.Future[tuple[int, Any]] = asyncio.get_running_loop().create_future()

        def answered(reply: Any) -> None:
            # Read here and not after the await: the loop may have other things to do first.
            settle(answer, reply if isinstance(reply, Exception) else (monotonic_ns(), reply))

        asked = monotonic_ns()
        self._pipe.send(b"TIME", done=answered)
        answered_at, (seconds, microseconds) = await answer
        way = answered_at - asked
        return way, (int(seconds) * 1_000_000 + int(microseconds)) * 1000 - asked - way // 2

    async def _refresh(self) -> None:
        while True:
            await asyncio.sleep(REFRESH)
            with suppress(ConnectionError, hiredis.ReplyError):
                await self._pipe.ready()
                await self.measure()
