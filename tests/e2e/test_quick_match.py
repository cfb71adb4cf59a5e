"""Many players queue at once on several nodes: each is paired exactly once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bench.crowd import Crowd
from bench.pairing import faults
from parlour.protocol.types import Terms
from parlour.server.matchmaking.quick_match import pool_of
from parlour.server.store.embedded import EmbeddedStore
from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from tests.e2e.conftest import MakeServer
from tests.e2e.processes import ServerProcess
from tests.server.store.cluster_process import Cluster

keys = Keys()

PLAYERS = 500
TERMS = Terms("isaac")


@pytest.fixture(params=["one server", "a cluster"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """The address of a store: one server, or three masters."""
    if request.param == "one server":
        async with EmbeddedStore(tmp_path / "store") as one:
            yield one.url
    else:
        cluster = Cluster(3, replicas=False)
        cluster.start()
        yield cluster.url
        cluster.close()


@pytest.fixture
async def nodes(make_server: MakeServer, store: str) -> AsyncIterator[list[ServerProcess]]:
    """Three nodes on one store."""
    servers = [make_server("--redis", store, data=f"node {number}") for number in range(3)]
    await asyncio.gather(*(server.start() for server in servers))
    yield servers
    for server in servers:
        await server.stop()


async def waiting(store: str) -> int:
    """Return how many players the queue has."""
    pipeline = Pipeline(store)
    await pipeline.open()
    pool = pool_of(TERMS)
    found = await pipeline.call_all((b"ZCARD", keys.queue(pool)), (b"HLEN", keys.tickets(pool)))
    await pipeline.close()
    return sum(found)


async def test_a_crowd_is_paired(nodes: list[ServerProcess], store: str) -> None:
    """Each has one opponent in one room, none plays itself or twice, and no place in the queue is left."""
    async with Crowd([node.url for node in nodes], PLAYERS) as crowd:
        async with asyncio.timeout(60):
            met = await crowd.queue(TERMS)
        assert faults(met) == []
        assert len({one.name for one in met}) == PLAYERS
        assert len({one.room for one in met}) == PLAYERS // 2
        assert await waiting(store) == 0
        # Every node serves the waiting players once a second, which must not start a second game for any of them.
        assert await crowd.more_rooms(met, wait=2.5) == []
    assert [node.errors for node in nodes] == [[], [], []]
