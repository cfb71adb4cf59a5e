"""The game archive of a server."""

from __future__ import annotations

import asyncio

from parlour.client import Client, Terms, connect
from tests.client.playing import play_out, sit_down
from tests.e2e.processes import ServerProcess
from tests.waiting import WITHIN, until

REPLICA = Terms("replica")


async def games_of_ada(client: Client) -> list[str]:
    """Return the rooms of her finished games, newest first."""
    return [line.room async for line in client.records.games("Ada", game="replica")]


async def test_records(server: ServerProcess) -> None:
    """A finished game is listed, its record has the moves, and its text can be read again."""
    async with asyncio.timeout(WITHIN), connect(server.url, name="Ada") as ada, connect(server.url) as ben:
        rooms = []
        for seed in (1, 2):
            one, two = await sit_down(ada, ben, REPLICA)
            await asyncio.gather(play_out(one, seed), play_out(two, seed + 10))
            rooms.append(one)
        record = await ada.records.record(rooms[0].room)
        assert [each.move for each in record.moves] == list(rooms[0].moves)
        assert (await ada.records.read(record.text)).result == record.result

        async def are_listed() -> bool:  # shortly after a game, without an event
            return len(await games_of_ada(ada)) == len(rooms)

        await until(are_listed)
        assert await games_of_ada(ada) == [table.room for table in reversed(rooms)]
        assert (await ada.records.page(player="Ada", game="isaac")).rows == ()
