"""Ratings of players: rate finished games, and read ratings and leaderboards."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import Struct

from parlour.server.players.glicko2 import Rating, after_game
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.ratings import RatingChange, RatingStore, Standing

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Rating).decode
decode_pair = msgspec.msgpack.Decoder(tuple[bytes, bytes]).decode

ATTEMPTS = 100  # if a player finishes other games at the same time


class RatedPlayer(Struct, frozen=True):
    """A player of a rated game."""

    id: str
    is_guest: bool = False  # guests are rated but not listed on leaderboards


class CountedGame(Struct, frozen=True):
    """A rated game that has been counted."""

    ratings: tuple[int, int]  # after the game, as shown
    is_new: bool  # whether it was counted just now


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
    ) -> CountedGame:
        """Rate a finished game and return the new ratings, or those from before if it has been rated.

        Any node may do this, or complete it if another node dies halfway. Each player is rated against the opponent's
        rating when the first node began, whatever other games are rated at the same time.
        """
        before = [await self._store.get(player.id, game) for player in players]
        fixed = await self._store.fix(room, encode(before))
        first, second = (_unpack(packed) for packed in decode_pair(fixed.before))
        after = fixed.after or (
            await self._count(room, game, players[0], lambda mine: after_game(mine, second, winner, at)[0], 0),
            await self._count(room, game, players[1], lambda mine: after_game(first, mine, winner, at)[1], 1),
        )
        return CountedGame(after, is_new=await self._store.complete(room, [player.id for player in players], after))

    async def _count(
        self, room: str, game: str, player: RatedPlayer, rate: Callable[[Rating], Rating], seat: int
    ) -> int:
        """Count a game for one player, once, and return the new rating as shown."""
        for _ in range(ATTEMPTS):
            packed, shown = await self._store.read(player.id, game, room)
            rating = _unpack(packed)
            if shown is None:
                counted = await self._store.counted(room)  # only now, see `store/ratings.py`
                if counted is not None:
                    return counted[seat]
                rating = rate(rating)
                change = RatingChange(player.id, packed, encode(rating), round(rating.rating), player.is_guest)
                shown = await self._store.count(room, game, change)
            if shown is not None:
                await self._rank(game, player, rating)
                return shown
        raise StoreUnavailable(f"the ratings of the players in room {room} keep changing")

    async def _rank(self, game: str, player: RatedPlayer, rating: Rating) -> None:
        listed_until = 0 if player.is_guest else rating.established_until
        await self._store.rank(game, Standing(player.id, round(rating.rating), listed_until, rating.games))

    async def keep(self, player: str) -> None:
        """Make the ratings of a guest who registered permanent, and list them on the leaderboards."""
        await self._store.keep(player)
        for game, rating in (await self.all(player)).items():
            await self._rank(game, RatedPlayer(player), rating)

    async def leaderboard(self, game: str, first: int, count: int, now: int) -> list[LeaderboardRow]:
        """Return some rows of a leaderboard, strongest first."""
        players = await self._store.leaderboard(game, first, count, now)
        return [LeaderboardRow(player, await self.get(player, game)) for player in players]


def _unpack(packed: bytes) -> Rating:
    return decode(packed) if packed else Rating()
