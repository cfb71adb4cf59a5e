"""Finished games in the archive."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, Insert, Table, select
from sqlalchemy.dialects import postgresql, sqlite

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.errors import ArchiveUnavailable
from parlour.server.archive.database.schema import games, player_games, rating_history
from parlour.server.archive.database.search import Cursor, GameFilter, page_query


class Seat(Struct, frozen=True):
    """A player of an archived game."""

    player: str
    opponent: str
    result: int  # 1 won, 0 drawn, -1 lost
    rating: int | None = None  # after the game; None if it was not rated


class GameRow(Struct, frozen=True, kw_only=True):
    """A finished game with its indexed columns. `record` and `summary` are opaque here."""

    room: str
    game: str
    started: int
    ended: int
    plies: int
    seq: int
    private: bool
    record: bytes
    summary: bytes
    seats: tuple[Seat, ...]  # of the players who have a list of games


class Page(Struct, frozen=True):
    """Some finished games, newest first."""

    summaries: tuple[bytes, ...]
    more: Cursor | None = None  # where the next page begins; None: there is none


class GameTable:
    """All finished games. Implements `rooms.registry.RoomArchive`."""

    unavailable = ArchiveUnavailable

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, row: GameRow) -> bool:
        """Store a game, or a later state of its room. Idempotent, and never replaces a newer state by an older one.

        Return False if another game with the same room is stored, which is kept.
        """
        taken: set[str] = set()

        def change(connection: Connection) -> None:
            taken.update(put(connection, [row]))

        await self._database.write(change)
        return not taken

    async def find(self, room: str) -> bytes | None:
        """Return the record of a room."""
        query = select(games.c.record).where(games.c.room == room)
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    async def contains(self, room: str) -> bool:
        """Return whether there is a game with this room; False if the database cannot be used."""
        query = select(games.c.seq).where(games.c.room == room)
        try:
            return await self._database.read(lambda connection: connection.execute(query).scalar()) is not None
        except ArchiveUnavailable:
            return False

    async def page(self, wanted: GameFilter, after: Cursor | None, count: int) -> Page:
        """Return some games of a list."""
        query = page_query(wanted, after, count + 1)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        shown = rows[:count]
        more = Cursor(shown[-1].ended, shown[-1].room) if len(rows) > count else None
        return Page(tuple(row.summary for row in shown), more)


def put(connection: Connection, rows: list[GameRow]) -> set[str]:
    """Store games as `GameTable.put` does, in the transaction of the caller; return the rooms of games left out."""
    stored = select(games.c.room, games.c.started).where(games.c.room.in_([row.room for row in rows]))
    started = {each.room: each.started for each in connection.execute(stored)}
    taken = {row.room for row in rows if started.get(row.room, row.started) != row.started}
    fresh = [row for row in rows if row.room not in taken]
    if not fresh:
        return taken
    connection.execute(_replace_older(connection.dialect.name), [_columns(row) for row in fresh])
    insert_new(connection, player_games, [seat for row in fresh for seat in _seats(row)])
    insert_new(connection, rating_history, [point for row in fresh for point in _points(row)])
    return taken


def insert_new(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert the rows that are not in a table yet."""
    if rows:
        connection.execute(inserter(connection, table).on_conflict_do_nothing(), rows)


def inserter(connection: Connection, table: Table) -> Any:
    """Return the INSERT of the database in use: ON CONFLICT is the same in both, but not part of the standard."""
    return _inserter(connection.dialect.name, table)


def _inserter(dialect: str, table: Table) -> Any:
    made: Insert = (postgresql if dialect == "postgresql" else sqlite).insert(table)
    return made


@cache
def _replace_older(dialect: str) -> Any:
    """Return the statement that inserts games and replaces older states. Built once, because `excluded` is costly."""
    insert = _inserter(dialect, games)
    changes = {name: insert.excluded[name] for name in ("seq", "record", "summary")}
    return insert.on_conflict_do_update(
        index_elements=[games.c.room], set_=changes, where=games.c.seq < insert.excluded.seq
    )


def _columns(row: GameRow) -> dict[str, Any]:
    return {column.name: getattr(row, column.name) for column in games.c}


def _seats(row: GameRow) -> list[dict[str, Any]]:
    shared = {"room": row.room, "ended": row.ended, "game": row.game, "plies": row.plies}
    return [{"player": seat.player, "opponent": seat.opponent, "result": seat.result, **shared} for seat in row.seats]


def _points(row: GameRow) -> list[dict[str, Any]]:
    shared = {"room": row.room, "ended": row.ended, "game": row.game}
    return [{"player": seat.player, "rating": seat.rating, **shared} for seat in row.seats if seat.rating is not None]
