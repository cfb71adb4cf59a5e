"""Whole games by the vocabulary of a client, with turns by chance."""

from __future__ import annotations

import asyncio
from random import Random

from parlour.client import Parlour, Table
from parlour.client.turn import Turn
from parlour.protocol.messages import Profile
from parlour.protocol.tables import Result, Terms
from tests.waiting import WITHIN, until


async def any_turn(table: Table, turn: Turn, chance: Random) -> Turn:
    """A whole turn, asking further where the choices are cut."""
    while not turn.complete:
        turn = chance.choice((await table.explore(turn)).followers())
    return turn


async def play_out(table: Table, seed: int, turns: int = 10_000) -> Result | None:
    """Make so many turns, or play to the end."""
    chance = Random(seed)
    for _ in range(turns):
        turn = await table.my_turn()
        if turn is None:
            break
        await table.play(await any_turn(table, turn, chance))
    return table.result


async def sit_down(first: Parlour, second: Parlour, terms: Terms) -> tuple[Table, Table]:
    """Two at one table; the first one has the first seat."""
    invitation = await first.challenge(terms, seat="first")
    theirs = await second.accept(invitation.seek)
    async with asyncio.timeout(WITHIN):
        return await invitation.table(), theirs


async def rated(parlour: Parlour, name: str, games: int = 1) -> Profile:
    """A player with ratings for so many games. They come a moment after a game, and nobody is told."""

    async def is_rated() -> bool:
        return len((await parlour.player(name)).ratings) >= games

    await until(is_rated)
    return await parlour.player(name)
