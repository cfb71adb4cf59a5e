"""A spectator: waits for a game, prints its moves as they are played, and then the result."""

import asyncio
import os

from parlour.client import Moved, Room, RoomEvent, connect

SERVER = os.environ.get("PARLOUR_SERVER", "http://127.0.0.1:8765")


async def main():
    async with connect(SERVER) as client:
        async with client.lobby() as lobby:
            async for _ in lobby:
                if lobby.live:
                    break
            table = await client.join(next(iter(lobby.live)))
        print(" against ".join(seated.player.name for seated in table.players), flush=True)
        async for event in table:
            if isinstance(event, Moved):
                print(event.move, flush=True)
            if isinstance(event, Room | RoomEvent) and event.result is not None:  # the table may be ahead of its events
                print(f"over: {event.result.reason}")
                break


asyncio.run(main())
