"""A game in progress: the position, the moves that led to it, and what only the history can tell."""

from __future__ import annotations

from collections import Counter
from typing import Generic

from parlour.games.api import REPETITION, Game, Move, Outcome, S
from parlour.games.diagram import diagram
from parlour.games.options import Options


class Match(Generic[S]):
    """One play of a game, from the first position or from any other."""

    def __init__(self, game: Game[S], options: Options, state: S | None = None) -> None:
        self.game = game
        self.options = options
        self.state = game.initial(options) if state is None else state
        self.states = [self.state]  # every position so far; `states[n]` is the one after n moves
        self.moves: list[Move] = []
        self._occurrences = Counter([self.state])

    def __str__(self) -> str:
        return diagram(self.game.board(self.options), self.game.scene(self.state))

    @property
    def legal_moves(self) -> list[str]:
        """The texts of all legal moves, sorted."""
        return sorted(self.game.write(self.state, move) for move in self.game.moves(self.state))

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, by the rules of the position or by repetition; None while it goes on."""
        ended = self.game.outcome(self.state)
        if ended is None and self._occurrences[self.state] == self.game.info.repetition:
            return Outcome(None, REPETITION, self.game.scores(self.state))
        return ended

    def play(self, move: Move) -> None:
        """Play a move, which is trusted to be legal."""
        self.state = self.game.apply(self.state, move)
        self.states.append(self.state)
        self.moves.append(move)
        self._occurrences[self.state] += 1

    def play_text(self, text: str) -> None:
        """Play the move that a text stands for; refuse every text that is not a legal move."""
        self.play(self.game.read(self.state, text))

    def take_back(self) -> None:
        """Undo the last move."""
        self._occurrences[self.states.pop()] -= 1
        self.moves.pop()
        self.state = self.states[-1]
