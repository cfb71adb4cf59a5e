"""A game that is being played: a position, how it came about, and what only the history can tell."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Generic

from parlour.games.api import REPETITION, Game, Move, Outcome, S
from parlour.games.options import Options
from parlour.games.perft import random_move


class Match(Generic[S]):
    """One play of a game from a position on. Trusts the moves it is given."""

    def __init__(self, game: Game[S], options: Options, state: S | None = None) -> None:
        self.game = game
        self.options = options
        self.state = game.initial(options) if state is None else state
        self.states = [self.state]  # every position so far; `states[n]` is the one after n moves
        self.moves: list[Move] = []
        self._occurred = Counter([self.state])

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, by the rules of the position or by repetition; None while it goes on."""
        ended = self.game.outcome(self.state)
        if ended is None and self._occurred[self.state] == self.game.info.repetition:
            return Outcome(None, REPETITION, self.game.scores(self.state))
        return ended

    def play(self, move: Move) -> None:
        self.state = self.game.apply(self.state, move)
        self.states.append(self.state)
        self.moves.append(move)
        self._occurred[self.state] += 1

    def take_back(self) -> None:
        """Undo the last move."""
        self._occurred[self.states.pop()] -= 1
        self.moves.pop()
        self.state = self.states[-1]


def random_match(game: Game[S], options: Options, rng: Random) -> Match[S]:
    """A whole match of random moves."""
    match = Match(game, options)
    while match.outcome is None:
        match.play(random_move(game, match.state, rng))
    return match
