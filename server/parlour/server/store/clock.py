"""Parlour's time: shared by all nodes, and immune to jumps of any clock."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.pipeline import Pipeline, script
from parlour.server.store.resp import Arg, OnReply, RespConnection, resolve

logger = logging.getLogger(__name__)

CLOCK = script("clock")

SAMPLES = 8
MEASURE_EVERY = 20.0  # seconds; two quartz clocks drift apart by about a millisecond in that time
TOLERANCE = 1_000  # milliseconds; a larger difference is not drift: a clock was set, or another server has taken over
# A clock that is set forward by more was wrong before, as on a machine without a battery before it reaches a time
# server. Parlour's time follows it, and the time in between counts as an outage.
LONGEST_JUMP = 3_600_000  # milliseconds
ATTEMPTS = 3  # attempts to correct a jump, since other nodes may do so too

# Unlike the monotonic clock, this one advances while the machine is suspended. Only Linux has it.
_local = partial(time.clock_gettime_ns, getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))  # in nanoseconds

Run = Callable[[tuple[Arg, ...], OnReply], None]  # runs the script


class Sample(NamedTuple):
    """One reply of the store. The shortest round trip is the most exact."""

    round_trip: int  # nanoseconds
    offset: int  # nanoseconds from the local clock to Parlour's time, if both ways took equally long
    correction: int  # milliseconds
    last_beat: int  # milliseconds, in Parlour's time


def missing_time(expected: int | None, measured: int, last_beat: int, tolerance: int = TOLERANCE) -> int:
    """Return the milliseconds to add to the measured time so that Parlour's time does not jump; 0 if it is continuous.

    A node that has measured before knows which time to expect. It is wrong only if another node has sent a beat at a
    later time: then this machine was asleep. Such a node, and one that has just started, knows only that the time must
    not be earlier than the last beat.
    """
    if expected is None or last_beat > expected + tolerance:
        return max(0, last_beat - measured)
    ahead = measured - expected
    return 0 if abs(ahead) <= tolerance or ahead > LONGEST_JUMP else -ahead


class StoreClock:
    """Parlour's time: milliseconds since 1970 by the clock of Redis, except that it never jumps.

    The offset from this machine's clock is measured as NTP does it: of several samples the one with the shortest round
    trip counts. It is measured on every new connection before that is used, and then periodically. If the clock of
    Redis was set, or a server with another time has taken over, a correction in the store makes up for it on all
    nodes. `now` never goes backwards: if a measurement corrects it to an earlier time, it stands still for the
    difference, which is at most a second.
    """

    def __init__(self, pipeline: Pipeline, *, measure_every: float = MEASURE_EVERY) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        self._measure_every = measure_every
        self._offset: int | None = None  # nanoseconds from the local clock to Parlour's time
        self._last = 0  # the last returned time
        self._task: asyncio.Task[None] | None = None
        pipeline.load(CLOCK)
        pipeline.before_use(self._keys.clock_correction, self._measure_new)

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
        """Return the time in milliseconds. Call this only after the first measurement."""
        assert self._offset is not None
        now = (_local() + self._offset) // 1_000_000
        if now < self._last:
            return self._last
        self._last = now
        return now

    async def measure(self) -> None:
        """Measure the offset. Raise StoreUnavailable."""
        await self._measure(partial(self._pipeline.run, CLOCK))

    async def _measure_new(self, connection: RespConnection) -> None:
        """Measure on a connection that nothing else uses yet."""
        await self._measure(lambda args, on_reply: connection.send((b"EVALSHA", CLOCK.sha, *args), on_reply))

    async def _measure(self, run: Run) -> None:
        for _ in range(ATTEMPTS):
            sample = min([await self._sample(run) for _ in range(SAMPLES)])
            now = _local()
            expected = None if self._offset is None else (now + self._offset) // 1_000_000
            tolerance = TOLERANCE + sample.round_trip // 2_000_000
            missing = missing_time(expected, (now + sample.offset) // 1_000_000, sample.last_beat, tolerance)
            if not missing:
                break
            logger.warning("the clock of Redis has jumped; Parlour's time continues (%+d ms)", missing)
            await self._sample(run, sample.correction, sample.correction + missing)
        if self._offset is None or abs(sample.offset - self._offset) > sample.round_trip // 2 + 1_000_000:
            self._offset = sample.offset  # beyond the error of measurement

    async def _sample(self, run: Run, *correct: int) -> Sample:
        """Ask the store for the time, after correcting it: `correct` is the known and the new correction."""
        received: asyncio.Future[tuple[int, Any]] = asyncio.get_running_loop().create_future()

        def on_reply(reply: Any) -> None:
            # The time is read here and not after the await, because the loop may be busy in between.
            resolve(received, reply if isinstance(reply, Exception) else (_local(), reply))

        sent_at = _local()
        run((2, self._keys.clock_correction, self._keys.last_beat, *correct), on_reply)
        received_at, reply = await received
        seconds, microseconds, correction, last_beat = map(int, reply)
        round_trip = received_at - sent_at
        store_time = seconds * 1_000_000_000 + microseconds * 1_000 + correction * 1_000_000
        return Sample(round_trip, store_time - sent_at - round_trip // 2, correction, last_beat)

    async def _measure_periodically(self) -> None:
        while True:
            await asyncio.sleep(self._measure_every)
            with suppress(StoreUnavailable):
                await self._pipeline.ready(self._keys.clock_correction)
                await self.measure()
