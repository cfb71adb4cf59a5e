"""Public profiles of players, and leaderboards."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from parlour import games
from parlour.protocol.messages import GameRating, GetLeaderboard, GetProfile, Leaderboard, LeaderboardEntry, Profile
from parlour.protocol.types import Player
from parlour.server.archive.database.errors import ArchiveUnavailable
from parlour.server.archive.database.rating_history import RatingHistory
from parlour.server.players.glicko2 import Rating
from parlour.server.players.names import fold_name, player_unknown
from parlour.server.players.ratings import Ratings
from parlour.server.sessions.session import Session
from parlour.server.store.players import StoredPlayer
from parlour.server.store.store import Store

PAGE = 20  # rows of a leaderboard
MAX_POINTS = 300  # of a rating history


class Profiles:
    """Answers requests about players."""

    def __init__(self, store: Store, history: RatingHistory) -> None:
        self._store = store
        self._history = history
        self._ratings = Ratings(store.ratings)
        self.handlers: dict[type[Any], Callable[[Session, Any], Coroutine[Any, Any, None]]] = {
            GetProfile: self._get_profile,
            GetLeaderboard: self._get_leaderboard,
        }

    async def find(self, name: str) -> StoredPlayer:
        """Return the player of that name. Raise Refusal if there is none."""
        id = await self._store.players.id_of(fold_name(name))
        player = None if id is None else (await self._store.players.get([id]))[0]
        if player is None:
            raise player_unknown(name)
        return player

    async def ratings(self, player: str) -> dict[str, Rating]:
        """Return a player's ratings by game."""
        return await self._ratings.all(player)

    async def _get_profile(self, session: Session, command: GetProfile) -> None:
        player = await self.find(command.name)
        bots = await self._store.players.bots(player.id)
        related = await self._store.players.get([*bots, *([] if player.owner is None else [player.owner])])
        names = [None if each is None else each.name for each in related]
        session.send(
            Profile(
                id=command.id,
                player=public_player(player),
                created=player.created,
                online=await self._store.players.is_online(player.id),
                ratings=await self._game_ratings(player.id),
                owner=None if player.owner is None else names[-1],
                bots=tuple(sorted(name for name in names[: len(bots)] if name is not None)),
                playing=await rooms_to_watch(self._store, player.id),
                blocked=player.id in session.block_lists.blocked,
                muted=player.id in session.block_lists.muted,
            )
        )

    async def _get_leaderboard(self, session: Session, command: GetLeaderboard) -> None:
        games.find(command.game)
        now = self._store.clock.now()
        rows = await self._ratings.leaderboard(command.game, min(command.offset, 2**31), PAGE, now)
        players = await self._store.players.get([row.player for row in rows])
        entries = [
            LeaderboardEntry(public_player(player, row.rating, now), row.rating.games)
            for row, player in zip(rows, players, strict=True)
            if player is not None
        ]
        session.send(Leaderboard(id=command.id, game=command.game, offset=command.offset, rows=tuple(entries)))

    async def _game_ratings(self, player: str) -> tuple[GameRating, ...]:
        now = self._store.clock.now()
        ratings = await self._ratings.all(player)
        return tuple([await self._game_rating(player, game, each.aged(now), now) for game, each in ratings.items()])

    async def _game_rating(self, player: str, game: str, rating: Rating, now: int) -> GameRating:
        return GameRating(
            game=game,
            rating=round(rating.rating),
            deviation=round(rating.deviation),
            games=rating.games,
            won=rating.won,
            lost=rating.lost,
            drawn=rating.drawn,
            place=await self._store.ratings.place(player, game, now),
            history=await self._points(player, game),
        )

    async def _points(self, player: str, game: str) -> tuple[tuple[int, int], ...]:
        """Return the history of a rating; nothing while the archive cannot be used."""
        try:
            return tuple(await self._history.points(player, game, MAX_POINTS))
        except ArchiveUnavailable:
            return ()


async def rooms_to_watch(store: Store, player: str) -> tuple[str, ...]:
    """Return the rooms of a player's running games that are publicly listed."""
    return tuple(sorted(await store.live_games.listed(await store.seats.rooms(player))))


def public_player(player: StoredPlayer, rating: Rating | None = None, now: int = 0) -> Player:
    """Return a player as others see it, with a rating if one is given."""
    number, provisional = (None, False) if rating is None else rating.shown(now)
    return Player(player.name, number, provisional, player.kind == "bot", player.kind == "guest")
