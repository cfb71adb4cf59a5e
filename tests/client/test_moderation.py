"""Blocking, muting and reporting with the Python SDK."""

from __future__ import annotations

import pytest

from parlour.client.client import connect
from parlour.client.connection import RefusedError
from parlour.protocol.errors import ErrorCode
from parlour.protocol.types import Terms
from tests.e2e.processes import ServerProcess


async def test_players_are_blocked_muted_and_reported(server: ServerProcess) -> None:
    """The lists have their names, and a blocked player is refused."""
    async with connect(server.url, name="Calm Crane") as crane, connect(server.url, name="Loud Lark") as lark:
        await crane.moderation.block("Loud Lark")
        await crane.moderation.mute("Loud Lark")
        await crane.moderation.report("Loud Lark", "abuse", "Shouts")
        found = await crane.moderation.block_list()
        assert (found.blocked, found.muted) == (("Loud Lark",), ("Loud Lark",))
        with pytest.raises(RefusedError) as refused:
            await lark.challenge(Terms("isaac"), "Calm Crane")
        assert refused.value.code == ErrorCode.PLAYER_UNAVAILABLE
        await crane.moderation.block("Loud Lark", on=False)
        await crane.moderation.mute("Loud Lark", on=False)
        found = await crane.moderation.block_list()
        assert (found.blocked, found.muted) == ((), ())
