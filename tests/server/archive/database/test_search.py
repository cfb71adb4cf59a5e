"""Lists of games are indexed queries."""

from __future__ import annotations

import pytest
from sqlalchemy import Dialect, text
from sqlalchemy.dialects import postgresql, sqlite

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.search import Cursor, GameFilter, page_query, read_cursor


def test_cursors() -> None:
    """A cursor survives being sent to a client and back; anything else is refused."""
    assert read_cursor("") is None
    assert read_cursor(str(Cursor(17, "a-b"))) == Cursor(17, "a-b")
    for text_of_another in ("x", "1", "-a", "1.5-a", "²-a", "9" * 16 + "-a", "1-" + "a" * 65):
        with pytest.raises(ValueError):
            read_cursor(text_of_another)


@pytest.mark.parametrize(
    ("wanted", "index"),
    [
        (GameFilter(), "games_public "),
        (GameFilter(game="isaac"), "games_public_by_game"),
        (GameFilter(player="ada"), "PRIMARY KEY"),
        (GameFilter(player="ada", game="isaac"), "player_games_by_game"),
        (GameFilter(player="ada", opponent="ben"), "player_games_by_opponent"),
        (GameFilter(player="ada", result="drawn"), "player_games_by_result"),
    ],
)
@pytest.mark.parametrize("after", [None, Cursor(1_700_000_000_000, "room")])
async def test_sqlite_sorts_nothing(database: Database, wanted: GameFilter, index: str, after: Cursor | None) -> None:
    """SQLite walks through an index in the order of the list. (PostgreSQL's choice depends on the table's content.)"""
    if not database.is_file:
        return
    statement = page_query(wanted, after, 21).compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True})
    plan = await database.read(lambda connection: connection.execute(text(f"EXPLAIN QUERY PLAN {statement}")).all())
    steps = [row[-1] for row in plan]
    assert index in f"{steps[0]} "
    assert not any("B-TREE" in step or step.startswith("SCAN player_games") for step in steps)


def test_both_databases_understand_the_query() -> None:
    """The keyset is a comparison of rows, which both databases answer from an index."""
    query = page_query(GameFilter(player="ada"), Cursor(1, "r"), 21)
    dialects: list[Dialect] = [sqlite.dialect(), postgresql.dialect()]  # type: ignore[no-untyped-call]
    for dialect in dialects:
        assert "(player_games.ended, player_games.room) < (" in str(query.compile(dialect=dialect))
