"""Finished tournaments: the events of each, in one piece, and who has taken part."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, delete, select, update

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.games import insert_new
from parlour.server.archive.database.schema import player_tournaments, tournaments


class TournamentTable:
    """The logs of tournaments that are over, as opaque bytes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, tournament: str) -> bytes | None:
        """Return the log of a tournament; None if it is not here."""
        query = select(tournaments.c.log).where(tournaments.c.tournament == tournament)
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return None if row is None else row.log

    async def put(self, tournament: str, ended: int, log: bytes, players: Iterable[str] = ()) -> None:
        """Store a tournament, unless it is here already: a finished tournament does not change."""

        def change(connection: Connection) -> None:
            insert_new(connection, tournaments, [{"tournament": tournament, "ended": ended, "log": log}])
            rows = [{"player": player, "tournament": tournament} for player in players]
            insert_new(connection, player_tournaments, rows)

        await self._database.write(change)

    async def of(self, player: str) -> list[str]:
        """Return the tournaments that a player has entered or organised."""
        query = select(player_tournaments.c.tournament).where(player_tournaments.c.player == player)
        return list(await self._database.read(lambda connection: connection.execute(query).scalars().all()))

    async def without_player(self, tournament: str, player: str, log: bytes) -> None:
        """Replace a tournament by one without a player, and take it off the player's list. It can be repeated."""

        def change(connection: Connection) -> None:
            here = tournaments.c.tournament == tournament
            connection.execute(update(tournaments).where(here).values({"log": log}))
            own = (player_tournaments.c.player == player, player_tournaments.c.tournament == tournament)
            connection.execute(delete(player_tournaments).where(*own))

        await self._database.write(change)
