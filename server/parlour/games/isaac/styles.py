"""The simple ways to play Isaac that the rules page defines: random and greedy."""

from __future__ import annotations

from random import Random

from parlour.games.api import Move
from parlour.games.isaac import placement, rules, scoring
from parlour.games.isaac.bars import listed
from parlour.games.isaac.rules import State


def at_random(state: State, rng: Random) -> Move:
    """Any placement. In the scoring phase any bar, and then any number of squares."""
    if not state.scoring:
        return _any_placement(state, rng)
    assert state.turn is not None
    bar = rng.choice(listed(rules.removable(state, state.turn)))
    return rng.choice(scoring.moves(bar.bit, state.tally, state.scores))


def greedy(state: State, rng: Random) -> Move:
    """Any placement. In the scoring phase the bar with most points, the longer at a tie, and all of them."""
    if not state.scoring:
        return _any_placement(state, rng)
    assert state.turn is not None
    found = scoring.gains(rules.removable(state, state.turn), state.tally, state.scores)
    bar, _ = max(found, key=lambda gain: (gain[1], gain[0].length))
    return scoring.moves(bar.bit, state.tally, state.scores)[-1]


def _any_placement(state: State, rng: Random) -> Move:
    assert state.turn is not None
    return rng.choice(placement.moves(state.turn, state.occupied, state.hands[state.turn]))


STYLES = {"random": at_random, "greedy": greedy}
