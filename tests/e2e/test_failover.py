"""A node is lost in mid-game: killed, stopped, or silent. Its clients continue on the other one, nothing is lost."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median, quantiles
from time import monotonic

import pytest

from parlour.protocol.messages import GetRecord
from tests.e2e.conftest import MakeServer
from tests.e2e.processes import ServerProcess
from tests.e2e.tournament import Entrant, Tournament
from tests.e2e.two_nodes import begin, two_nodes

GAMES = 50
FROZEN = 10.0  # seconds: longer than clients wait for a silent server
TAKEN_OVER_WITHIN = 3.0  # seconds for 99 of 100 clients, if the machine has time for them

Disaster = Callable[[ServerProcess], Awaitable[None]]


async def kill(node: ServerProcess) -> None:
    await node.kill()


async def stop(node: ServerProcess) -> None:
    assert await node.stop() == 0


async def freeze(node: ServerProcess) -> None:
    """Stop the process for a while: it does not answer, but its connections stay open."""
    assert node.process is not None
    node.process.send_signal(signal.SIGSTOP)
    await asyncio.sleep(FROZEN)
    node.process.send_signal(signal.SIGCONT)


def busy() -> float:
    """Return how many times longer things take now than on an idle machine."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


async def taken_over(entrant: Entrant) -> float:
    """Return how long it takes from now until a command is answered, by any node."""
    assert entrant.room is not None
    began = monotonic()
    await entrant.connection.call(GetRecord(id=0, room=entrant.room))
    return monotonic() - began


@pytest.mark.parametrize("disaster", [kill, stop, freeze])
async def test_a_node_is_lost(disaster: Disaster, make_server: MakeServer, tmp_path: Path) -> None:
    """Of 50 games between players of two nodes all are finished, with every acknowledged move, and none twice. The
    clients of the lost node have their next answer from the other one soon.
    """
    async with two_nodes(make_server, tmp_path) as (nodes, _), Tournament(seed=10) as tournament:
        lost, kept = nodes
        await begin(tournament, nodes, GAMES)
        affected = [one for one in tournament.entrants if one.connection.addresses[0] == lost.url]
        assert len(affected) == GAMES
        await tournament.play_for_a_while()
        assert tournament.unanswered > 0  # or nothing was tried
        times = asyncio.gather(*(taken_over(one) for one in affected))
        await disaster(lost)
        took = await times
        await tournament.finish()
        await tournament.check(kept)

        p99 = quantiles(took, n=100, method="inclusive")[-1]
        print(f"take-over after {disaster.__name__}: p99 {p99:.2f} s, median {median(took):.2f} s")
        assert p99 <= TAKEN_OVER_WITHIN * busy()
        assert all(one.connection.connects > 1 for one in affected)
        assert all(one.connection.connects == 1 for one in tournament.entrants if one not in affected)
        assert [node.errors for node in nodes] == [[], []]
