"""Evaluations of positions of finished games are computed once."""

from __future__ import annotations

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.reviews import ReviewTable


async def test_the_first_evaluation_stays(database: Database) -> None:
    """A position has one evaluation, for all who ask."""
    table = ReviewTable(database)
    assert await table.find("r1", 3) is None
    await table.put("r1", 3, b"first")
    await table.put("r1", 3, b"second")
    await table.put("r1", 4, b"next")
    assert await table.all("r1") == [(3, b"first"), (4, b"next")]
    assert [await table.find("r1", ply) for ply in (3, 4, 5)] == [b"first", b"next", None]
