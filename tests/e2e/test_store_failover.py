"""Masters of the store are killed, promoted and given other slots in mid-game, in a cluster and with Sentinels.

`make test` plays a few games. The full size is

    PARLOUR_TEST_GAMES=100 .venv/bin/pytest -s tests/e2e/test_store_failover.py
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle
from random import Random

import pytest

from parlour.client.connection import Connection, RefusedError
from parlour.protocol.messages import Choices, Play
from parlour.server.store.keys import Keys
from parlour.server.store.slots import slot
from tests.e2e.conftest import MakeServer
from tests.e2e.players import RandomPlayer
from tests.e2e.processes import ServerProcess
from tests.e2e.tournament import Tournament, check_replica, fetch_record
from tests.server.store.cluster_process import Cluster, ClusterServer, is_master, wait_until
from tests.server.store.sentinel_process import SentinelGroup
from tests.waiting import WITHIN, until

GAMES = int(os.environ.get("PARLOUR_TEST_GAMES", "8"))
NODES = 3
LONG = ("mapello", "isaac")  # games that are not over before the disaster
# Moves acknowledged by a master without its replica before it is killed. The record has a few moves that were never
# acknowledged, at most one for each player, which must not hide that the others were lost.
AT_RISK = 2 * GAMES + 8


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


class PersistentPlayer(RandomPlayer):
    """Makes a move again if the store has lost it, and counts all that were acknowledged."""

    def __init__(self, connection: Connection, rng: Random, may_move: asyncio.Event) -> None:
        super().__init__(connection, rng)
        self.moves = 0
        self._may_move = may_move

    async def _turn(self, choices: Choices) -> None:
        assert self.room is not None
        await self._may_move.wait()
        try:
            picks = await self._choose(choices)
            await self.connection.call(Play(id=0, room=self.room, ply=choices.ply, picks=picks))
        except RefusedError as refused:
            assert refused.code in ("stale_ply", "not_your_turn", "game_over", "move_illegal"), refused.code
        else:
            self.moves += 1


def stop_replication(master: ClusterServer) -> None:
    """Let the replica of a master not connect to it any more. The nodes' connections are not affected."""
    master.command("CONFIG", "SET", "requirepass", "unknown")
    master.command("CLIENT", "KILL", "TYPE", "REPLICA")


async def test_what_is_lost_without_waiting(make_server: MakeServer, cluster: Cluster) -> None:
    """Moves that no replica has are lost with their master. They are counted, and every game is finished."""
    async with three_nodes(make_server, cluster.url, 0) as nodes, AsyncExitStack() as connections:
        connect, may_move = clients(nodes), asyncio.Event()
        players = [
            PersistentPlayer(await connections.enter_async_context(connect()), Random(number), may_move)
            for number in range(2 * GAMES)
        ]
        async with asyncio.TaskGroup() as group:
            for number, player in enumerate(players):
                group.create_task(player.play(LONG[number // 2 % len(LONG)]))
            async with asyncio.timeout(WITHIN):
                for player in players:
                    await player.joined.wait()
            master = cluster.master_of(slot(Keys().log(str(players[0].room))))
            await asyncio.to_thread(stop_replication, master)
            affected = [one for one in players if cluster.master_of(slot(Keys().log(str(one.room)))) is master]
            may_move.set()
            await until(lambda: sum(one.moves for one in affected) > AT_RISK)
            replica = cluster.replica_of(master)
            master.kill()
            await asyncio.to_thread(wait_until, lambda: is_master(replica))
        recorded = 0
        for room in {str(player.room) for player in players}:
            record = await fetch_record(nodes[0], room)
            recorded += len(record.moves)
            for player in players:
                if player.room == room:
                    check_replica(player.replica, record)
        acknowledged = sum(player.moves for player in players)
        print(f"{GAMES} games, {acknowledged} acknowledged moves, {acknowledged - recorded} lost")
        assert acknowledged > recorded
