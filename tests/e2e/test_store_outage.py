"""The store is unavailable during play: commands wait or have to be repeated, and nothing unstored is published."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from parlour.server.store.embedded import EmbeddedStore
from tests.e2e.conftest import MakeServer
from tests.e2e.tournament import Tournament
from tests.e2e.two_nodes import begin, two_nodes
from tests.e2e.web import numbers

GAMES = 20
AWAY = 5.0  # seconds of outage: long enough for commands to be refused

Disaster = Callable[[EmbeddedStore], Awaitable[None]]


async def freeze(store: EmbeddedStore) -> None:
    """Stop the store for a while: it does not answer, but its connections stay open."""
    assert store.pid is not None
    pid = store.pid
    os.kill(pid, signal.SIGSTOP)
    await asyncio.sleep(AWAY)
    os.kill(pid, signal.SIGCONT)


async def kill(store: EmbeddedStore) -> None:
    """Kill the store; it comes back with what it had written."""
    assert store.pid is not None
    os.kill(store.pid, signal.SIGKILL)
    await asyncio.sleep(AWAY)
    await store.restart()


@pytest.mark.parametrize("disaster", [freeze, kill])
async def test_the_store_is_away(disaster: Disaster, make_server: MakeServer, tmp_path: Path) -> None:
    """All games are finished with every acknowledged move, none twice; released clients come back by themselves."""
    async with two_nodes(make_server, tmp_path, fsync="always") as (nodes, store), Tournament(seed=11) as tournament:
        await begin(tournament, nodes, GAMES)
        await tournament.play_for_a_while()
        assert tournament.unanswered > 0  # or nothing was tried
        before = tournament.moves
        await disaster(store)
        assert tournament.moves <= before + 2 * GAMES  # commands in flight; without a store no game goes on
        await tournament.finish()
        for node in nodes:
            await tournament.check(node)

        assert [node.errors for node in nodes] == [[], []]
        for node in nodes:
            assert (await numbers(node))["parlour_store_up"] == 1
