"""Isaac's named playing styles: random and greedy."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from parlour.games.api import Game, Move
from parlour.games.insight import Style
from parlour.games.isaac import rules, scoring
from parlour.games.isaac.bars import listed
from parlour.games.isaac.rules import State
from parlour.games.perft import random_move


def at_random(game: Game[State], state: State, rng: Random) -> Move:
    """Return a random placement; in the scoring phase a random bar, then a random number of squares."""
    if not state.scoring:
        return random_move(game, state, rng)
    assert state.turn is not None
    bar = rng.choice(listed(rules.removable(state, state.turn)))
    return rng.choice(scoring.moves(bar.bit, state.tally, state.scores))


def greedy(game: Game[State], state: State, rng: Random) -> Move:
    """Return a random placement; in the scoring phase the bar with most points, the longer at a tie, in full."""
    if not state.scoring:
        return random_move(game, state, rng)
    assert state.turn is not None
    found = scoring.gains(rules.removable(state, state.turn), state.tally, state.scores)
    bar, _ = max(found, key=lambda gain: (gain[1], gain[0].length))
    return scoring.moves(bar.bit, state.tally, state.scores)[-1]


STYLES: Mapping[str, Style] = {
    "random": Style(at_random, "Lays any bar anywhere, and later lifts any bar and walks any number of squares."),
    "greedy": Style(
        greedy,
        "Lays at random. Lifts the bar that scores the most (the longer one if two score the same) and walks all its "
        "points, or as many as the other counter allows. The original program calls it hard.",
        alias="hard",
    ),
}
