"""Ratings of players: rate finished games, and read ratings and leaderboards."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from parlour.server.players.glicko2 import Rating, after_game
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.ratings import RatingChange, RatingStore

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Rating).decode

ATTEMPTS = 100  # if the two players finish other games at the same time


class RatedPlayer(Struct, frozen=True):
    """A player of a rated game."""

    id: str
    is_guest: bool = False  # guests are rated but not listed on leaderboards


class LeaderboardRow(Struct, frozen=True):
    """A player on a leaderboard."""

    player: str
    rating: Rating


class Ratings:
    """The ratings of all players, separately for each game."""

    def __init__(self, store: RatingStore) -> None:
        self._store = store

    async def get(self, player: str, game: str) -> Rating:
        """Return a player's rating after the last rated game; the initial rating if there was none."""
        return _unpack(await self._store.get(player, game))

    async def all(self, player: str) -> dict[str, Rating]:
        """Return a player's ratings by game, without games in which none was rated."""
        return {game: _unpack(packed) for game, packed in (await self._store.all(player)).items()}

    async def rate_game(
        self, room: str, game: str, players: tuple[RatedPlayer, RatedPlayer], winner: int | None, at: int
    ) -> tuple[int, int] | None:
        """Rate a finished game and return the new ratings; None if it was rated before. Any node may do this."""
        for _ in range(ATTEMPTS):
            before = [await self._store.get(player.id, game) for player in players]
            after = after_game(_unpack(before[0]), _unpack(before[1]), winner, at)
            first, second = (
                RatingChange(player.id, old, encode(new), round(new.rating), new.established_until, player.is_guest)
                for player, old, new in zip(players, before, after, strict=True)
            )
            outcome = await self._store.rate(room, game, (first, second), at)
            if outcome != "conflict":
                return (first.shown, second.shown) if outcome == "rated" else None
        raise StoreUnavailable(f"the ratings of the players in room {room} keep changing")

    async def keep(self, player: str) -> None:
        """Make the ratings of a guest who registered permanent, and list them on the leaderboards."""
        for game, rating in (await self.all(player)).items():
            await self._store.keep(player, game, round(rating.rating), rating.established_until)

    async def leaderboard(self, game: str, first: int, count: int, now: int) -> list[LeaderboardRow]:
        """Return some rows of a leaderboard, strongest first."""
        players = await self._store.leaderboard(game, first, count, now)
        return [LeaderboardRow(player, await self.get(player, game)) for player in players]


def _unpack(packed: bytes) -> Rating:
    return decode(packed) if packed else Rating()
