"""The first revision creates the archive."""

from __future__ import annotations

from sqlalchemy import inspect

from parlour.server.archive.database.database import Database


async def test_tables_and_identity(database: Database) -> None:
    """All tables exist, and the archive has an id."""
    names = await database.read(lambda connection: inspect(connection).get_table_names())
    assert set(names) >= {"alembic_version", "archive", "games", "player_games", "rating_history", "reviews"}
    assert len(await database.id()) == 16
