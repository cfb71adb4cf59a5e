"""The store's time, which all nodes share."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from time import monotonic_ns
from typing import Any

from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.resp import resolve

logger = logging.getLogger(__name__)

SAMPLES = 8
MEASURE_EVERY = 20.0  # seconds; two quartz clocks drift apart by about a millisecond in that time
STEP = 2_000_000_000  # nanoseconds; a larger difference is not drift: the server's clock was set


class StoreClock:
    """Milliseconds since 1970 by the clock of Redis.

    The offset from this machine's monotonic clock is measured as NTP does it: of several samples the one with the
    shortest round trip counts. `now` never goes backwards: if a measurement corrects it to an earlier time, it stands
    still for the difference. Only if the server's clock was set back by seconds does it follow.
    """

    def __init__(self, pipeline: Pipeline, *, measure_every: float = MEASURE_EVERY) -> None:
        self._pipeline = pipeline
        self._measure_every = measure_every
        self._offset = 0  # nanoseconds from the monotonic clock to Redis
        self._last = 0  # the last returned time
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Measure once, and then periodically. Raise StoreUnavailable."""
        await self.measure()
        self._task = asyncio.create_task(self._measure_periodically(), name="store clock")

    async def close(self) -> None:
        """Stop measuring; `now` still works."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))
            self._task = None

    def now(self) -> int:
        """Return the time in milliseconds."""
        time = (monotonic_ns() + self._offset) // 1_000_000
        if time < self._last:
            return self._last
        self._last = time
        return time

    async def measure(self) -> None:
        """Measure the offset. Raise StoreUnavailable."""
        samples = [await self._sample() for _ in range(SAMPLES)]
        round_trip, offset = min(samples)
        change = offset - self._offset
        if abs(change) <= round_trip // 2 + 1_000_000:  # within the error of measurement
            return
        if abs(change) > STEP:
            if self._offset:
                logger.warning("the clock of Redis was set by %.1f seconds", change / 1e9)
            self._last = 0
        self._offset = offset

    async def _sample(self) -> tuple[int, int]:
        """Return the round-trip time, and the offset if both ways took equally long, in nanoseconds."""
        received: asyncio.Future[tuple[int, Any]] = asyncio.get_running_loop().create_future()

        def on_reply(reply: Any) -> None:
            # The time is read here and not after the await, because the loop may be busy in between.
            resolve(received, reply if isinstance(reply, Exception) else (monotonic_ns(), reply))

        sent_at = monotonic_ns()
        self._pipeline.send(b"TIME", on_reply=on_reply)
        received_at, (seconds, microseconds) = await received
        round_trip = received_at - sent_at
        return round_trip, (int(seconds) * 1_000_000 + int(microseconds)) * 1000 - sent_at - round_trip // 2

    async def _measure_periodically(self) -> None:
        while True:
            await asyncio.sleep(self._measure_every)
            with suppress(StoreUnavailable):
                await self._pipeline.ready()
                await self.measure()
