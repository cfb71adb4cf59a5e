"""Heartbeats: what counts as an outage, that each is noted once, and who knows of it when."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from redis.asyncio import Redis

from parlour.server.store import heartbeat as heartbeats
from parlour.server.store import keys
from parlour.server.store.connection import client
from parlour.server.store.heartbeat import SILENCE, Heartbeat
from parlour.server.store.pipe import NotSent, Pipe
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import until


@asynccontextmanager
async def heart(valkey: str, serves: bool = True) -> AsyncIterator[Heartbeat]:
    """The heartbeat of a node that beats only when it is told to."""
    pipe = Pipe(valkey)
    await pipe.open()
    yield Heartbeat(pipe, serves)
    await pipe.close()


async def silent_since(redis: Redis, ago: int) -> int:
    """Let the last beat of all nodes be so many milliseconds ago; when that was."""
    await asyncio.sleep(0.002)  # no two outages end in the same millisecond
    last = int(time.time() * 1000) - ago
    await redis.set(keys.LAST_BEAT, last)
    return last


async def test_the_first_beat_ends_no_outage(valkey: str, redis: Redis) -> None:
    """A store that was never used before has nothing to tell."""
    async with heart(valkey) as one:
        await one.beat()
        assert one.outages == []


async def test_a_long_silence_is_an_outage(valkey: str, redis: Redis) -> None:
    """Whoever beats first after it notes it from the last beat up to now; a short one is none."""
    async with heart(valkey) as one:
        await silent_since(redis, SILENCE // 2)
        await one.beat()
        assert one.outages == []

        last = await silent_since(redis, 60_000)
        before = int(time.time() * 1000)
        await one.beat()
        ((since, until),) = one.outages
        assert since == last
        assert until >= before
        assert one.newest == until


async def test_every_node_learns_of_every_outage_once(valkey: str, redis: Redis) -> None:
    """One node notes it, the others hear of it with their next beat, and those that start later too."""
    async with heart(valkey) as one, heart(valkey) as two:
        told: list[int] = []
        two.on_outage = lambda: told.append(len(two.outages))
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
        assert told == [1, 2]


async def test_an_outage_is_known_before_anybody_goes_on(valkey: str, redis: Redis) -> None:
    """A node is sure of the time up to a while after its last beat, and after no other."""
    async with heart(valkey) as one:
        assert one.sure_until == 0
        before = int(time.time() * 1000)
        await one.beat()
        assert before + SILENCE <= one.sure_until <= int(time.time() * 1000) + SILENCE


async def test_who_serves_nobody_only_asks(valkey: str, redis: Redis) -> None:
    """A worker does not keep the parlour alive: without a node it is sure of nothing, and waits for one."""
    async with heart(valkey) as node, heart(valkey, serves=False) as worker:
        waits = asyncio.create_task(worker.catch_up())
        await worker.beat()
        assert not waits.done()
        await node.beat()
        async with asyncio.timeout(30):
            await waits
        assert worker.sure_until == node.sure_until

        last = await silent_since(redis, 60_000)
        await worker.beat()
        assert worker.outages == []
        assert worker.sure_until == last + SILENCE
        await node.beat()
        await worker.beat()
        assert worker.outages == node.outages
        assert [since for since, _ in worker.outages] == [last]


async def test_only_the_newest_are_kept(valkey: str, redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often a store is away, neither it nor a node remembers more than so many outages."""
    monkeypatch.setattr(heartbeats, "KEPT", 3)
    async with heart(valkey) as one:
        for ago in (9_000, 8_000, 7_000, 6_000, 5_000):
            await silent_since(redis, ago)
            await one.beat()
        assert len(one.outages) == 3
        assert await redis.zcard(keys.OUTAGES) == 3


async def test_nodes_beat_by_themselves(valkey: str, redis: Redis) -> None:
    """Between opening and closing a node beats again and again, and what it says lasts until the next beat."""
    async with heart(valkey) as one:
        await one.open()
        first = one.sure_until
        await until(lambda: one.sure_until != first)
        await one.close()


async def test_a_store_that_stands_still(start_valkey: Callable[..., PrivateValkey]) -> None:
    """Nobody is served while the store does not answer, though all nodes live: that is an outage, too."""
    valkey = start_valkey()
    async with heart(valkey.url) as one:
        await one.beat()
        valkey.signal(signal.SIGSTOP)
        began = time.time()
        beat = asyncio.create_task(one.beat())
        await asyncio.sleep(1.2 * SILENCE / 1000)
        valkey.signal(signal.SIGCONT)
        await beat
        ((since, until),) = one.outages
        assert since <= began * 1000
        assert until - since > SILENCE


async def test_a_store_that_comes_back(start_valkey: Callable[..., PrivateValkey]) -> None:
    """While it is away a beat fails; who has to be sure waits for it, and learns what was."""
    valkey = start_valkey("--appendonly", "yes", "--appendfsync", "always")
    async with heart(valkey.url) as one:
        await one.beat()
        redis = client(valkey.url)
        last = await silent_since(redis, 60_000)
        await redis.aclose()
        valkey.kill()
        await until(lambda: not one._pipe.up)
        with pytest.raises(NotSent):
            await one.beat()
        sure = asyncio.create_task(one.catch_up())
        valkey.start()
        async with asyncio.timeout(30):
            await sure
        ((since, _),) = one.outages
        assert since == last
