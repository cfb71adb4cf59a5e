"""The connections to the masters follow the topology."""

from __future__ import annotations

import asyncio

import pytest

from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.slots import slot
from tests.server.store.cluster_process import Cluster
from tests.waiting import WITHIN, until


async def test_one_connection_per_master(cluster: Cluster) -> None:
    """A pipeline has one connection to each master."""

    def clients() -> list[int]:
        found = [str(server.command("CLIENT", "LIST")) for server in cluster.masters]
        return [each.count("name=parlour") for each in found]

    pipeline = Pipeline(cluster.url)
    await pipeline.open()
    assert clients() == [1, 1, 1]
    await pipeline.close()
    await until(lambda: clients() == [0, 0, 0])


async def test_a_cluster_needs_its_scheme(cluster: Cluster) -> None:
    """A server of a cluster is refused with the address to use."""
    port = cluster.masters[0].port
    with pytest.raises(StoreUnavailable, match=rf"part of a cluster; write redis\+cluster://127.0.0.1:{port} instead"):
        await Pipeline(f"redis://127.0.0.1:{port}").open()


async def test_checks_run_on_the_right_master(cluster: Cluster) -> None:
    """What has to happen before a connection is used happens on the master that has the key."""
    asked: list[bytes] = []
    pipeline = Pipeline(cluster.url)

    async def check(connection: object) -> None:
        assert not pipeline.up
        asked.append(await connection.call("GET", "k"))  # type: ignore[attr-defined]

    pipeline.before_use("k", check)
    await pipeline.open()
    assert asked == [None]
    await pipeline.close()


async def test_a_master_dies(replicated_cluster: Cluster) -> None:
    """When a master is killed, its replica takes over, and the pipeline finds it; the other masters go on."""
    cluster = replicated_cluster
    pipeline = Pipeline(cluster.url)
    await pipeline.open()
    keys = [f"k{n}" for n in range(30)]
    await pipeline.call_all(*(("SET", key, 1) for key in keys))
    victim = cluster.master_of(slot(keys[0]))
    alive = next(key for key in keys if cluster.master_of(slot(key)) is not victim)
    victim.kill()
    await until(lambda: not pipeline.up)
    await asyncio.wait_for(pipeline.ready(alive), WITHIN)

    async def works() -> bool:
        try:
            return bool(await pipeline.call("INCR", keys[0]) >= 2)
        except StoreUnavailable:
            return False

    await until(works)
    assert await pipeline.call("GET", alive) == b"1"
    await asyncio.wait_for(pipeline.ready(), WITHIN)  # the dead server is not one of the masters any more
    await pipeline.close()


async def test_a_planned_change_of_masters(replicated_cluster: Cluster) -> None:
    """When a replica is promoted, not a single command fails."""
    cluster = replicated_cluster
    pipeline = Pipeline(cluster.url)
    await pipeline.open()
    done = 0
    stop = asyncio.Event()

    async def write() -> None:
        nonlocal done
        while not stop.is_set():
            assert await pipeline.call("INCR", "k") == done + 1
            done += 1

    writing = asyncio.create_task(write())
    master = cluster.master_of(slot("k"))
    await asyncio.to_thread(cluster.promote, cluster.replica_of(master))
    after = done
    await until(lambda: done > after + 20 or writing.done())
    stop.set()
    await writing
    await pipeline.close()
