"""Nothing that was acknowledged is lost, and nothing happens twice, whatever is killed."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from parlour.client.connection import Connection, RefusedError
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Resign
from parlour.server.store.keys import Keys
from tests.e2e.conftest import MakeServer
from tests.e2e.people import people, sit_down
from tests.e2e.processes import ServerProcess
from tests.e2e.tournament import Tournament
from tests.e2e.web import ask
from tests.redis_client import client

keys = Keys()

GAMES = 50
DISASTERS = 3


async def test_a_node_is_killed(server: ServerProcess) -> None:
    """A node that is killed in the middle of 50 games and restarted carries on."""
    under_way = 0
    async with Tournament(seed=4) as tournament:
        await tournament.begin(GAMES, lambda: Connection([server.url]))
        for _ in range(DISASTERS):
            await tournament.play_for_a_while()
            under_way += tournament.unanswered
            await server.kill()
            await server.start()
        await tournament.finish()
        await tournament.check(server)

        assert under_way > 0  # or nothing was tried
        assert all(entrant.connection.connects > 1 for entrant in tournament.entrants)
    assert server.errors == []


async def test_the_store_is_killed(make_server: MakeServer) -> None:
    """A node restarts its embedded store when it is killed, and clients do not notice."""
    server = make_server("--fsync", "always")
    await server.start()
    under_way = 0
    async with Tournament(seed=5) as tournament:
        await tournament.begin(GAMES, lambda: Connection([server.url]))
        for _ in range(DISASTERS):
            await tournament.play_for_a_while()
            under_way += tournament.unanswered
            os.kill(server.store, signal.SIGKILL)
        await tournament.finish()
        await tournament.check(server)

        assert under_way > 0
        assert all(entrant.connection.connects == 1 for entrant in tournament.entrants)
    assert server.errors  # once for all, if they happen within seconds
    assert all("the embedded store was killed by SIGKILL" in line for line in server.errors)


async def test_the_machine_is_lost(make_server: MakeServer) -> None:
    """A node and its store that are killed together continue from what was written."""
    server = make_server("--fsync", "always")
    await server.start()
    async with Tournament(seed=7) as tournament:
        await tournament.begin(GAMES // 2, lambda: Connection([server.url]))
        for _ in range(DISASTERS):
            await tournament.play_for_a_while()
            assert server.process is not None
            server.process.send_signal(signal.SIGSTOP)  # or it would notice
            os.kill(server.store, signal.SIGKILL)
            await server.kill()
            await server.start()
        await tournament.finish()
        await tournament.check(server)
    assert server.errors == []


@pytest.fixture
async def redis(server: ServerProcess) -> AsyncIterator[Redis]:
    """A client of the server's store, to damage it."""
    connected = client(f"unix://{json.loads((server.data / 'valkey.json').read_bytes())['socket']}")
    yield connected
    await connected.aclose()


async def test_a_store_forgets_the_end_of_a_game(server: ServerProcess, redis: Redis) -> None:
    """If the store loses events, what it still has counts: both players are sent that, and play on."""
    async with people(server.url, "Ada", "Bob") as (ada, bob):
        room = await sit_down(ada, bob)
        moves = [await ada.plays(), await bob.plays()]
        kept = await redis.dump(keys.log(room))
        assert kept is not None
        await ada.plays()
        await bob.plays()
        await redis.restore(keys.log(room), 0, kept, replace=True)

        with pytest.raises(RefusedError) as refused:
            await ada.plays()

        assert refused.value.code == ErrorCode.STALE_PLY
        for person in (ada, bob):
            assert (await person.sees(lambda table: len(table.moves) == 2)).moves == moves
        moves += [await ada.plays(), await bob.plays()]
        for person in (ada, bob):
            assert (await person.sees(lambda table: len(table.moves) == 4)).moves == moves
        assert [move for move, *_ in (await ask(server, f"/api/v1/records/{room}")).json["moves"]] == moves


async def test_a_store_forgets_everything(server: ServerProcess, redis: Redis) -> None:
    """A room that no longer exists is refused, and the server carries on with others."""
    async with people(server.url, "Ada", "Bob") as (ada, bob):
        room = await sit_down(ada, bob)
        await ada.plays()
        await redis.flushall()

        assert await bob.cannot(Resign(id=0, room=room)) == ErrorCode.ROOM_UNKNOWN

        await sit_down(bob, ada)
        await bob.plays()
