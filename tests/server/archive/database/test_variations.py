"""Variations are stored with their game, for each of its players."""

from __future__ import annotations

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.games import GameTable
from parlour.server.archive.database.variations import VariationTable
from tests.server.archive.database.sample_rows import NOON, row


async def test_each_player_has_variations(database: Database) -> None:
    """The newest of a player replace the older ones; other players and other games keep theirs."""
    table = VariationTable(database)
    assert await table.find("r1") == {}
    await table.put("r1", "ada", b"first")
    await table.put("r1", "ben", b"other")
    await table.put("r2", "ada", b"elsewhere")
    await table.put("r1", "ada", b"second")
    assert await table.find("r1") == {"ada": b"second", "ben": b"other"}


async def test_games_with_variations_are_found(database: Database) -> None:
    """Those of one player, newest first."""
    games, table = GameTable(database), VariationTable(database)
    for number in range(4):
        await games.put(row(f"r{number}", NOON + number))
    for room in ("r0", "r1", "r3"):
        await table.put(room, "ada", b"lines")
    await table.put("r2", "ben", b"lines")
    assert await table.rooms("ada", 2) == ["r3", "r1"]
    assert await table.rooms("ada", 10) == ["r3", "r1", "r0"]
    assert await table.rooms("ben", 10) == ["r2"]
