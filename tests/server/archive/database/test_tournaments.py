"""Finished tournaments are stored once."""

from __future__ import annotations

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.tournaments import TournamentTable


async def test_a_tournament_is_stored_once(database: Database) -> None:
    """Storing it again changes nothing, and an unknown one is not found."""
    table = TournamentTable(database)
    assert await table.find("cup") is None
    await table.put("cup", 1, b"log")
    await table.put("cup", 2, b"other")
    assert await table.find("cup") == b"log"
