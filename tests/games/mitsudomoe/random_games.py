"""Positions as chance makes them."""

from __future__ import annotations

from random import Random

from parlour.games.mitsudomoe import GAME
from parlour.games.mitsudomoe.position import State
from parlour.games.perft import random_move

OPTIONS = GAME.options({})


def positions(seed: int, many: int) -> list[State]:
    """Positions of random games."""
    rng = Random(seed)
    found: list[State] = []
    state = GAME.initial(OPTIONS)
    while len(found) < many:
        if state.turn is None:
            state = GAME.initial(OPTIONS)
        found.append(state)
        state = GAME.apply(state, random_move(GAME, state, rng))
    return found
