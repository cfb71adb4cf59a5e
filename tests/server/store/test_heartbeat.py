"""The heartbeat: what counts as an outage, and which node knows of it when."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from redis.asyncio import Redis

from parlour.server.store import keys
from parlour.server.store.clock import SAMPLES, StoreClock
from parlour.server.store.errors import NotSent
from parlour.server.store.health import StoreHealth
from parlour.server.store.heartbeat import BEAT_EVERY, SILENCE, Heartbeat
from parlour.server.store.pipeline import Pipeline
from tests.redis_client import client
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import WITHIN, until


@asynccontextmanager
async def heart(valkey: str, serves_players: bool = True) -> AsyncIterator[Heartbeat]:
    """The heartbeat of a node that beats only when the test tells it to."""
    async with pipeline_to(valkey) as pipeline:
        yield await heartbeat(pipeline, serves_players)


async def heartbeat(pipeline: Pipeline, serves_players: bool = True, **settings: int) -> Heartbeat:
    clock = StoreClock(pipeline)
    await clock.measure()
    return Heartbeat(pipeline, clock, StoreHealth(), serves_players, **settings)


@asynccontextmanager
async def pipeline_to(valkey: str) -> AsyncIterator[Pipeline]:
    pipeline = Pipeline(valkey)
    await pipeline.open()
    yield pipeline
    await pipeline.close()


def milliseconds() -> int:
    return int(time.time() * 1000)


async def silent_since(redis: Redis, ago: int) -> int:
    """Set the last beat of all nodes to some milliseconds ago, and return when that was."""
    before = milliseconds()
    await until(lambda: milliseconds() > before)  # no two outages end in the same millisecond
    last = milliseconds() - ago
    await redis.set(keys.LAST_BEAT, last)
    return last


async def test_the_first_beat_ends_no_outage(valkey: str, redis: Redis) -> None:
    """In a new store there are no outages."""
    async with heart(valkey) as one:
        await one.beat()
        assert one.outages == []


async def test_a_long_silence_is_an_outage(valkey: str, redis: Redis) -> None:
    """The first beat after a long silence records it as an outage since the last beat; a short one is none."""
    async with heart(valkey) as one:
        await silent_since(redis, SILENCE // 2)
        await one.beat()
        assert one.outages == []

        last = await silent_since(redis, 60_000)
        before = milliseconds()
        await one.beat()
        ((since, until),) = one.outages
        assert since == last
        assert until >= before
        assert one.last_outage_end == until


async def test_every_node_learns_of_every_outage_once(valkey: str, redis: Redis) -> None:
    """One node records an outage; the others learn of it with their next beat, as do nodes that start later."""
    async with heart(valkey) as one, heart(valkey) as two:
        notified: list[int] = []
        two.on_outage = lambda: notified.append(len(two.outages))
        await one.beat()
        await two.beat()
        await silent_since(redis, 9_000)
        for each in (one, two, one, two):
            await each.beat()
        await silent_since(redis, 5_000)
        for each in (two, one, two, one):
            await each.beat()
        async with heart(valkey) as late:
            await late.beat()
            assert len(one.outages) == 2
            assert one.outages == two.outages == late.outages
        assert notified == [1, 2]


async def test_how_far_outages_are_known(valkey: str, redis: Redis) -> None:
    """A node knows all outages until SILENCE after its last beat."""
    async with heart(valkey) as one:
        assert one.known_until == 0
        before = milliseconds()
        await one.beat()
        assert before + SILENCE <= one.known_until <= milliseconds() + SILENCE


async def test_a_worker_reads_but_does_not_beat(valkey: str, redis: Redis) -> None:
    """A process that does not serve players neither ends an outage nor prevents one, and waits for a node's beat."""
    async with heart(valkey) as node, heart(valkey, serves_players=False) as worker:
        catching_up = asyncio.create_task(worker.catch_up(milliseconds()))
        await worker.beat()
        assert not catching_up.done()
        await node.beat()
        await asyncio.wait_for(catching_up, WITHIN)
        assert worker.known_until == node.known_until

        last = await silent_since(redis, 60_000)
        await worker.beat()
        assert worker.outages == []
        assert worker.known_until == last + SILENCE
        await node.beat()
        await worker.beat()
        assert worker.outages == node.outages
        assert [since for since, _ in worker.outages] == [last]


async def test_only_the_latest_outages_are_kept(pipeline: Pipeline, redis: Redis) -> None:
    """Neither the store nor a node remembers more than the maximum number of outages."""
    one = await heartbeat(pipeline, max_outages=3)
    for ago in (9_000, 8_000, 7_000, 6_000, 5_000):
        await silent_since(redis, ago)
        await one.beat()
    assert len(one.outages) == 3
    assert await redis.zcard(keys.OUTAGES) == 3


async def test_an_open_heartbeat_beats_periodically(valkey: str, redis: Redis) -> None:
    """Between `open` and `close` a node beats periodically."""
    async with heart(valkey) as one:
        await one.open()
        first = one.known_until
        await until(lambda: one.known_until != first)
        await one.close()


async def test_a_store_that_hangs_is_an_outage(start_valkey: Callable[..., PrivateValkey]) -> None:
    """While the store does not reply, players are not served although the nodes live: that is an outage too."""
    valkey = start_valkey()
    async with heart(valkey.url) as one:
        await one.beat()
        valkey.signal(signal.SIGSTOP)
        stopped_at = milliseconds()
        beat = asyncio.create_task(one.beat())
        await until(lambda: milliseconds() > stopped_at + 1.2 * SILENCE)
        valkey.signal(signal.SIGCONT)
        await beat
        ((since, resumed_at),) = one.outages
        assert since <= stopped_at
        assert resumed_at - since > SILENCE


async def test_a_store_that_restarts(start_valkey: Callable[..., PrivateValkey]) -> None:
    """While the store is down a beat fails; `catch_up` waits for the store and learns of the outage."""
    valkey = start_valkey("--appendonly", "yes", "--appendfsync", "always")
    async with pipeline_to(valkey.url) as pipeline:
        one = await heartbeat(pipeline)
        await one.beat()
        redis = client(valkey.url)
        last = await silent_since(redis, 60_000)
        await redis.aclose()
        valkey.kill()
        await until(lambda: not pipeline.up)
        with pytest.raises(NotSent):
            await one.beat()
        catching_up = asyncio.create_task(one.catch_up(milliseconds()))
        valkey.start()
        await asyncio.wait_for(catching_up, WITHIN)
        ((since, _),) = one.outages
        assert since == last


async def test_waiting_for_a_store_that_refuses_beats_does_not_flood_it(
    start_valkey: Callable[..., PrivateValkey],
) -> None:
    """Any number of waiting moves share the beats, and there is a pause between two."""
    valkey = start_valkey()
    redis = client(valkey.url)
    async with heart(valkey.url) as one:
        await redis.config_set("maxmemory", "1mb")
        began = time.monotonic()
        waiting = [asyncio.create_task(one.catch_up(milliseconds())) for _ in range(50)]
        await until(lambda: time.monotonic() > began + 4 * BEAT_EVERY)
        scripts = (await redis.info("commandstats"))["cmdstat_evalsha"]
        most = (time.monotonic() - began) / BEAT_EVERY + SAMPLES + 2
        assert scripts["calls"] + scripts["rejected_calls"] <= most
        await redis.config_set("maxmemory", "0")
        await asyncio.wait_for(asyncio.gather(*waiting), WITHIN)
    await redis.aclose()
