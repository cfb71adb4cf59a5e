"""The greedy level: what brings most at once."""

from __future__ import annotations

from parlour.games.api import Move
from parlour.games.mapello import rules
from parlour.games.mapello.rules import BONUS, SIDE, State


def choose(state: State) -> Move:
    """The move that turns most discs, with a bonus counted as three; then the lowest, then the rightmost.

    The game must not be over.
    """

    def worth(move: Move) -> tuple[int, int, int]:
        (cell,) = move
        row, column = divmod(cell, SIDE)
        bonus = BONUS if state.bonuses >> cell & 1 else 0
        return rules.turned(state, cell).bit_count() + bonus, -row, column

    return max(rules.moves(state), key=worth)
