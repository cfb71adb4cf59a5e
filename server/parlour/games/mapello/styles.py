"""Mapello's named playing styles: random and greedy."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from parlour.games.api import Game, Move
from parlour.games.insight import Style
from parlour.games.mapello import rules
from parlour.games.mapello.board import SIDE
from parlour.games.mapello.rules import BONUS_POINTS, State
from parlour.games.perft import random_move


def greedy(game: Game[State], state: State, rng: Random) -> Move:
    """Return the move that turns most discs, with 3 for a bonus; at a tie the lowest cell, then the rightmost."""

    def worth(move: Move) -> tuple[int, int, int]:
        (cell,) = move
        row, column = divmod(cell, SIDE)
        bonus = BONUS_POINTS if state.bonuses >> cell & 1 else 0
        return rules.turned(state, cell).bit_count() + bonus, -row, column

    return max(game.moves(state), key=worth)


STYLES: Mapping[str, Style] = {
    "random": Style(random_move, "Plays any legal move."),
    "greedy": Style(
        greedy,
        "Takes the move that turns the most discs, counting a star as three. If several are equal, it takes the cell "
        "nearest the bottom, then nearest the right.",
    ),
}
