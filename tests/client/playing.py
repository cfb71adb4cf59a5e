"""Whole games through the SDK, with random turns."""

from __future__ import annotations

import asyncio
from random import Random

from parlour.client import Client, Table
from parlour.client.turn import Turn
from parlour.protocol.messages import Profile
from parlour.protocol.types import Result, Terms
from tests.waiting import WITHIN, until


async def any_turn(table: Table, turn: Turn, chance: Random) -> Turn:
    """Return a random complete turn, exploring where the choices are truncated."""
    while not turn.complete:
        turn = chance.choice((await table.explore(turn)).children())
    return turn


async def play_out(table: Table, seed: int, turns: int = 10_000) -> Result | None:
    """Play the given number of turns, or to the end."""
    chance = Random(seed)
    for _ in range(turns):
        turn = await table.my_turn()
        if turn is None:
            break
        await table.play(await any_turn(table, turn, chance))
    return table.result


async def sit_down(first: Client, second: Client, terms: Terms) -> tuple[Table, Table]:
    """Start a game between two clients; `first` has the first seat."""
    invitation = await first.challenge(terms, seat="first")
    theirs = await second.accept(invitation.seek)
    async with asyncio.timeout(WITHIN):
        return await invitation.table(), theirs


async def rated(client: Client, name: str, games: int = 1) -> Profile:
    """Wait until a player is rated in that many games. Ratings appear shortly after a game, without an event."""

    async def is_rated() -> bool:
        return len((await client.profile(name)).ratings) >= games

    await until(is_rated)
    return await client.profile(name)
