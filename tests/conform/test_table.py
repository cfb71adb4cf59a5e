"""A table at the server under test."""

from __future__ import annotations

from parlour.conform.codec import MSGPACK
from parlour.conform.scripted_server import ScriptedServer
from parlour.conform.testbed import ServerTestbed


async def test_any_game_can_be_played_without_its_rules() -> None:
    """Random walks through the choices are legal turns, even where choices have to be explored."""
    async with ScriptedServer(opponent=False, budget=0) as server:
        testbed = ServerTestbed(server.url, MSGPACK, "isaac", 30.0)
        table = await testbed.new_table()
        moved = await table.play(table.me, await table.turn())
        await table.beyond(len(table.replica.moves) - 1)
        assert table.replica.moves[-1] == moved.move
        await table.close()
        await testbed.close()
