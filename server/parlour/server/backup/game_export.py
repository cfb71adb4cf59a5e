"""The records of an archive, as far as a filter wants them."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Engine, select

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.archive.database.schema import games
from parlour.server.archive.database.search import Cursor, GameFilter, page_query
from parlour.server.archive.record import GameRecord
from parlour.server.archive.storage import unpack
from parlour.server.players.names import fold_name
from parlour.server.store.names import NameStore
from parlour.server.store.pipeline import Pipeline

BATCH = 200  # games


def read_games(engine: Engine, wanted: GameFilter, batch: int = BATCH) -> Iterator[GameRecord]:
    """Yield the records of finished games, newest first. Raise Refusal if one was changed."""
    after: Cursor | None = None
    while True:
        with engine.connect() as connection:  # for one batch: no transaction stays open for long
            page = connection.execute(page_query(wanted, after, batch)).all()
            query = select(games.c.room, games.c.record).where(games.c.room.in_([row.room for row in page]))
            records = {row.room: row.record for row in connection.execute(query)}
        for row in page:
            yield unpack(records[row.room]).record
        if len(page) < batch:
            return
        after = Cursor(page[-1].ended, page[-1].room)


async def player_named(pipeline: Pipeline, name: str) -> str:
    """Return the id of the player with this name. Raise Refusal if there is none."""
    found = await NameStore(pipeline).holder(fold_name(name))
    if found is None:
        raise Refusal(ErrorCode.PLAYER_UNKNOWN, f"There is no player called {name}.")
    return found
