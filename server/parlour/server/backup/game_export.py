"""Exports the games of an archive that match a filter."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from sqlalchemy import Connection, Engine, select, tuple_

from parlour.server.archive.database.schema import games, rating_history
from parlour.server.archive.database.search import Cursor, GameFilter, page_query
from parlour.server.archive.storage import StoredGame, unpack
from parlour.server.players.names import fold_name, player_unknown
from parlour.server.store.names import NameStore
from parlour.server.store.pipeline import Pipeline

BATCH = 200  # games


class ExportedGame(Struct, frozen=True):
    """A game of the archive."""

    game: StoredGame
    ratings: tuple[int, int] | None  # of both players after the game, if it was rated


def export_games(engine: Engine, wanted: GameFilter, batch: int = BATCH) -> Iterator[ExportedGame]:
    """Yield finished games, newest first. Raise Refusal if a record was changed."""
    after: Cursor | None = None
    while True:
        with engine.connect() as connection:  # for one batch: no transaction stays open for long
            page = connection.execute(page_query(wanted, after, batch)).all()
            query = select(games.c.room, games.c.record).where(games.c.room.in_([row.room for row in page]))
            records = {row.room: row.record for row in connection.execute(query)}
            found = [unpack(records[row.room]) for row in page]
            ratings = _ratings(connection, found)
        for game in found:
            first, second = (ratings.get((game.record.room, id)) for id in game.ids)
            yield ExportedGame(game, None if first is None or second is None else (first, second))
        if len(page) < batch:
            return
        after = Cursor(page[-1].ended, page[-1].room)


def _ratings(connection: Connection, found: list[StoredGame]) -> dict[tuple[str, str], int]:
    """Return the ratings after rated games, by room and player."""
    table = rating_history.c
    keys = [
        (id, each.record.terms.game, each.record.ended, each.record.room)
        for each in found
        if each.record.terms.rated
        for id in each.ids
    ]
    if not keys:
        return {}
    query = select(table.room, table.player, table.rating)
    query = query.where(tuple_(table.player, table.game, table.ended, table.room).in_(keys))
    return {(row.room, row.player): row.rating for row in connection.execute(query)}


async def player_named(pipeline: Pipeline, name: str) -> str:
    """Return the id of the player with this name. Raise Refusal if there is none."""
    found = await NameStore(pipeline).holder(fold_name(name))
    if found is None:
        raise player_unknown(name)
    return found
