"""The fourth revision adds the players of finished tournaments."""

from __future__ import annotations

from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import Connection, select, text

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.migrations.versions import r0004_players_of_tournaments as revision
from parlour.server.archive.database.schema import player_tournaments
from parlour.server.archive.database.tournaments import TournamentTable
from parlour.server.tournaments.tournament import encode
from tests.server.tournaments.cups import opened


async def test_players_of_older_tournaments_are_found(database: Database) -> None:
    """Their ids are in the logs; guests and levels of the computer that have none are left out."""
    await TournamentTable(database).put("cup", 1, encode(opened(2)))

    def migrate(connection: Connection) -> list[tuple[str, str]]:
        connection.execute(text("DROP TABLE player_tournaments"))
        with Operations.context(MigrationContext.configure(connection)):
            revision.upgrade()
        query = select(player_tournaments).order_by(player_tournaments.c.player)
        return [tuple(row) for row in connection.execute(query)]

    found: list[tuple[str, str]] = []
    await database.write(lambda connection: found.extend(migrate(connection)))
    assert found == [("id-of-Ada", "cup"), ("id-of-Ben", "cup"), ("id-of-olga", "cup")]
