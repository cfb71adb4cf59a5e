"""The rows of an archive, read in batches by primary key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Engine, Table, select, tuple_

from parlour.server.archive.database.engine import WRITES
from parlour.server.archive.database.games import insert_new
from parlour.server.archive.database.schema import (
    games,
    player_games,
    player_tournaments,
    rating_history,
    reviews,
    tournaments,
    variations,
)  # fmt: skip

BATCH = 500  # rows
TABLES = {
    "games": games,
    "player_games": player_games,
    "rating_history": rating_history,
    "reviews": reviews,
    "variations": variations,
    "tournaments": tournaments,
    "player_tournaments": player_tournaments,
}


def read_rows(engine: Engine, table: Table, batch: int = BATCH) -> Iterator[dict[str, Any]]:
    """Yield every row of a table, in the order of its primary key."""
    key = list(table.primary_key.columns)
    query = select(table).order_by(*key).limit(batch)
    last: list[Any] | None = None
    while True:
        with engine.connect() as connection:  # for one batch: no transaction stays open for long
            after = query if last is None else query.where(tuple_(*key) > tuple_(*last))
            rows = connection.execute(after).mappings().all()
        yield from map(dict, rows)
        if len(rows) < batch:
            return
        last = [rows[-1][column.name] for column in key]


def write_rows(engine: Engine, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert the rows that are not there yet."""
    with engine.connect().execution_options(**WRITES) as connection, connection.begin():
        insert_new(connection, table, rows)


def is_empty(engine: Engine) -> bool:
    """Return whether an archive has no games."""
    with engine.connect() as connection:
        return connection.execute(select(games.c.room).limit(1)).first() is None
