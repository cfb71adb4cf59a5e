"""Ratings of all players, their history, and the leaderboards. What a game makes of them is written once."""

from __future__ import annotations

from typing import Protocol

import msgspec
from msgspec import Struct
from redis.asyncio import Redis

from parlour.server.rating import Rating, after_game
from parlour.server.store import keys
from parlour.server.store.pipe import script

MARK_LASTS = 100 * 24 * 3600 * 1000  # milliseconds; longer than the log of the room, so that it is never counted twice
GUEST_LASTS = 60 * 24 * 3600 * 1000  # milliseconds after the last rated game; longer than an unused guest
POINTS = 300  # of a history, about

TRIES = 100  # if the two players finish other games at the same time


class Rated(Protocol):
    """Somebody whose games count."""

    @property
    def id(self) -> str: ...
    @property
    def guest(self) -> bool: ...  # has no account, and therefore no place on a leaderboard


class Line(Struct, frozen=True):
    """A line of a leaderboard."""

    player: str
    rating: Rating


class Ratings:
    """Everything about ratings, for each game on its own."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._rate = redis.register_script(script("rate.lua").text)
        self._leaders = redis.register_script(script("leaders.lua").text)

    async def rating(self, player: str, game: str) -> Rating:
        """How strong somebody was after the last game that counted; of a newcomer, what everybody begins with."""
        return _unpack(await self._redis.hget(keys.ratings(player), game))

    async def all(self, player: str) -> dict[str, Rating]:
        """The same for every game that the player has played for it."""
        found = await self._redis.hgetall(keys.ratings(player))
        return {game: _unpack(packed) for game, packed in sorted((_text(name), value) for name, value in found.items())}

    async def count(
        self, room: str, game: str, players: tuple[Rated, Rated], winner: int | None, at: int
    ) -> tuple[int, int] | None:
        """Let a game count that has ended, and give the ratings after it; None if it did already.

        Any node may do this at any time: it is done once.
        """
        used = [keys.rated(room), keys.leaders(game), keys.leading_until(game)]
        for player in players:
            used += [keys.ratings(player.id), keys.rating_history(player.id, game)]
        for _ in range(TRIES):
            packed = [await self._redis.hget(keys.ratings(player.id), game) or b"" for player in players]
            after = after_game(_unpack(packed[0]), _unpack(packed[1]), winner, at)
            args: list[str | bytes | int] = [game, at, MARK_LASTS, POINTS]
            for player, before, rating in zip(players, packed, after, strict=True):
                until = 0 if player.guest else rating.sure_until
                lasts = GUEST_LASTS if player.guest else 0
                args += [player.id, before, msgspec.msgpack.encode(rating), round(rating.rating), until, lasts]
            done = await self._rate(used, args)
            if done >= 0:
                return (round(after[0].rating), round(after[1].rating)) if done else None
        raise TimeoutError(f"the ratings for room {room} change all the time")

    async def enlist(self, player: str) -> None:
        """A guest has an account now: the ratings stay for good, and count on the leaderboards."""
        for game, rating in (await self.all(player)).items():
            await self._redis.persist(keys.rating_history(player, game))
            if rating.sure_until:
                await self._redis.zadd(keys.leaders(game), {player: round(rating.rating)})
                await self._redis.zadd(keys.leading_until(game), {player: rating.sure_until})
        await self._redis.persist(keys.ratings(player))

    async def leaders(self, game: str, first: int, count: int, now: int) -> list[Line]:
        """Some lines of a leaderboard, the strongest first."""
        found = await self._leaders([keys.leaders(game), keys.leading_until(game)], [now, first, count])
        players = [_text(id) for id in found]
        return [Line(player, await self.rating(player, game)) for player in players]

    async def place(self, player: str, game: str, now: int) -> int | None:
        """The place on the leaderboard, from 1; None without one."""
        found = await self._leaders([keys.leaders(game), keys.leading_until(game)], [now, -1, player])
        return None if found is None else int(found) + 1

    async def history(self, player: str, game: str) -> list[tuple[int, int]]:
        """When the rating changed, and to what, oldest first. Of many changes in a short time only the last is kept."""
        found = await self._redis.lrange(keys.rating_history(player, game), 0, -1)
        return [(int(at), int(shown)) for at, shown in (point.split() for point in found)]


def _unpack(packed: bytes | str | None) -> Rating:
    assert not isinstance(packed, str), "the client gives bytes"
    return msgspec.msgpack.decode(packed, type=Rating) if packed else Rating()


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value
