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


async def test_a_player_is_removed(database: Database) -> None:
    """The tournament is found by its other players only."""
    table = TournamentTable(database)
    await table.put("cup", 1, b"log", {"ada", "ben"})
    await table.put("cup", 1, b"log", {"ada", "ben"})
    await table.put("league", 1, b"log", {"ben"})
    assert (await table.of("ada"), sorted(await table.of("ben"))) == (["cup"], ["cup", "league"])
    for _ in range(2):
        await table.without_player("cup", "ada", b"erased")
        assert await table.find("cup") == b"erased"
        assert (await table.of("ada"), sorted(await table.of("ben"))) == ([], ["cup", "league"])
