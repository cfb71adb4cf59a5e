"""Removing a player from the tables of the archive."""

from __future__ import annotations

from msgspec.structs import replace

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.erasure import ErasureTable
from parlour.server.archive.database.games import GameTable
from parlour.server.archive.database.rating_history import RatingHistory
from parlour.server.archive.database.search import GameFilter
from tests.server.archive.database.sample_rows import NOON, row


async def test_a_player_is_removed(database: Database) -> None:
    """The opponent keeps the game, with the new record; it can be repeated."""
    games, table = GameTable(database), ErasureTable(database)
    await games.put(row("r1", NOON, ratings=(1510, 1490)))
    await games.put(row("r2", NOON + 1, ("ada",)))
    assert sorted(await table.rooms("ada", 10)) == ["r1", "r2"]
    for _ in range(2):
        changed = replace(row("r1", NOON), record=b"erased", summary=b"erased")
        await table.replace("ada", "ben", changed)
        await table.forget_ratings("ada")
        assert await games.find("r1") == b"erased"
        assert await table.rooms("ada", 10) == ["r2"]
        page = await games.page(GameFilter(player="ben"), None, 10)
        assert page.summaries == (b"erased",)
        assert (await games.page(GameFilter(player="ben", opponent="ada"), None, 10)).summaries == ()
    history = RatingHistory(database)
    assert await history.points("ada", "isaac", 10) == []
    assert await history.points("ben", "isaac", 10) == [(NOON, 1490)]
