"""Records of finished games, as bytes, and the lists in which they are found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from redis.asyncio import Redis

from parlour.server.store import keys

LISTED = 10_000  # games, in the lists that are of no player


class Page(Struct, frozen=True):
    """Some finished games, newest first."""

    rooms: tuple[str, ...]
    more: str = ""  # where the next page begins; empty: there is none


class Records:
    """What is kept of finished games for good. To put a game in again does nothing."""

    def __init__(self, redis: Redis, *, listed: int = LISTED) -> None:
        self._redis = redis
        self._listed = listed

    async def put(
        self, room: str, record: bytes, game: str, players: Sequence[str], ended: int, *, private: bool = False
    ) -> None:
        """Keep a record, and list it: among those of its players, and unless it is private among all."""
        await self._redis.set(keys.record(room), record)
        groups = [(player,) for player in players] + ([tuple(players)] if len(players) == 2 else [])
        async with self._redis.pipeline(transaction=False) as listing:
            for kind in ("*", game):
                for group in groups:
                    listing.zadd(keys.finished(*group, game=kind), {room: ended})
                if not private:
                    listing.zadd(keys.finished(game=kind), {room: ended})
                    listing.zremrangebyrank(keys.finished(game=kind), 0, -1 - self._listed)
            await listing.execute()

    async def find(self, rooms: Sequence[str]) -> list[bytes | None]:
        """The records of some rooms, in one question."""
        if not rooms:
            return []
        async with self._redis.pipeline(transaction=False) as asking:
            for room in rooms:
                asking.get(keys.record(room))
            return list(await asking.execute())

    async def page(self, players: Sequence[str], game: str | None, before: str, count: int) -> Page:
        """Finished games of nobody in particular, of a player, or of two against each other.

        `before` is empty, or the `more` of the page before: nothing is left out or told twice, whatever has ended
        meanwhile. Raises ValueError if it is neither.
        """
        key = keys.finished(*players, game=game or "*")
        until, past = _cursor(before)
        found: list[tuple[int, str]] = []
        at = 0
        # Games that ended in the same millisecond as the last one of the page before may have been on it.
        while len(found) <= count:
            rows: Any = await self._redis.zrange(
                key, until, "-inf", desc=True, byscore=True, offset=at, num=count + 1, withscores=True
            )
            found += [row for row in ((int(ended), _text(room)) for room, ended in rows) if past is None or row < past]
            at += len(rows)
            if len(rows) <= count:
                break
        shown = found[:count]
        more = f"{shown[-1][0]}-{shown[-1][1]}" if len(found) > count else ""
        return Page(tuple(room for _, room in shown), more)


def _cursor(before: str) -> tuple[str, tuple[int, str] | None]:
    if not before:
        return "+inf", None
    ended, dash, room = before.partition("-")
    if not (ended.isascii() and ended.isdecimal() and len(ended) <= 15 and dash):
        raise ValueError("no cursor of ours")
    return ended, (int(ended), room)


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value
