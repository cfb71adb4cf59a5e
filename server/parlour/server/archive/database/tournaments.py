"""Finished tournaments: the events of each, in one piece."""

from __future__ import annotations

from sqlalchemy import Connection, select

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.games import inserter
from parlour.server.archive.database.schema import tournaments


class TournamentTable:
    """The logs of tournaments that are over, as opaque bytes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, tournament: str) -> bytes | None:
        """Return the log of a tournament; None if it is not here."""
        query = select(tournaments.c.log).where(tournaments.c.tournament == tournament)
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return None if row is None else row.log

    async def put(self, tournament: str, ended: int, log: bytes) -> None:
        """Store a tournament, unless it is here already: nothing happens in it any more."""

        def change(connection: Connection) -> None:
            insert = inserter(connection, tournaments).on_conflict_do_nothing()
            connection.execute(insert, {"tournament": tournament, "ended": ended, "log": log})

        await self._database.write(change)
