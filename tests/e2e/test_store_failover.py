"""Masters of the store are killed, promoted and given other slots in mid-game, in a cluster and with Sentinels.

`make test` plays a few games. The full size is

    PARLOUR_TEST_GAMES=100 .venv/bin/pytest -s tests/e2e/test_store_failover.py
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import cycle

import pytest

from parlour.client.connection import Connection
from parlour.server.store.keys import Keys
from parlour.server.store.slots import slot
from tests.e2e.conftest import MakeServer
from tests.e2e.processes import ServerProcess
from tests.e2e.tournament import Tournament
from tests.server.store.cluster_process import Cluster
from tests.server.store.sentinel_process import SentinelGroup

GAMES = int(os.environ.get("PARLOUR_TEST_GAMES", "8"))
NODES = 3


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """Three masters with a replica each."""
    started = Cluster(3)
    try:
        started.start()
        yield started
    finally:
        started.close()


@pytest.fixture
def sentinels() -> Iterator[SentinelGroup]:
    """A master, a replica and three Sentinels."""
    started = SentinelGroup()
    try:
        started.start()
        yield started
    finally:
        started.close()


@asynccontextmanager
async def three_nodes(make_server: MakeServer, store: str, wait_replicas: int) -> AsyncIterator[list[ServerProcess]]:
    options = ("--redis", store, "--wait-replicas", str(wait_replicas), "--bot-workers", "0")
    nodes = [make_server(*options, data=f"node-{number}") for number in range(NODES)]
    await asyncio.gather(*(node.start() for node in nodes))
    yield nodes
    for node in nodes:
        await node.stop()


def clients(nodes: list[ServerProcess]) -> Callable[[], Connection]:
    """Return a function that connects clients to the nodes in turn; they go to the others if they must."""
    starts = cycle(range(len(nodes)))

    def connect() -> Connection:
        at = next(starts)
        return Connection([node.url for node in nodes[at:] + nodes[:at]])

    return connect


async def begin(tournament: Tournament, nodes: list[ServerProcess]) -> None:
    """Start the games, with two spectators each."""
    connect = clients(nodes)
    await tournament.begin(GAMES, connect)
    for room in tournament.rooms:
        for _ in range(2):
            await tournament.watch(connect(), room)


async def test_a_cluster_loses_nothing(make_server: MakeServer, cluster: Cluster) -> None:
    """With --wait-replicas 1, whatever happens to its masters: every acknowledged move is in the record."""
    async with three_nodes(make_server, cluster.url, 1) as nodes, Tournament(seed=16) as tournament:
        await begin(tournament, nodes)
        await tournament.play_for_a_while()
        await asyncio.to_thread(cluster.lose, cluster.masters[0])

        await tournament.play_for_a_while()
        moved = slot(Keys().log(next(iter(tournament.rooms))))
        source = cluster.master_of(moved)
        await asyncio.to_thread(cluster.migrate, moved, source, cluster.other_master(source))

        await tournament.play_for_a_while()
        await asyncio.to_thread(cluster.promote, cluster.replicas[1])

        await tournament.finish()
        await tournament.check(nodes[0])
        print(f"{len(tournament.rooms)} games, {tournament.moves} acknowledged moves, none lost")


async def test_a_sentinel_group_loses_nothing(make_server: MakeServer, sentinels: SentinelGroup) -> None:
    """The same with Sentinels: a master is killed, and later its successor is demoted."""
    async with three_nodes(make_server, sentinels.url, 1) as nodes, Tournament(seed=17) as tournament:
        await begin(tournament, nodes)
        await tournament.play_for_a_while()
        await asyncio.to_thread(sentinels.lose)
        await tournament.play_for_a_while()
        await asyncio.to_thread(sentinels.promote)
        await tournament.finish()
        await tournament.check(nodes[0])
        print(f"{len(tournament.rooms)} games, {tournament.moves} acknowledged moves, none lost")
