"""Ratings of all players, and the leaderboards. The ratings themselves are opaque bytes.

The two players of a game are in different slots of a cluster, so a game is counted in steps, and any node can repeat or
continue them:

1. `fix` the ratings with which both players enter into the result, in the slot of the room.
2. For each player: `read` the rating, make sure with `counted` that the game is not counted yet, and `count` it. What
   other games have changed in the meantime is not lost: `count` refuses a rating that is not the stored one.
3. `complete` the game in the slot of the room; then the players forget that they have counted it.

A game is counted once for each player. To count it again, a node would have to read the rating after it was counted the
first time; but then the player knows that, or the room, which is asked after the player, already does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from parlour.server.store.pipeline import Pipeline, Script, script

SCRIPTS = FIX, COUNT, RANK, LEADERBOARD = tuple(
    script(name) for name in ("fix_ratings", "count_game", "rank_player", "leaderboard")
)  # fmt: skip

RATED_TTL = 100 * 24 * 3600 * 1000  # milliseconds; longer than a room's log lives, so no game is counted twice
GUEST_RATING_TTL = 60 * 24 * 3600 * 1000  # milliseconds after the last rated game; longer than an unused guest lives
ARCHIVED_TTL = 60_000  # milliseconds after a game was archived, which then proves that it was counted

COUNTED = "counted:"  # prefix of the fields for games that are being counted

Ratings = tuple[int, int]  # of both players, as shown


class RatingChange(Struct, frozen=True):
    """A player's rating in one game before and after a game."""

    player: str
    before: bytes  # empty: the player had no rating
    after: bytes
    shown: int  # the new rating, rounded
    is_guest: bool = False  # the ratings of guests expire


class Standing(Struct, frozen=True):
    """A player's entry on a leaderboard."""

    player: str
    shown: int  # the rating, rounded
    listed_until: int  # time at which the player leaves the leaderboard; 0: at once
    games: int  # rated so far


class FixedRatings(Struct, frozen=True):
    """The ratings with which two players enter into the result of their game."""

    before: bytes
    after: Ratings | None  # None: the game is not counted yet for both


class RatingStore:
    """Everything about ratings, separately for each game."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        for each in SCRIPTS:
            pipeline.load(each)

    async def get(self, player: str, game: str) -> bytes:
        """Return a player's rating in a game; empty if there is none."""
        return await self._pipeline.call(b"HGET", self._keys.ratings(player), game) or b""

    async def all(self, player: str) -> dict[str, bytes]:
        """Return a player's ratings by game."""
        found = await self._pipeline.call(b"HGETALL", self._keys.ratings(player))
        fields = {field.decode(): value for field, value in sorted(zip(found[::2], found[1::2], strict=True))}
        return {game: rating for game, rating in fields.items() if not game.startswith(COUNTED)}

    async def put(self, player: str, ratings: Mapping[str, bytes]) -> None:
        """Replace all ratings of a player, by game. They do not expire."""
        key = self._keys.ratings(player)
        fields = [argument for field in ratings.items() for argument in field]
        await self._pipeline.call_all((b"DEL", key), *([(b"HSET", key, *fields)] if fields else []))

    # -- counting a game

    async def fix(self, room: str, before: bytes) -> FixedRatings:
        """Fix the ratings before a game, opaque to the store, or return those that another node has fixed."""
        fixed, after = await self._pipeline.call_script(FIX, 1, self._keys.rated(room), before, RATED_TTL)
        return FixedRatings(fixed, _read(after))

    async def read(self, player: str, game: str, room: str) -> tuple[bytes, int | None]:
        """Return a player's rating, and the one after the game in this room if that is being counted."""
        fields = (game, f"{COUNTED}{room}")
        rating, counted = await self._pipeline.call(b"HMGET", self._keys.ratings(player), *fields)
        return rating or b"", None if counted is None else int(counted)

    async def counted(self, room: str) -> Ratings | None:
        """Return the ratings after a game that has been counted for both players."""
        return _read(await self._pipeline.call(b"HGET", self._keys.rated(room), b"after"))

    async def count(self, room: str, game: str, change: RatingChange) -> int | None:
        """Count a game for a player, and return the new rating as shown.

        Return None if `before` is not the stored rating any more, and nothing is stored.
        """
        ttl = GUEST_RATING_TTL if change.is_guest else 0
        args = (game, f"{COUNTED}{room}", change.before, change.after, change.shown, ttl)
        shown = await self._pipeline.call_script(COUNT, 1, self._keys.ratings(change.player), *args)
        return int(shown) or None

    async def complete(self, room: str, players: Sequence[str], after: Ratings) -> bool:
        """Note that a game has been counted for both players; return False if that was noted before."""
        rated = self._keys.rated(room)
        text = " ".join(map(str, after))
        is_new, _ = await self._pipeline.call_all((b"HSETNX", rated, b"after", text), (b"PEXPIRE", rated, RATED_TTL))
        field = f"{COUNTED}{room}"
        await self._pipeline.call_all(*((b"HDEL", self._keys.ratings(player), field) for player in players))
        return bool(is_new)

    async def archived(self, room: str) -> None:
        """Let the marks of a counted game expire: the game is in the archive."""
        await self._pipeline.call(b"PEXPIRE", self._keys.rated(room), ARCHIVED_TTL)

    async def remove(self, player: str, game: str) -> bool:
        """Remove a player's rating in a game, also from the leaderboard; return False if there is none."""
        removed = await self._pipeline.call(b"HDEL", self._keys.ratings(player), game)
        keys = self._keys
        await self._pipeline.call_all(
            (b"ZREM", keys.leaderboard(game), player),
            (b"ZREM", keys.leaderboard_expiry(game), player),
            (b"HDEL", keys.leaderboard_games(game), player),
        )
        return bool(removed)

    # -- leaderboards

    async def rank(self, game: str, standing: Standing) -> None:
        """Put a player on the leaderboard, or take the player off it. An older standing never replaces a newer one."""
        args = (standing.player, standing.shown, standing.listed_until, standing.games)
        await self._call_leaderboard(RANK, game, *args)

    async def keep(self, player: str) -> None:
        """Make a former guest's ratings permanent."""
        await self._pipeline.call(b"PERSIST", self._keys.ratings(player))

    async def leaderboard(self, game: str, first: int, count: int, now: int) -> list[str]:
        """Return some players of a leaderboard, strongest first."""
        return [id.decode() for id in await self._call_leaderboard(LEADERBOARD, game, now, first, count)]

    async def place(self, player: str, game: str, now: int) -> int | None:
        """Return the player's place on the leaderboard, from 1; None if the player is not on it."""
        found = await self._call_leaderboard(LEADERBOARD, game, now, -1, player)
        return None if found is None else int(found) + 1

    async def _call_leaderboard(self, script: Script, game: str, *args: str | int) -> Any:
        keys = self._keys
        script_keys = (keys.leaderboard(game), keys.leaderboard_expiry(game), keys.leaderboard_games(game))
        return await self._pipeline.call_script(script, len(script_keys), *script_keys, *args)


def _read(after: bytes | None) -> Ratings | None:
    if after is None:
        return None
    first, second = map(int, after.split())
    return first, second
