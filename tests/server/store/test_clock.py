"""The store's clock, against real and simulated servers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator

import pytest
from redis.asyncio import Redis

from parlour.server.store.clock import CLOCK, LONGEST_JUMP, SAMPLES, TOLERANCE, StoreClock, missing_time
from parlour.server.store.errors import NotSent, StoreUnavailable
from parlour.server.store.health import StoreHealth
from parlour.server.store.heartbeat import Heartbeat
from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Check, Pipeline, Script
from parlour.server.store.resp import Arg, OnReply
from tests.redis_client import client
from tests.server.store.private_valkey import PrivateValkey
from tests.server.store.shifted_valkey import ShiftedValkey
from tests.server.store_proxy import store_proxy
from tests.waiting import WITHIN, until

keys = Keys()

JUMP = 30_000  # milliseconds
SMALL = TOLERANCE / 1000  # seconds; an error that no jump could hide in


class RemotePipeline:
    """A pipeline to a Redis whose clock is ahead of this machine's, with replies that may be delayed or lost."""

    def __init__(self, ahead: float, delays: tuple[float, ...] = (0.0,)) -> None:
        self.ahead = ahead
        self.is_up = True
        self.sent = 0
        self.keys = Keys()
        self._delays = delays

    def load(self, script: Script) -> None:
        pass

    def before_use(self, key: str, check: Check) -> None:
        pass

    async def ready(self, key: str) -> None:
        pass

    def run(self, script: Script, args: tuple[Arg, ...], on_reply: OnReply) -> None:
        assert script is CLOCK
        seconds, rest = divmod(time.time() + self.ahead, 1)
        delay = self._delays[self.sent % len(self._delays)]
        self.sent += 1
        time_now = [b"%d" % seconds, b"%d" % (rest * 1e6), b"0", b"0"]
        reply = time_now if self.is_up else NotSent("there is no connection")
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


async def test_the_offset_is_measured_periodically() -> None:
    """An open clock follows the clock of Redis without being asked, also after measurements that failed."""
    remote = RemotePipeline(0)
    clock = clock_of(remote, measure_every=0.01)
    await clock.open()
    remote.is_up = False
    failing_since = remote.sent
    await until(lambda: remote.sent > failing_since + 2)
    assert error_of(clock) < 20
    remote.ahead, remote.is_up = 0.5, True
    await until(lambda: error_of(clock, 0.5) <= 20)
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


# -- jumps


@pytest.mark.parametrize(
    ("expected", "measured", "last_beat", "missing"),
    [
        (50_000, 50_000, 49_700, 0),
        (50_000, 50_900, 49_700, 0),  # drift, or a slow reply
        (50_000, 20_000, 49_700, 30_000),
        (50_000, 80_000, 49_700, -30_000),
        (50_000, 52_000, 49_700, -2_000),
        (50_000, 80_000, 79_700, 0),  # other nodes beat at that time: this machine was asleep
        (50_000, 60_000, 79_700, 19_700),  # it was asleep, and the store has jumped
        (50_000, 50_001 + LONGEST_JUMP, 49_700, 0),  # the clock was wrong before
        (None, 80_000, 49_700, 0),
        (None, 20_000, 49_700, 29_700),
        (None, 20_000, 0, 0),
    ],
)
def test_what_a_jump_has_taken(expected: int | None, measured: int, last_beat: int, missing: int) -> None:
    """Parlour's time continues as the nodes expect it, and is never earlier than the last beat."""
    assert missing_time(expected, measured, last_beat) == missing


