"""The game archive of a server."""

from __future__ import annotations

import asyncio

from parlour.client import Terms, connect
from tests.client.playing import play_out, sit_down
from tests.e2e.processes import ServerProcess
from tests.waiting import WITHIN

REPLICA = Terms("replica")


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
        assert [line.room async for line in ada.records.games("Ada", game="replica")] == [
            table.room for table in reversed(rooms)
        ]
        assert (await ada.records.page(player="Ada", game="isaac")).rows == ()
