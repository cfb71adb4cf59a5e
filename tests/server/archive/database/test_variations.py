"""Variations are stored with their game, for each of its players."""

from __future__ import annotations

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.variations import VariationTable


async def test_each_player_has_variations(database: Database) -> None:
    """The newest of a player replace the older ones; other players and other games keep theirs."""
    table = VariationTable(database)
    assert await table.find("r1") == {}
    await table.put("r1", "ada", b"first")
    await table.put("r1", "ben", b"other")
    await table.put("r2", "ada", b"elsewhere")
    await table.put("r1", "ada", b"second")
    assert await table.find("r1") == {"ada": b"second", "ben": b"other"}
