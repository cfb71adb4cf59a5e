"""The time of Redis."""

from __future__ import annotations

import asyncio
import time

import pytest

from parlour.server.store import clock
from parlour.server.store.clock import RedisTime
from parlour.server.store.line import Arg, Done
from parlour.server.store.pipe import Pipe
from tests.waiting import WITHIN, until


class Elsewhere:
    """A pipe to a Redis whose clock differs from ours, over a network that is sometimes slow on the way back."""

    def __init__(self, ahead: float, ways_back: tuple[float, ...] = (0.0,)) -> None:
        self.ahead = ahead
        self._ways_back = ways_back
        self._asked = 0

    async def ready(self) -> None:
        pass

    def send(self, *args: Arg, done: Done) -> None:
        assert args == (b"TIME",)
        seconds, rest = divmod(time.time() + self.ahead, 1)
        way_back = self._ways_back[self._asked % len(self._ways_back)]
        self._asked += 1
        reply = [b"%d" % seconds, b"%d" % (rest * 1e6)]
        asyncio.get_running_loop().call_later(way_back, done, reply)


def at(elsewhere: Elsewhere) -> RedisTime:
    return RedisTime(elsewhere)  # type: ignore[arg-type]


def wrong_by(redis_time: RedisTime, ahead: float = 0.0) -> float:
    """By how many milliseconds its time differs from ours and so many seconds, however long it takes to look."""
    before = time.time()
    said = redis_time.now() / 1000 - ahead
    return 1000 * max(before - said, said - time.time(), 0.0)


async def test_the_time_is_that_of_redis(pipe: Pipe) -> None:
    """On one machine the time of Redis is that of the machine, to a few milliseconds."""
    redis_time = RedisTime(pipe)
    await redis_time.open()
    assert wrong_by(redis_time) < 20
    await redis_time.close()


@pytest.mark.parametrize("ahead", [-3600.0, 0.0, 86400.0])
async def test_the_offset_is_measured(ahead: float) -> None:
    """However wrong our own clock is, the time is that of Redis."""
    redis_time = at(Elsewhere(ahead))
    await redis_time.measure()
    assert wrong_by(redis_time, ahead) < 20


async def test_slow_answers_do_not_count() -> None:
    """Of several answers the fastest counts, so one that was late on the way does no harm."""
    redis_time = at(Elsewhere(50, (0.06, 0.08, 0.0, 0.06)))
    await redis_time.measure()
    assert wrong_by(redis_time, 50) < 10


async def test_time_does_not_go_backwards() -> None:
    """A correction to the past makes time stand still until it has caught up."""
    elsewhere = Elsewhere(10.5)
    redis_time = at(elsewhere)
    await redis_time.measure()
    before = redis_time.now()
    elsewhere.ahead = 10.4
    await redis_time.measure()
    said: list[int] = []
    async with asyncio.timeout(WITHIN):
        while not said or said[-1] <= before:
            said.append(redis_time.now())
            await asyncio.sleep(0.01)
    assert said == sorted(said)
    assert said[0] >= before
    assert wrong_by(redis_time, 10.4) < 20


async def test_a_clock_that_was_set_is_followed() -> None:
    """When the clock of Redis is set back by minutes there is no use in standing still that long."""
    elsewhere = Elsewhere(600)
    redis_time = at(elsewhere)
    await redis_time.measure()
    assert wrong_by(redis_time, 600) < 20
    elsewhere.ahead = 0
    await redis_time.measure()
    assert wrong_by(redis_time) < 20


async def test_measured_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The offset is refreshed by itself."""
    monkeypatch.setattr(clock, "REFRESH", 0.01)
    elsewhere = Elsewhere(0)
    redis_time = at(elsewhere)
    await redis_time.open()
    elsewhere.ahead = 1000
    await until(lambda: wrong_by(redis_time, 1000) <= 20)
    await redis_time.close()


async def test_redis_away(pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a connection the time goes on, and the first measurement says that there is none."""
    monkeypatch.setattr(clock, "REFRESH", 0.01)
    redis_time = RedisTime(pipe)
    await redis_time.open()
    await pipe.close()
    await asyncio.sleep(0.05)
    assert wrong_by(redis_time) < 20
    with pytest.raises(ConnectionError):
        await redis_time.measure()
    await redis_time.close()


async def test_asking_for_the_time_is_cheap(pipe: Pipe) -> None:
    """`now` takes no more than a few microseconds."""
    redis_time = RedisTime(pipe)
    await redis_time.measure()
    began = time.process_time()
    for _ in range(20_000):
        redis_time.now()
    assert time.process_time() - began < 0.2
