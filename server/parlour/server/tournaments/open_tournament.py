"""A tournament that is open on this node: its log, its followers, and what the node knows about its games."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from parlour.server.compute import ComputeThread
from parlour.server.tournaments.followers import Followers
from parlour.server.tournaments.games import Game, GameResult, current_games
from parlour.server.tournaments.tournament import Tournament
from parlour.server.tournaments.view import TournamentView


class OpenTournament:
    """A tournament with what this node knows about it."""

    def __init__(
        self, tournament: Tournament, compute: ComputeThread, run: Callable[[Coroutine[Any, Any, None]], None]
    ) -> None:
        self.tournament = tournament
        self.followers = Followers(self.view, run)
        self.used_at = 0  # when it was last requested
        self._compute = compute
        self._view: TournamentView | None = None  # the latest
        self._viewing = asyncio.Lock()
        self._games: dict[str, Game] = {}  # that are to be played, by room
        self._games_at = -1  # the number of events after which they are
        self.results: dict[str, GameResult] = {}  # by room, of games whose end is about to be recorded
        self.begun: dict[str, int] = {}  # rooms that are known to exist, with the times of their last checks
        self.timer: asyncio.TimerHandle | None = None
        self.is_busy = False
        self.is_followed = False  # of a recurring tournament: the next one exists
        self.is_behind = False  # something has changed since the current run began

    async def view(self) -> TournamentView:
        """Return the current view of the tournament, computed once for each change."""
        tournament = self.tournament
        async with self._viewing:
            if self._view is None or self._view.seq != tournament.seq:
                view = TournamentView(tournament.id, tournament.state, tournament.seq)
                self._view = await self._compute.run(tournament.id, view.prepare)
            return self._view

    def game_in(self, room: str) -> Game | None:
        """Return the game that is to be played in a room; None if there is none."""
        tournament = self.tournament
        if self._games_at != tournament.seq:
            self._games = {game.room: game for game in current_games(tournament.id, tournament.state)}
            self._games_at = tournament.seq
        return self._games.get(room)
