"""A spectator: waits for a game, prints its moves as they are played, and then the result."""

import asyncio
import os

from parlour.client import connect

SERVER = os.environ.get("PARLOUR_SERVER", "http://127.0.0.1:8765")


async def main():
    async with connect(SERVER) as client:
        async with client.lobby() as lobby:
            async for _ in lobby:
                if lobby.live:
                    break
            table = await client.join(next(iter(lobby.live)))
        print(" against ".join(seated.player.name for seated in table.players), flush=True)
        shown = 0  # moves
        async for _ in table:  # begins with the room as it is
            for move in table.moves[shown:]:
                print(move, flush=True)
            shown = len(table.moves)
            if table.result is not None:
                print(f"over: {table.result.reason}")
                break


asyncio.run(main())
