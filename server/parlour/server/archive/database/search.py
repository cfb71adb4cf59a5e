"""Which finished games a list shows, as an indexed query with keyset paging."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct
from sqlalchemy import ColumnElement, Select, select, tuple_

from parlour.server.archive.database.schema import games, player_games

RESULTS = {"won": 1, "drawn": 0, "lost": -1}


class GameFilter(Struct, frozen=True, kw_only=True):
    """Which games a list includes. Without a player, only public games are listed, unless `private` is."""

    player: str | None = None
    opponent: str | None = None  # only with a player
    result: Literal["won", "lost", "drawn"] | None = None  # of the player
    game: str | None = None
    since: int | None = None  # the earliest and the latest time of the end, in milliseconds since 1970
    until: int | None = None
    min_plies: int = 0
    max_plies: int | None = None
    private: bool = False  # whether private games are listed without a player


class Cursor(Struct, frozen=True):
    """A place in a list: just after this game. Games that end in the meantime neither shift nor repeat others."""

    ended: int
    room: str

    def __str__(self) -> str:
        return f"{self.ended}-{self.room}"


def read_cursor(text: str) -> Cursor | None:
    """Return the cursor that `str` has written; None if the text is empty. Raise ValueError if it is anything else."""
    if not text:
        return None
    ended, dash, room = text.partition("-")
    if not (ended.isascii() and ended.isdecimal() and len(ended) <= 15 and dash and len(room) <= 64):
        raise ValueError("not a cursor of a list")
    return Cursor(int(ended), room)


def page_query(wanted: GameFilter, after: Cursor | None, count: int) -> Select[tuple[int, str, bytes]]:
    """Return the query for `ended`, `room` and `summary` of some games, newest first."""
    if wanted.player is None:
        table: Any = games.c
        query = select(table.ended, table.room, table.summary)
        if not wanted.private:
            query = query.where(table.private.is_(False))
    else:
        table = player_games.c
        query = select(table.ended, table.room, games.c.summary).join(games, games.c.room == table.room)
        query = query.where(table.player == wanted.player)
        if wanted.opponent is not None:
            query = query.where(table.opponent == wanted.opponent)
        if wanted.result is not None:
            query = query.where(table.result == RESULTS[wanted.result])
    query = query.where(*_conditions(table, wanted))
    if after is not None:
        query = query.where(tuple_(table.ended, table.room) < tuple_(after.ended, after.room))
    return query.order_by(table.ended.desc(), table.room.desc()).limit(count)


def _conditions(table: Any, wanted: GameFilter) -> list[ColumnElement[bool]]:
    conditions = []
    if wanted.game is not None:
        conditions.append(table.game == wanted.game)
    if wanted.since is not None:
        conditions.append(table.ended >= wanted.since)
    if wanted.until is not None:
        conditions.append(table.ended <= wanted.until)
    if wanted.min_plies:
        conditions.append(table.plies >= wanted.min_plies)
    if wanted.max_plies is not None:
        conditions.append(table.plies <= wanted.max_plies)
    return conditions
