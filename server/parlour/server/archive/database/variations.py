"""Variations of finished games: those of each of its players, in one piece."""

from __future__ import annotations

from sqlalchemy import Connection, select

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.games import inserter
from parlour.server.archive.database.schema import player_games, variations


class VariationTable:
    """The variations that players have stored with their games, as opaque bytes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, room: str) -> dict[str, bytes]:
        """Return the variations of a game, by player."""
        query = select(variations.c.player, variations.c.lines).where(variations.c.room == room)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.player: row.lines for row in rows}

    async def rooms(self, player: str, count: int) -> list[str]:
        """Return games with variations of a player, newest first."""
        own = player_games.join(
            variations, (variations.c.room == player_games.c.room) & (variations.c.player == player_games.c.player)
        )
        query = select(player_games.c.room).select_from(own).where(player_games.c.player == player)
        query = query.order_by(player_games.c.ended.desc()).limit(count)
        return list(await self._database.read(lambda connection: connection.execute(query).scalars().all()))

    async def put(self, room: str, player: str, lines: bytes) -> None:
        """Store a player's variations of a game, in place of those from before."""

        def change(connection: Connection) -> None:
            insert = inserter(connection, variations)
            key = [variations.c.room, variations.c.player]
            connection.execute(
                insert.on_conflict_do_update(index_elements=key, set_={"lines": insert.excluded["lines"]}),
                {"room": room, "player": player, "lines": lines},
            )

        await self._database.write(change)
