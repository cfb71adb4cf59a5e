"""The heartbeat: what counts as an outage, and which node knows of it when."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from redis.asyncio import Redis

from parlour.server.outages import SILENCE, Outage
from parlour.server.store.clock import SAMPLES, StoreClock
from parlour.server.store.errors import NotSent
from parlour.server.store.health import StoreHealth
from parlour.server.store.heartbeat import BEAT_EVERY, MAX_OUTAGES, Heartbeat
from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from tests.redis_client import client
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import WITHIN, until

keys = Keys()


@asynccontextmanager
async def heart(valkey: str, node: str = "node", *, serves_players: bool = True) -> AsyncIterator[Heartbeat]:
    """The heartbeat of a node that beats only when the test tells it to."""
    async with pipeline_to(valkey) as pipeline:
        yield await heartbeat(pipeline, node, serves_players=serves_players)


async def heartbeat(
    pipeline: Pipeline, node: str = "node", *, serves_players: bool = True, max_outages: int = MAX_OUTAGES
) -> Heartbeat:
    clock = StoreClock(pipeline)
    await clock.measure()
    return Heartbeat(pipeline, clock, StoreHealth(), node, serves_players=serves_players, max_outages=max_outages)


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
    await redis.set(keys.last_beat, last)
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
        ((since, until, _),) = one.outages
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
            assert one.outage_counts == two.outage_counts == {"all": 2, "one": 0}
            assert late.outage_counts == {"all": 0, "one": 0}  # they were before its time
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
        assert [since for since, _, _ in worker.outages] == [last]


async def test_only_the_latest_outages_are_kept(pipeline: Pipeline, redis: Redis) -> None:
    """Neither the store nor a node remembers more than the maximum number of outages."""
    one = await heartbeat(pipeline, max_outages=3)
    for ago in (9_000, 8_000, 7_000, 6_000, 5_000):
        await silent_since(redis, ago)
        await one.beat()
    assert len(one.outages) == 3
    assert await redis.zcard(keys.outages) == 3


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
        ((since, resumed_at, _),) = one.outages
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
        ((since, _, _),) = one.outages
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


# -- a single node


async def test_a_silent_node_is_noticed_by_the_others(valkey: str, redis: Redis) -> None:
    """The first beat of another node after 3 seconds records the outage, once; all nodes learn of it."""
    async with heart(valkey, "one") as one, heart(valkey, "two") as two:
        await one.beat()
        await two.beat()
        assert two.beats.keys() == {"one", "two"}
        last = milliseconds() - SILENCE - 1
        await redis.hset(keys.beats, "one", str(last))
        before = milliseconds()
        await two.beat()
        (outage,) = two.outages
        assert outage == Outage(last, outage.until, "one")
        assert outage.until >= before
        assert two.beats.keys() == {"two"}
        await two.beat()
        await one.beat()
        assert one.outages == two.outages == [outage]
        assert one.beats.keys() == {"one", "two"}


async def test_an_outage_of_all_nodes_is_not_one_of_each(valkey: str, redis: Redis) -> None:
    """After a silence of all nodes, the first beat records a single outage."""
    async with heart(valkey, "one") as one, heart(valkey, "two") as two:
        await one.beat()
        last = await silent_since(redis, 9_000)
        await redis.hset(keys.beats, "one", str(last))
        await two.beat()
        assert [(since, node) for since, _, node in two.outages] == [(last, "")]
        assert two.beats.keys() == {"two"}


async def test_outages_that_end_together_are_all_learned(valkey: str, redis: Redis) -> None:
    """No two outages have the same end, so a node that knows one of them still asks for the other."""
    async with heart(valkey, "one") as one:
        await one.beat()
        for node in ("two", "three"):
            await redis.hset(keys.beats, node, str(milliseconds() - 9_000))
        await one.beat()
        assert {node for _, _, node in one.outages} == {"two", "three"}
        assert len({until for _, until, _ in one.outages}) == 2


async def test_a_node_that_stops_is_not_silent(valkey: str, redis: Redis) -> None:
    """Its beat is forgotten, so its silence is no outage."""
    async with heart(valkey) as one:
        await one.open()
        assert await redis.hexists(keys.beats, "node")
        await one.close()
        assert not await redis.hexists(keys.beats, "node")


# -- health


async def test_a_node_without_a_written_beat_is_not_healthy(start_valkey: Callable[..., PrivateValkey]) -> None:
    """After some seconds without a confirmed write the node knows, and again when writes succeed."""
    valkey = start_valkey()
    async with heart(valkey.url) as one:
        changes: asyncio.Queue[bool] = asyncio.Queue()
        await one.open()
        one.on_health = changes.put_nowait
        assert one.is_healthy
        valkey.signal(signal.SIGSTOP)
        assert await asyncio.wait_for(changes.get(), WITHIN) is False
        assert not one.is_healthy
        valkey.signal(signal.SIGCONT)
        assert await asyncio.wait_for(changes.get(), WITHIN) is True
        assert one.is_healthy
        await one.close()


async def test_a_busy_event_loop_does_not_make_a_node_unhealthy(valkey: str) -> None:
    """Only ticks count, and a busy loop has none."""
    async with heart(valkey) as one:
        changes: list[bool] = []
        await one.open()
        one.on_health = changes.append
        ticks = one.ticks
        time.sleep(1.2 * SILENCE / 1000)
        await until(lambda: one.ticks > ticks + 2)
        assert changes == []
        await one.close()
