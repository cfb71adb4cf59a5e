"""No game is lost on time in an outage: clocks stand still while there is no node or no store."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from parlour.protocol.messages import RoomEvent, Welcome
from parlour.protocol.types import Clock, Result
from parlour.server.store.embedded import EmbeddedStore
from tests.e2e.conftest import MakeServer
from tests.e2e.people import Person, sit_down
from tests.e2e.tournament import fetch_record
from tests.e2e.two_nodes import Nodes, client, two_nodes

CLOCK = Clock("move", main=4_000)
AWAY = 6.0  # seconds: longer than any player has for a move

Disaster = Callable[[Nodes, EmbeddedStore], Awaitable[None]]


async def kill_the_nodes(nodes: Nodes, store: EmbeddedStore) -> None:
    await asyncio.gather(*(node.kill() for node in nodes))
    await asyncio.sleep(AWAY)
    await asyncio.gather(*(node.start() for node in nodes))


async def freeze_the_nodes(nodes: Nodes, store: EmbeddedStore) -> None:
    for number in (signal.SIGSTOP, signal.SIGCONT):
        for node in nodes:
            assert node.process is not None
            node.process.send_signal(number)
        if number is signal.SIGSTOP:
            await asyncio.sleep(AWAY)


async def freeze_the_store(nodes: Nodes, store: EmbeddedStore) -> None:
    assert store.pid is not None
    os.kill(store.pid, signal.SIGSTOP)
    await asyncio.sleep(AWAY)
    os.kill(store.pid, signal.SIGCONT)


@pytest.mark.parametrize("disaster", [kill_the_nodes, freeze_the_nodes, freeze_the_store])
async def test_the_clock_stands_still(disaster: Disaster, make_server: MakeServer, tmp_path: Path) -> None:
    """The mover has 4 seconds, the outage lasts 6, and the move is accepted. Then the clock runs as before."""
    async with two_nodes(make_server, tmp_path) as (nodes, store), AsyncExitStack() as stack:
        ada, bob = [Person(await stack.enter_async_context(client(nodes, at))) for at in (0, 1)]
        for person in (ada, bob):
            await person.hears(Welcome)
        room = await sit_down(ada, bob, clock=CLOCK)
        await ada.plays()
        await bob.plays()  # from now on Ada's time runs
        await disaster(nodes, store)
        await ada.plays()

        ended = await bob.hears(RoomEvent, lambda told: told.kind == "ended")  # without a move
        assert ended.result is not None
        assert ended.result.reason == "flag"
        assert ended.result.winner == 0
        for node in nodes:
            record = await fetch_record(node, room)
            assert record.result == Result(0, "flag", ended.result.scores)
            assert record.moves[2].duration < CLOCK.main
            assert node.errors == []
