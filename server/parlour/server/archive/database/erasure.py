"""Removes a player from the archive, game by game."""

from __future__ import annotations

from sqlalchemy import Connection, delete, select, update

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.games import GameRow
from parlour.server.archive.database.schema import games, player_games, rating_history, variations


class ErasureTable:
    """Changes the tables of the archive when a player is deleted. Every change can be repeated."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def rooms(self, player: str, count: int) -> list[str]:
        """Return the rooms of some games of a player."""
        query = select(player_games.c.room).where(player_games.c.player == player).limit(count)
        return list(await self._database.read(lambda connection: connection.execute(query).scalars().all()))

    async def replace(self, player: str, opponent: str, row: GameRow) -> None:
        """Replace a game by one without the player and the player's variations, and take it off the player's list."""

        def change(connection: Connection) -> None:
            changed = {"record": row.record, "summary": row.summary}
            connection.execute(update(games).where(games.c.room == row.room).values(changed))
            here = (player_games.c.ended == row.ended, player_games.c.room == row.room)
            connection.execute(
                update(player_games).where(player_games.c.player == opponent, *here).values({"opponent": ""})
            )
            own = (variations.c.room == row.room, variations.c.player == player)
            connection.execute(delete(variations).where(*own))
            connection.execute(delete(player_games).where(player_games.c.player == player, *here))

        await self._database.write(change)

    async def forget_ratings(self, player: str) -> None:
        """Remove the history of a player's ratings."""

        def change(connection: Connection) -> None:
            connection.execute(delete(rating_history).where(rating_history.c.player == player))

        await self._database.write(change)
