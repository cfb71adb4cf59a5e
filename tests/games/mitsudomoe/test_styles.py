"""Easy, medium and hard choose as the rules page says."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import pytest

from parlour.games.api import Move
from parlour.games.mitsudomoe import GAME
from parlour.games.mitsudomoe.board import cells
from parlour.games.mitsudomoe.position import State
from parlour.games.mitsudomoe.styles import STYLES, easy, hard, medium, value
from tests.games.mitsudomoe.random_games import positions

OPTIONS = GAME.options({})
GOALS = ({(0, 4), (0, 3), (1, 4)}, {(4, 0), (4, 1), (3, 0)})  # row from the top, column from the left


def worth(state: State, seat: int) -> int:
    """The value of the rules page, word by word."""
    places = [(4 - cell // 5, cell % 5) for cell in cells(state.balls[seat])]
    way = sum(4 - row + col for row, col in places) if seat == 0 else sum(row + 4 - col for row, col in places)
    return way + 20 * sum(place in GOALS[seat] for place in places)


def ball_steps(state: State, ring_step: tuple[int, int]) -> list[int]:
    """The values of the ball steps that can follow a ring step, the best first."""
    found = {
        move[2:4]: worth(GAME.apply(state, move), state.turn or 0)
        for move in GAME.moves(state)
        if move[:2] == ring_step
    }
    return sorted(found.values(), reverse=True)


def ranked(values: list[int], rank: int) -> int:
    return values[min(rank, len(values) - 1)]


def highest(state: State, rank: int) -> int:
    """The best that any ring step has at that rank of its ball steps."""
    found: dict[tuple[int, ...], dict[tuple[int, ...], int]] = defaultdict(dict)
    for move in GAME.moves(state):
        found[move[:2]][move[2:4]] = worth(GAME.apply(state, move), state.turn or 0)
    return max(ranked(sorted(values.values(), reverse=True), rank) for values in found.values())


def test_the_value_is_that_of_the_rules_page() -> None:
    """The way from the own corner, and 20 for each ball on a goal cell."""
    start = GAME.initial(OPTIONS)

    assert [value(seat, start.balls[seat]) for seat in (0, 1)] == [2, 2]
    for state in positions(seed=1, many=60):
        assert [value(seat, state.balls[seat]) for seat in (0, 1)] == [worth(state, seat) for seat in (0, 1)]


@pytest.mark.parametrize(("name", "ring_by", "ball_by"), [("easy", 1, 1), ("medium", 1, 0), ("hard", 0, 0)])
def test_steps_are_judged_by_the_best_or_the_second_best_ball_step(name: str, ring_by: int, ball_by: int) -> None:
    """Hard takes the best for both steps, easy the second-best, medium the second-best only for the ring."""
    rng = Random(2)
    for state in positions(seed=3, many=25):
        move = STYLES[name](GAME, state, rng)
        values = ball_steps(state, (move[0], move[1]))

        assert ranked(values, ring_by) == highest(state, ring_by)
        assert worth(GAME.apply(state, move), state.turn or 0) == ranked(values, ball_by)


def test_jumped_balls_go_where_it_is_worst_for_them() -> None:
    """Of all cells for the jumped balls those are chosen that leave the enemy with the lowest value."""
    rng = Random(4)
    seen = 0
    for state in positions(seed=5, many=400):
        move = hard(GAME, state, rng)
        if len(move) == 4:
            continue
        seen += 1
        others = [other for other in GAME.moves(state) if other[:4] == move[:4]]
        enemy = 1 - (state.turn or 0)
        assert worth(GAME.apply(state, move), enemy) == min(worth(GAME.apply(state, other), enemy) for other in others)
    assert seen > 5


def test_equal_steps_are_left_to_chance() -> None:
    """At the start hard has several turns that are equally good, and the seed decides between them."""
    start = GAME.initial(OPTIONS)
    chosen: set[Move] = {hard(GAME, start, Random(seed)) for seed in range(20)}

    assert len(chosen) > 1
    assert hard(GAME, start, Random(7)) == hard(GAME, start, Random(7))


def test_weakest_first() -> None:
    """The styles are listed from easy to hard."""
    assert list(STYLES.items()) == [("easy", easy), ("medium", medium), ("hard", hard)]
