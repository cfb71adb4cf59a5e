"""Redirections: commands reach the master that has their slot, wherever it is, and are executed once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from parlour.server.store.errors import StoreRefused, StoreUnavailable
from parlour.server.store.pipeline import Pipeline, Script
from parlour.server.store.slots import slot
from tests.server.store.cluster_process import Cluster, ClusterServer
from tests.waiting import WITHIN, until

COUNT = Script(
    "redis.call('INCR', KEYS[1]) return redis.call('INCR', KEYS[2])", "a41be95a98da4fd1aee1b9d0f5a4b0a5c0e2ba58"
)
KEY = "{room}:log"
SLOT = slot(KEY)


@pytest.fixture
async def pipeline(cluster: Cluster) -> AsyncIterator[Pipeline]:
    opened = Pipeline(cluster.url)
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
def source(cluster: Cluster) -> ClusterServer:
    return cluster.master_of(SLOT)


@pytest.fixture
def target(cluster: Cluster, source: ClusterServer) -> ClusterServer:
    return cluster.other_master(source)


async def test_keys_are_spread(pipeline: Pipeline, cluster: Cluster) -> None:
    """Commands reach all masters, and each reply goes to its own command."""
    replies = await pipeline.call_all(*(("INCRBY", f"k{n}", n) for n in range(300)))
    assert replies == list(range(300))
    assert all(server.command("DBSIZE") > 50 for server in cluster.masters)


async def test_a_slot_that_has_moved(
    pipeline: Pipeline, cluster: Cluster, source: ClusterServer, target: ClusterServer
) -> None:
    """A command for a slot that has moved is executed by its new master, and later ones are sent there at once."""
    await pipeline.call("RPUSH", KEY, 1)
    cluster.migrate(SLOT, source, target)
    assert await pipeline.call("RPUSH", KEY, 2) == 2
    asked = source.info("stats")["total_error_replies"]
    assert await pipeline.call("RPUSH", KEY, 3) == 3
    assert source.info("stats")["total_error_replies"] == asked
    cluster.migrate(SLOT, target, source)
    assert await pipeline.call("LRANGE", KEY, 0, -1) == [b"1", b"2", b"3"]


async def test_a_slot_that_is_moving(
    pipeline: Pipeline, cluster: Cluster, source: ClusterServer, target: ClusterServer
) -> None:
    """While a slot moves, commands find each key on the server where it is."""
    await pipeline.call("SET", "{room}:stays", 1)
    cluster.begin_migration(SLOT, source, target)
    assert await pipeline.call("RPUSH", KEY, 1) == 1
    assert target.command("ASKING")
    assert await pipeline.call("INCR", "{room}:stays") == 2
    cluster.move_keys(SLOT, source, target)
    assert await pipeline.call_all(("RPUSH", KEY, 2), ("INCR", "{room}:stays")) == [2, 3]
    cluster.end_migration(SLOT, source, target)
    assert await pipeline.call("LLEN", KEY) == 2
    cluster.migrate(SLOT, target, source)


async def test_keys_on_both_sides(
    pipeline: Pipeline, cluster: Cluster, source: ClusterServer, target: ClusterServer
) -> None:
    """A script whose keys are on two servers while their slot moves waits until they are together again."""
    await pipeline.call("SET", "{room}:one", 1)
    cluster.begin_migration(SLOT, source, target)
    await pipeline.call("SET", "{room}:two", 1)
    waiting = asyncio.ensure_future(pipeline.call("EVAL", COUNT.text, 2, "{room}:one", "{room}:two"))
    await asyncio.sleep(0.1)
    assert not waiting.done()
    cluster.move_keys(SLOT, source, target)
    assert await asyncio.wait_for(waiting, WITHIN) == 2
    cluster.end_migration(SLOT, source, target)
    cluster.migrate(SLOT, target, source)


async def test_a_cluster_without_a_slot(pipeline: Pipeline, cluster: Cluster, source: ClusterServer) -> None:
    """A command that no server executes is sent again for a while, without spinning, and then refused."""
    before = source.info("stats")["total_commands_processed"]
    source.command("CLUSTER", "DELSLOTS", SLOT)
    with pytest.raises(StoreUnavailable):
        await asyncio.wait_for(pipeline.call("SET", KEY, 1), WITHIN)
    assert source.info("stats")["total_commands_processed"] - before < 200
    source.command("CLUSTER", "ADDSLOTS", SLOT)

    async def works() -> bool:
        try:
            return bool(await pipeline.call("SET", KEY, 2) == b"OK")
        except StoreUnavailable:
            return False

    await until(works)


async def test_programming_errors(pipeline: Pipeline) -> None:
    """A command with keys in two slots, or without a key, is refused before it is sent."""
    with pytest.raises(ValueError, match="one hash slot"):
        await pipeline.call_script(COUNT, 2, "a", "b")
    with pytest.raises(ValueError, match="names no key"):
        await pipeline.call("PING")
    with pytest.raises(StoreRefused, match="WRONGTYPE"):
        await pipeline.call_all(("SET", "k", 1), ("LPUSH", "k", 1))
