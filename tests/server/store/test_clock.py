"""The store's clock, against real and simulated servers."""

from __future__ import annotations

import asyncio
import time

import pytest

from parlour.server.store.clock import SAMPLES, StoreClock
from parlour.server.store.errors import NotSent, StoreUnavailable
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.resp import Arg, OnReply
from tests.waiting import WITHIN, until


class RemotePipeline:
    """A pipeline to a Redis whose clock is ahead of this machine's, with replies that may be delayed or lost."""

    def __init__(self, ahead: float, delays: tuple[float, ...] = (0.0,)) -> None:
        self.ahead = ahead
        self.is_up = True
        self.sent = 0
        self._delays = delays

    async def ready(self) -> None:
        pass

    def send(self, *args: Arg, on_reply: OnReply) -> None:
        assert args == (b"TIME",)
        seconds, rest = divmod(time.time() + self.ahead, 1)
        delay = self._delays[self.sent % len(self._delays)]
        self.sent += 1
        reply = [b"%d" % seconds, b"%d" % (rest * 1e6)] if self.is_up else NotSent("there is no connection")
        asyncio.get_running_loop().call_later(delay, on_reply, reply)


def clock_of(remote: RemotePipeline, measure_every: float = 20.0) -> StoreClock:
    return StoreClock(remote, measure_every=measure_every)  # type: ignore[arg-type]


def error_of(clock: StoreClock, ahead: float = 0.0) -> float:
    """Return the error in milliseconds of a clock that should be `ahead` seconds ahead, however long this takes."""
    before = time.time()
    shown = clock.now() / 1000 - ahead
    return 1000 * max(before - shown, shown - time.time(), 0.0)


async def test_the_time_is_that_of_redis(pipeline: Pipeline) -> None:
    """With Redis on the same machine, the time is the machine's, within a few milliseconds."""
    clock = StoreClock(pipeline)
    await clock.open()
    assert error_of(clock) < 20
    await clock.close()


@pytest.mark.parametrize("ahead", [-3600.0, 0.0, 86400.0])
async def test_the_offset_is_measured(ahead: float) -> None:
    """However wrong the machine's own clock is, the time is that of Redis."""
    clock = clock_of(RemotePipeline(ahead))
    await clock.measure()
    assert error_of(clock, ahead) < 20


async def test_slow_replies_do_not_count() -> None:
    """Of several samples the fastest counts, so a delayed reply does no harm."""
    clock = clock_of(RemotePipeline(50, (0.06, 0.08, 0.0, 0.06)))
    await clock.measure()
    assert error_of(clock, 50) < 10


async def test_time_does_not_go_backwards() -> None:
    """After a correction to an earlier time, the clock stands still until the true time has caught up."""
    remote = RemotePipeline(10.5)
    clock = clock_of(remote)
    await clock.measure()
    before = clock.now()
    remote.ahead = 10.4
    await clock.measure()
    shown: list[int] = []

    def goes_on() -> bool:
        shown.append(clock.now())
        return shown[-1] > before

    await until(goes_on)
    assert shown == sorted(shown)
    assert shown[0] >= before
    assert error_of(clock, 10.4) < 20


async def test_a_clock_that_was_set_back_is_followed() -> None:
    """When the clock of Redis is set back by minutes, the time follows instead of standing still."""
    remote = RemotePipeline(600)
    clock = clock_of(remote)
    await clock.measure()
    assert error_of(clock, 600) < 20
    remote.ahead = 0
    await clock.measure()
    assert error_of(clock) < 20


async def test_the_offset_is_measured_periodically() -> None:
    """An open clock follows the clock of Redis without being asked, also after measurements that failed."""
    remote = RemotePipeline(0)
    clock = clock_of(remote, measure_every=0.01)
    await clock.open()
    remote.is_up = False
    failing_since = remote.sent
    await until(lambda: remote.sent > failing_since + 2)
    assert error_of(clock) < 20
    remote.ahead, remote.is_up = 1000, True
    await until(lambda: error_of(clock, 1000) <= 20)
    await clock.close()


async def test_without_redis(pipeline: Pipeline) -> None:
    """Without a connection the clock goes on, and measuring raises StoreUnavailable."""
    clock = StoreClock(pipeline, measure_every=0.01)
    await clock.open()
    await pipeline.close()
    assert error_of(clock) < 20
    with pytest.raises(StoreUnavailable):
        await asyncio.wait_for(clock.measure(), WITHIN)
    await clock.close()


async def test_reading_the_time_sends_nothing() -> None:
    """`now` needs no command, however often it is called."""
    remote = RemotePipeline(0)
    clock = clock_of(remote)
    await clock.measure()
    for _ in range(20_000):
        clock.now()
    assert remote.sent == SAMPLES
