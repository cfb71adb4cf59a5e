"""What a node knows about a tournament that it has open."""

from __future__ import annotations

import asyncio
from time import time

from redis.asyncio import Redis

from tests.server.running_node import running_node
from tests.server.tournaments.cups import create, enter, organiser

LATER = int(time() * 1000) + 86_400_000  # when a tournament begins that no test waits for


async def test_what_is_shown_is_worked_out_once(valkey: str, redis: Redis) -> None:
    """All who ask get the same view until something changes; asking keeps the tournament open."""
    async with running_node(valkey) as node:
        tournament = await create(await organiser(node), start=LATER)
        opened = await node.node.tournaments.open(tournament)
        views = await asyncio.gather(*(opened.view() for _ in range(3)))
        assert views[0] is views[1] is views[2]
        await enter(node, tournament, 1)
        changed = await opened.view()
        assert [row.player.name for row in changed.page(0)] == ["Ada"]
        node.node.tournaments.close_idle()
        assert await node.node.tournaments.open(tournament) is opened
