"""A client of every profile that uses nothing but the Python SDK, as `parlour conform client` starts it."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Mapping

from parlour.client.client import Client, connect
from parlour.client.table import Table
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Challenged
from parlour.protocol.types import Terms

# The position changed while the turn was on its way.
OUTDATED = frozenset((ErrorCode.STALE_PLY, ErrorCode.NOT_YOUR_TURN, ErrorCode.GAME_OVER))


async def play(table: Table) -> None:
    """Play random turns until the game is over."""
    while turn := await table.my_turn():
        try:
            while not turn.complete:
                turn = await table.explore(turn)
                turn = turn.pick(random.choice(turn.legal_picks).place)
            await table.play(turn)
        except Refusal as refusal:
            if refusal.code not in OUTDATED:
                raise
            await asyncio.sleep(0.1)  # the update that explains it may be on its way


async def meet(client: Client, game: str) -> Table:
    """Accept the first open seek for the game."""
    async with client.lobby() as lobby:
        tried: set[str] = set()
        async for _ in lobby:
            for seek in list(lobby.seeks.values()):
                if seek.terms.game == game and seek.seek not in tried:
                    tried.add(seek.seek)
                    try:
                        return await client.accept(seek.seek)
                    except Refusal:
                        continue
    raise ConnectionError("The lobby was closed.")


async def challenged(client: Client) -> Table:
    """Accept the first challenge that is still open."""
    async for notification in client.notifications():
        if isinstance(notification, Challenged):
            try:
                return await client.accept(notification.seek)
            except Refusal:
                continue
    raise ConnectionError("There was no challenge.")


async def run(told: Mapping[str, str]) -> None:
    """Do what a profile does, once."""
    game = told["PARLOUR_GAME"]
    async with connect(told["PARLOUR_URL"], token=told.get("PARLOUR_TOKEN"), wait=True) as client:
        match told["PARLOUR_PROFILE"]:
            case "player":
                await play(await client.quick_match(Terms(game)))
            case "spectator":
                await (await client.join(told["PARLOUR_ROOM"])).over()
            case "lobby":
                await (await meet(client, game)).over()
            case "bot":
                await play(await challenged(client))


if __name__ == "__main__":
    asyncio.run(run(os.environ))
