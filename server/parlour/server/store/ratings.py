"""Ratings of all players, their history, and the leaderboards. The ratings themselves are opaque bytes."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from parlour.server.store.pipeline import Pipeline, script
from parlour.server.store.resp import Arg

RATE_GAME, LEADERBOARD = script("rate_game"), script("leaderboard")

RATED_TTL = 100 * 24 * 3600 * 1000  # milliseconds; longer than a room's log lives, so no game is counted twice
GUEST_RATING_TTL = 60 * 24 * 3600 * 1000  # milliseconds after the last rated game; longer than an unused guest lives
HISTORY_POINTS = 300  # the approximate length of a long history

OUTCOMES: dict[int, Literal["rated", "already_rated", "conflict"]] = {1: "rated", 0: "already_rated", -1: "conflict"}


class RatingChange(Struct, frozen=True):
    """A player's rating in one game before and after a game."""

    player: str
    before: bytes  # empty: the player had no rating
    after: bytes
    shown: int  # the new rating, rounded
    listed_until: int  # when the player leaves the leaderboard; 0: at once
    is_guest: bool = False  # the ratings of guests expire


class RatingStore:
    """Everything about ratings, separately for each game. Any node may rate a finished game: it is counted once."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        pipeline.load(RATE_GAME)
        pipeline.load(LEADERBOARD)

    async def get(self, player: str, game: str) -> bytes:
        """Return a player's rating in a game; empty if there is none."""
        return await self._pipeline.call(b"HGET", self._keys.ratings(player), game) or b""

    async def all(self, player: str) -> dict[str, bytes]:
        """Return a player's ratings by game."""
        found = await self._pipeline.call(b"HGETALL", self._keys.ratings(player))
        return {game.decode(): rating for game, rating in sorted(zip(found[::2], found[1::2], strict=True))}

    async def rate(
        self, room: str, game: str, changes: tuple[RatingChange, RatingChange], at: int
    ) -> Literal["rated", "already_rated", "conflict"]:
        """Store the ratings after a game that ended at `at`.

        Nothing is stored if the game was rated before, or on a conflict: a `before` is not the stored rating any more.
        """
        script_keys = [self._keys.rated(room), self._keys.leaderboard(game), self._keys.leaderboard_expiry(game)]
        args: list[Arg] = [game, at, RATED_TTL, HISTORY_POINTS]
        for change in changes:
            script_keys += [self._keys.ratings(change.player), self._keys.rating_history(change.player, game)]
            args += [change.player, change.before, change.after, change.shown]
            args += [0, GUEST_RATING_TTL] if change.is_guest else [change.listed_until, 0]
        return OUTCOMES[await self._pipeline.call_script(RATE_GAME, len(script_keys), *script_keys, *args)]

    async def keep(self, player: str, game: str, shown: int, listed_until: int) -> None:
        """Make a former guest's rating permanent, and list it on the leaderboard if `listed_until` is not 0."""
        await self._pipeline.call(b"PERSIST", self._keys.rating_history(player, game))
        if listed_until:
            await self._pipeline.call(b"ZADD", self._keys.leaderboard(game), shown, player)
            await self._pipeline.call(b"ZADD", self._keys.leaderboard_expiry(game), listed_until, player)
        await self._pipeline.call(b"PERSIST", self._keys.ratings(player))

    async def leaderboard(self, game: str, first: int, count: int, now: int) -> list[str]:
        """Return some players of a leaderboard, strongest first."""
        return [id.decode() for id in await self._leaderboard(game, now, first, count)]

    async def place(self, player: str, game: str, now: int) -> int | None:
        """Return the player's place on the leaderboard, from 1; None if the player is not on it."""
        found = await self._leaderboard(game, now, -1, player)
        return None if found is None else int(found) + 1

    async def history(self, player: str, game: str) -> list[tuple[int, int]]:
        """Return when the rating changed and to what, oldest first. Of rapid changes, only the last is kept."""
        found = await self._pipeline.call(b"LRANGE", self._keys.rating_history(player, game), 0, -1)
        return [(int(at), int(shown)) for at, shown in (point.split() for point in found)]

    async def _leaderboard(self, game: str, *args: str | int) -> Any:
        script_keys = (self._keys.leaderboard(game), self._keys.leaderboard_expiry(game))
        return await self._pipeline.call_script(LEADERBOARD, len(script_keys), *script_keys, *args)
