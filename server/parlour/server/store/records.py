"""Records of finished games, as opaque bytes, and the lists to find them by."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from parlour.server.store.pipeline import Pipeline
from parlour.server.store.resp import Arg

MAX_LISTED = 10_000  # games, in the public lists


class Page(Struct, frozen=True):
    """Some finished games, newest first."""

    rooms: tuple[str, ...]
    more: str = ""  # the cursor of the next page; empty: there is none


class RecordStore:
    """The permanent records of finished games."""

    def __init__(self, pipeline: Pipeline, *, max_listed: int = MAX_LISTED) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        self._max_listed = max_listed

    async def put(
        self, room: str, record: bytes, game: str, players: Sequence[str], ended: int, *, private: bool = False
    ) -> None:
        """Store a record and list it for its players and, unless it is private, publicly. Idempotent."""
        await self._pipeline.call(b"SET", self._keys.record(room), record)
        groups = [(player,) for player in players] + ([tuple(players)] if len(players) == 2 else [])
        commands: list[tuple[Arg, ...]] = []
        for listed_game in ("*", game):
            commands += [(b"ZADD", self._keys.finished(*group, game=listed_game), ended, room) for group in groups]
            if not private:
                commands.append((b"ZADD", self._keys.finished(game=listed_game), ended, room))
                commands.append((b"ZREMRANGEBYRANK", self._keys.finished(game=listed_game), 0, -1 - self._max_listed))
        await self._pipeline.call_all(*commands)

    async def find(self, rooms: Sequence[str]) -> list[bytes | None]:
        """Return the records of some rooms, in one round trip."""
        return await self._pipeline.call_all(*((b"GET", self._keys.record(room)) for room in rooms))

    async def page(self, players: Sequence[str], game: str | None, before: str, count: int) -> Page:
        """Return public games, or those of one player, or of two players against each other.

        `before` is empty, or `more` of the previous page: games that end in the meantime neither shift nor repeat
        others. Raise ValueError if it is neither.
        """
        key = self._keys.finished(*players, game=game or "*")
        until, last_seen = _read_cursor(before)
        found: list[tuple[int, str]] = []
        at = 0
        # Games that ended in the same millisecond as the last one of the previous page may have been on it.
        while len(found) <= count:
            limit = (b"LIMIT", at, count + 1, b"WITHSCORES")
            flat = await self._pipeline.call(b"ZRANGE", key, until, b"-inf", b"BYSCORE", b"REV", *limit)
            rows = [(int(ended), room.decode()) for room, ended in zip(flat[::2], flat[1::2], strict=True)]
            found += [row for row in rows if last_seen is None or row < last_seen]
            at += len(rows)
            if len(rows) <= count:
                break
        shown = found[:count]
        more = f"{shown[-1][0]}-{shown[-1][1]}" if len(found) > count else ""
        return Page(tuple(room for _, room in shown), more)


def _read_cursor(before: str) -> tuple[str, tuple[int, str] | None]:
    if not before:
        return "+inf", None
    ended, dash, room = before.partition("-")
    if not (ended.isascii() and ended.isdecimal() and len(ended) <= 15 and dash):
        raise ValueError("not a cursor of a page")
    return ended, (int(ended), room)