class Timekeeper:
    """The clock and the heartbeat of a node."""

    def __init__(self, url: str) -> None:
        self.pipeline = Pipeline(url)
        self.clock = StoreClock(self.pipeline)
        self.heartbeat = Heartbeat(self.pipeline, self.clock, StoreHealth(), "node")

    async def __aenter__(self) -> Timekeeper:
        await self.pipeline.open()
        await self.clock.open()
        await self.heartbeat.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.heartbeat.close()
        await self.clock.close()
        await self.pipeline.close()

    async def beats_again(self) -> None:
        """Wait until the store has taken a beat that was sent after this call."""
        for _ in range(2):  # the first one may have been in flight before
            await until(self._beats)

    async def _beats(self) -> bool:
        try:
            await self.heartbeat.beat()
        except StoreUnavailable:
            return False
        return True


@pytest.fixture
def shifted() -> Iterator[ShiftedValkey]:
    server = ShiftedValkey(0)
    server.start()
    yield server
    server.close()


async def set_clock(server: ShiftedValkey, milliseconds: int) -> None:
    """Set the clock of a server, which notices only after a moment."""
    operator = client(server.url)
    server.shift(milliseconds)

    async def is_set() -> bool:
        seconds, microseconds = await operator.time()
        return abs(seconds + microseconds / 1e6 - time.time() - milliseconds / 1000) < SMALL / 2

    await until(is_set)
    await operator.aclose()


@pytest.mark.parametrize("jump", [-JUMP, JUMP, -1500, 1500])
async def test_the_time_continues_when_the_clock_of_the_store_is_set(shifted: ShiftedValkey, jump: int) -> None:
    """Neither does it jump on any node, nor is it an outage; a node that starts later has the same time."""
    async with Timekeeper(shifted.url) as one, Timekeeper(shifted.url) as two:
        await set_clock(shifted, jump)
        await one.beats_again()
        await two.beats_again()
        async with Timekeeper(shifted.url) as late:
            for each in (one, two, late):
                assert error_of(each.clock) < 1000 * SMALL / 2
                assert each.heartbeat.outages == []
                assert each.clock.now() <= each.heartbeat.known_until  # so rooms do not wait


async def test_a_clock_that_was_wrong_by_hours_is_followed(shifted: ShiftedValkey) -> None:
    """As on a machine that has just reached a time server; the time in between is an outage."""
    async with Timekeeper(shifted.url) as one:
        hours = 2 * LONGEST_JUMP
        await set_clock(shifted, hours)
        await one.beats_again()
        assert error_of(one.clock, hours / 1000) < 1000 * SMALL / 2
        ((since, ended, _),) = one.heartbeat.outages
        assert ended - since > LONGEST_JUMP


async def test_the_time_continues_after_an_outage_of_all_nodes(shifted: ShiftedValkey) -> None:
    """Without a node that knows better, the time goes on from the last beat: what is in the logs is never later."""
    async with Timekeeper(shifted.url) as one:
        last = one.clock.now()
    await set_clock(shifted, -JUMP)
    async with Timekeeper(shifted.url) as one:
        assert last - SMALL * 1000 < one.clock.now() < last + JUMP


@pytest.mark.parametrize("jump", [-JUMP, JUMP])
async def test_the_time_continues_after_a_fail_over(
    start_valkey: Callable[..., PrivateValkey], unused_tcp_port: int, jump: int
) -> None:
    """A replica whose clock is wrong takes over: it is measured before anything uses its time."""
    old = start_valkey("--port", str(unused_tcp_port))
    new = ShiftedValkey(jump, "--replicaof", f"127.0.0.1 {unused_tcp_port}")
    new.start()
    try:
        async with store_proxy(old.url) as (proxy, url), Timekeeper(url) as one, Timekeeper(url) as two:
            promoted = client(new.url)
            await until(lambda: is_copied(promoted))
            proxy.lead_to(new.url)
            old.kill()
            await promoted.replicaof("NO", "ONE")
            for each in (one, two):
                await each.beats_again()
                assert error_of(each.clock) < 1000 * SMALL / 2
                assert each.heartbeat.outages == []
            await promoted.aclose()
    finally:
        new.close()


async def is_copied(replica: Redis) -> bool:
    """Whether a replica has received a beat."""
    return await replica.get(keys.last_beat) is not None
