"""The simple ways to play Mapello: random, greedy."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from parlour.games.api import Move
from parlour.games.insight import Style
from parlour.games.mapello import rules
from parlour.games.mapello.rules import BONUS, SIDE, State


def random(state: State, rng: Random) -> Move:
    """Any move."""
    return rng.choice(rules.moves(state))


def greedy(state: State, rng: Random) -> Move:
    """The move that turns most discs, with a bonus counted as three; then the lowest, then the rightmost."""

    def worth(move: Move) -> tuple[int, int, int]:
        (cell,) = move
        row, column = divmod(cell, SIDE)
        bonus = BONUS if state.bonuses >> cell & 1 else 0
        return rules.turned(state, cell).bit_count() + bonus, -row, column

    return max(rules.moves(state), key=worth)


STYLES: Mapping[str, Style] = {"random": random, "greedy": greedy}
