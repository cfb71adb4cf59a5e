"""Two nodes on one store that outlives them, and games whose players are on different nodes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

from parlour.client.connection import Connection
from parlour.protocol.messages import Accept, Challenge
from parlour.protocol.types import Clock, Terms
from parlour.server.store.embedded import EmbeddedStore
from tests.e2e.conftest import MakeServer
from tests.e2e.people import Person
from tests.e2e.processes import ServerProcess
from tests.e2e.tournament import MIXED, Tournament

DAY = 24 * 3600 * 1000  # milliseconds

Nodes = tuple[ServerProcess, ServerProcess]


@asynccontextmanager
async def two_nodes(
    make_server: MakeServer, folder: Path, *options: str, fsync: Literal["always", "everysec"] = "everysec"
) -> AsyncIterator[tuple[Nodes, EmbeddedStore]]:
    """Start both nodes and their store."""
    async with EmbeddedStore(folder / "store", fsync=fsync) as store:
        one, two = (make_server("--redis", store.url, *options, data=name) for name in ("one", "two"))
        await asyncio.gather(one.start(), two.start())
        yield (one, two), store
        for node in (one, two):
            if node.process is not None and node.process.returncode is None:
                await node.stop()


def client(nodes: Nodes, at: int) -> Connection:
    """Connect to one of the nodes; the client goes to the other if it must."""
    return Connection([nodes[at].url, nodes[1 - at].url])


async def begin(tournament: Tournament, nodes: Nodes, games: int) -> None:
    """Start games whose players are on different nodes, by queue or invitation; no move is made yet."""
    for number in range(games):
        game = MIXED[number % len(MIXED)]
        host = await tournament.enter(client(nodes, number % 2), game)
        guest = await tournament.enter(client(nodes, 1 - number % 2), game)
        if number % 3:
            invitation = await Person(host.connection).does(Challenge(id=0, terms=Terms(game)))
            await Person(guest.connection).does(Accept(id=0, seek=str(invitation.seek)))
            tournament.play_on(host)
            tournament.play_on(guest)
        else:
            # No other player queues for these terms.
            clock = Clock("days", DAY + number)
            tournament.play(host, clock)
            tournament.play(guest, clock)
    await tournament.seated()
    assert len(tournament.rooms) == games
