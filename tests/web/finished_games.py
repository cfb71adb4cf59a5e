"""Finished games, played by clients without a browser."""

from __future__ import annotations

from parlour.protocol.messages import Resign
from tests.e2e.people import people, sit_down


async def finished_game(url: str, game: str = "mapello", moves: int = 6) -> str:
    """Let Ann and Ben play some moves until the player to move resigns, and return the room."""
    async with people(url, "Ann", "Ben") as (ann, ben):
        room = await sit_down(ann, ben, game)
        for _ in range(moves):
            mover = ann if ann.table.scene.to_move == ann.table.seat else ben
            ply = len(mover.table.moves)
            await mover.plays()
            for person in (ann, ben):
                await person.sees(lambda table: len(table.moves) > ply)  # noqa: B023  # awaited here
        loser = ann if ann.table.scene.to_move == ann.table.seat else ben
        await loser.does(Resign(id=0, room=room))
        return room
