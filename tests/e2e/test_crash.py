"""Nothing that was acknowledged is lost, and nothing happens twice, whatever is killed."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import msgspec
import pytest

from parlour.client.connection import Connection
from tests.e2e.conftest import MakeServer
from tests.e2e.processes import ServerProcess
from tests.e2e.tournament import KEYS, Tournament

GAMES = 50
DISASTERS = 3


def valkey(data: Path) -> int:
    """The process of the store that a node runs in this folder."""
    pid: int = msgspec.json.decode((data / "valkey.json").read_bytes())["pid"]
    return pid


async def begin(tournament: Tournament, server: ServerProcess) -> None:
    """All players are there, and none has moved."""
    for number in range(2 * GAMES):
        entrant = await tournament.enter(Connection([server.url]), KEYS[number // 2 % len(KEYS)])
        tournament.play(entrant)
    await tournament.seated()


@pytest.mark.parametrize("seed", [4])
async def test_a_node_is_killed(server: ServerProcess, seed: int) -> None:
    """A node that is killed in the middle of 50 games and started again goes on as if nothing had been."""
    under_way = 0
    async with Tournament(seed) as tournament:
        await begin(tournament, server)
        for _ in range(DISASTERS):
            await tournament.play_for_a_while()
            under_way += tournament.unanswered
            await server.kill()
            await server.start()
        await tournament.finish()
        await tournament.check(server.url)

        assert under_way > 0  # or nothing was tried
        assert all(1 < entrant.connection.connects <= 1 + DISASTERS for entrant in tournament.entrants)
    assert server.errors == []


@pytest.mark.parametrize("seed", [5])
async def test_the_store_is_killed(make_server: MakeServer, seed: int) -> None:
    """If the own store of a node is killed in the middle of 50 games, the node brings it back, and nobody notices."""
    server = make_server("--fsync", "always")
    await server.start()
    killed = set()
    async with Tournament(seed) as tournament:
        await begin(tournament, server)
        for _ in range(DISASTERS):
            await tournament.play_for_a_while()
            killed.add(valkey(server.data))
            os.kill(valkey(server.data), signal.SIGKILL)
        await tournament.finish()
        await tournament.check(server.url)

        assert len(killed) == DISASTERS
        assert all(entrant.connection.connects == 1 for entrant in tournament.entrants)
    assert [line for line in server.errors if "the embedded store ended" not in line] == []
