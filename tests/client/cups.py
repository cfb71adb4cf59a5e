"""Tournaments on a real server, for the tests of the clients."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from secrets import token_hex
from typing import Any

from parlour.client.client import Client, connect
from parlour.protocol.types import Clock, Terms, TournamentSettings

BLITZ = Clock("fischer", 300_000, 3_000)


@asynccontextmanager
async def cup(address: str, name: str, *, code: str = "", **settings: Any) -> AsyncIterator[tuple[Client, str]]:
    """The organiser of a tournament and its id. It begins as soon as its smallest number of players have entered."""
    usual: dict[str, Any] = {"format": "arena", "terms": Terms("replica", clock=BLITZ)}
    if settings.get("format", "arena") == "arena":
        usual["duration"] = 600_000
    async with connect(address) as organiser:
        await organiser.register(f"Olga {token_hex(4)}", "wooden bishop")
        wanted = TournamentSettings(name=name, **{**usual, **settings})
        yield organiser, await organiser.tournaments.create(wanted, code=code)
