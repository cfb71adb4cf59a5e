"""The seed levels of Replica choose as the rules page says."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from random import Random
from typing import Any

import pytest

from bench.naive import replica as naive
from parlour.games.api import Move
from parlour.games.replica import GAME, styles

OPTIONS = GAME.options({})
Choose = Callable[[Any, Any, Random], Move]

ENDING = "......../.....w../....wW../......../..b...../.bB...../......../........ w"
RACE = "......../......../......w./...W..../......../.b....../b.B...../........ b"
OPENING = "....wwwW/....wwww/......ww/......ww/bb....../bb....../bbbb..../Bbbb.... w"


def value(position: naive.Position, side: str) -> float:
    """By the words of the rules, on a board of lists; what is over is won or lost."""
    if position.winner is not None:
        return inf if position.winner == naive.NAMES[side] else -inf
    enemy_king = "B" if side == "w" else "W"
    mine = naive.Position(position.board, side, two_kings=False, forward_sight=False, blocked_by_any=False)
    captures = sum(position.board[turn[2]][turn[3]] == enemy_king for turn in naive.turns(mine))
    far = 0 if side == "w" else len(position.board) - 1
    distances = sum(
        max(abs(row - far), abs(column - far))
        for row, line in enumerate(position.board)
        for column, piece in enumerate(line)
        if piece.lower() == side
    )
    return 100 * captures + 10 / (1 + distances)


def worth(position: naive.Position, side: str, depth: int) -> float:
    """Minimax without any short cut."""
    if depth == 0 or position.side == "-":
        return value(position, side)
    after = [worth(naive.make(position, turn), side, depth - 1) for turn in naive.turns(position)]
    return max(after) if position.side == side else min(after)


def best(text: str, depth: int) -> set[str]:
    """All moves that are as good as any."""
    position = naive.parse(text)
    worths = {
        naive.write(turn): worth(naive.make(position, turn), position.side, depth - 1) for turn in naive.turns(position)
    }
    return {move for move, value in worths.items() if value == max(worths.values())}


def chosen(style: Choose, text: str, seeds: int) -> set[str]:
    state = GAME.parse(text, OPTIONS)
    return {GAME.write(state, style(GAME, state, Random(seed))) for seed in range(seeds)}


@pytest.mark.parametrize("text", [ENDING, RACE, OPENING])
def test_greedy_is_best_after_one_move(text: str) -> None:
    """Any of the moves with the best value, and each of them sometimes."""
    assert chosen(styles.greedy, text, 200) == best(text, 1)


@pytest.mark.parametrize("text", [ENDING, RACE])
def test_minimax_is_best_after_three(text: str) -> None:
    """Any of the moves with the best value if both sides play for it, and each of them sometimes."""
    assert chosen(styles.minimax, text, 60) == best(text, 3)


def test_random_is_anything() -> None:
    """Every legal move comes up."""
    state = GAME.parse(RACE, OPTIONS)

    assert chosen(styles.STYLES["random"].choose, RACE, 300) == {GAME.write(state, move) for move in GAME.moves(state)}
