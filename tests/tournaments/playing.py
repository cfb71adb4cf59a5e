"""Tournaments that are played to the end in a moment, with results chosen by the test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.protocol.types import Terms
from parlour.tournaments import commands
from parlour.tournaments.events import Event
from parlour.tournaments.settings import Settings
from parlour.tournaments.state import Match, TournamentState, evolve, fold

NOW = 1_700_000_000_000

Decide = Callable[[Match], str | None]  # the winner of the next game of a match


def settings(**values: Any) -> Settings:
    return Settings(**{"name": "Cup", "terms": Terms("replica"), "format": "round_robin", **values})


def first_wins(match: Match) -> str | None:
    return match.first


class Played:
    """A tournament and its log."""

    def __init__(
        self, players: int, rating: Callable[[int], int] = lambda number: 2000 - number, **values: Any
    ) -> None:
        chosen = settings(**values)
        self.log: list[Event] = commands.create(chosen, NOW, "p1" if chosen.format == "simul" else "")
        self.state = fold(self.log)
        for number in range(1, players + 1):
            self.apply(commands.enter(self.state, f"p{number}", f"Player {number}", rating(number), NOW))

    def apply(self, events: list[Event]) -> None:
        self.log += events
        for event in events:
            self.state = evolve(self.state, event)

    def start_round(self) -> None:
        self.apply(commands.start_round(self.state, NOW))

    def play_round(self, decide: Decide = first_wins) -> None:
        """Play the games of the current round."""
        while left := list(self.state.unfinished):
            index, match = left[0]
            game = len(match.winners)
            self.apply(commands.report(self.state, len(self.state.rounds), index, game, decide(match), NOW))

    def play(self, decide: Decide = first_wins) -> TournamentState:
        """Play the rest of the current round, and all rounds that are left."""
        self.play_round(decide)
        while not self.state.is_finished:
            self.start_round()
            self.play_round(decide)
        return self.state
