"""The history of a rating: one point for each game, thinned out if there are many."""

from __future__ import annotations

from itertools import pairwise

from sqlalchemy import Connection

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.games import GameTable, put
from parlour.server.archive.database.rating_history import RatingHistory
from tests.server.archive.database.sample_rows import NOON, row


async def test_every_rated_game_is_a_point(database: Database) -> None:
    """Each player has an own history in each game, oldest first; games that are not rated leave none."""
    table, history = GameTable(database), RatingHistory(database)
    await table.put(row("r2", NOON + 2, ratings=(1600, 1400)))
    await table.put(row("r1", NOON + 1, ratings=(1550, 1450)))
    await table.put(row("r1", NOON + 1, ratings=(1550, 1450)))
    await table.put(row("r3", NOON + 3))
    await table.put(row("r4", NOON + 4, game="replica", ratings=(1500, 1500)))
    assert await history.points("ada", "isaac", 300) == [(NOON + 1, 1550), (NOON + 2, 1600)]
    assert await history.points("ben", "isaac", 300) == [(NOON + 1, 1450), (NOON + 2, 1400)]
    assert await history.points("ben", "replica", 300) == [(NOON + 4, 1500)]
    assert await history.points("eve", "isaac", 300) == []


async def test_a_long_history_is_thinned_out(database: Database) -> None:
    """No more points remain than were asked for, evenly spread, and the first and the last are among them."""
    rows = [row(f"r{number}", NOON + number, ratings=(number, number)) for number in range(250)]

    def change(connection: Connection) -> None:
        put(connection, rows)

    await database.write(change)
    history = RatingHistory(database)
    for most in (2, 7, 100, 249, 250, 300):
        numbers = [rating for _, rating in await history.points("ada", "isaac", most)]
        assert len(numbers) == min(most, 250)
        assert (numbers[0], numbers[-1]) == (0, 249)
        assert max(b - a for a, b in pairwise(numbers)) <= 250 // (len(numbers) - 1) + 1
