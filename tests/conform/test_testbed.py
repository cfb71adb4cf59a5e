"""The environment in which server checks run."""

from __future__ import annotations

import pytest

from parlour.conform.codec import MSGPACK
from parlour.conform.probe import NotReached
from parlour.conform.scripted_server import ScriptedServer
from parlour.conform.testbed import ServerTestbed


@pytest.mark.parametrize("opponent", [True, False])
async def test_a_table_is_found_and_kept(opponent: bool) -> None:
    """The kit plays against the server's opponent or its own second player, and reuses the table."""
    async with ScriptedServer(opponent=opponent) as server:
        testbed = ServerTestbed(server.url, MSGPACK, "replica", 30.0)
        table = await testbed.table()
        assert (table.other is None) == opponent
        assert await testbed.table() is table
        await testbed.close()


async def test_a_player_continues_on_another_connection() -> None:
    """`again` cuts the connection and returns a new one with the same token."""
    async with ScriptedServer() as server:
        testbed = ServerTestbed(server.url, MSGPACK, "replica", 30.0)
        first = await testbed.guest()
        second = await testbed.again(first)
        assert second.token == first.token
        await testbed.close()


async def test_without_a_server_nothing_can_be_checked() -> None:
    """An address where no server listens is reported as such."""
    with pytest.raises(NotReached, match="no connection"):
        await ServerTestbed("ws://127.0.0.1:9/ws", MSGPACK, "replica", 5.0).open()
