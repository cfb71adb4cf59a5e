"""The second revision adds the variations of finished games."""

from __future__ import annotations

from sqlalchemy import inspect

from parlour.server.archive.database.database import Database


async def test_the_table_exists(database: Database) -> None:
    """It has one row for each player of a game."""
    key = await database.read(lambda connection: inspect(connection).get_pk_constraint("variations"))
    assert key["constrained_columns"] == ["room", "player"]
