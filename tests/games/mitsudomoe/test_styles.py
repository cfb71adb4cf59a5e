"""Easy, medium and hard choose as the rules page says."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bench.naive import mitsudomoe as naive
from parlour.games.mitsudomoe import GAME
from parlour.games.mitsudomoe.board import cells
from parlour.games.mitsudomoe.position import State
from parlour.games.mitsudomoe.styles import STYLES, value
from tests.games.mitsudomoe.random_games import positions

OPTIONS = GAME.options({})
GOALS = {"w": {(0, 4), (0, 3), (1, 4)}, "b": {(4, 0), (4, 1), (3, 0)}}  # row from the top, column from the left

# White vaults over d4 and may send the black ball anywhere.
VAULT = ".,.,.,b,b/.,.,.,bB,b/.,.,wW,.,bB/wW,wW,.,b,./w,w,bB,.,. w 3,1"


def worth(position: naive.Position, side: str) -> int:
    """The value of the rules page, word by word, on a board of lists."""
    places = [
        (4 - row, column)
        for row in range(5)
        for column in range(5)
        if position.board[row][column].endswith(side.upper())
    ]
    way = sum(4 - row + col for row, col in places) if side == "w" else sum(row + 4 - col for row, col in places)
    return way + 20 * sum(place in GOALS[side] for place in places)


def reading(cell: tuple[int, int]) -> tuple[int, int]:
    """Row by row from the top, from the left."""
    return 4 - cell[0], cell[1]


def chosen(text: str, level: str) -> str:
    """The turn of a level, found by going through lists of texts as the definition says."""
    position = naive.parse(text)
    side = position.side
    enemy = "b" if side == "w" else "w"
    turns: dict[Any, dict[Any, list[Any]]] = {}
    for ring_from, ring_to, ball_step in naive.turns(position):
        assert ball_step is not None
        start, end, sent = ball_step
        ring = (-1, -1) if ring_from is None else reading(ring_from), reading(ring_to)
        balls = turns.setdefault(ring, {}).setdefault((reading(start), reading(end)), [])
        balls.append((sorted(map(reading, sent)), (ring_from, ring_to, ball_step)))
    ring_judged_by = "best" if level == "hard" else "before"

    def after(ring: Any, ball: Any) -> int:
        return worth(naive.make(position, turns[ring][ball][0][1]), side)

    def ball_of(ring: Any, how: str) -> Any:
        listed = sorted(turns[ring])
        best = max(listed, key=lambda ball: after(ring, ball))  # max keeps the first of equals
        index = listed.index(best)
        return listed[index - 1] if how == "before" and index > 0 else best

    ring = max(sorted(turns), key=lambda ring: after(ring, ball_of(ring, ring_judged_by)))
    ball = ball_of(ring, "before" if level == "easy" else "best")
    listed = [turn for _, turn in sorted(turns[ring][ball], key=lambda entry: entry[0])]
    worst = min(listed, key=lambda turn: worth(naive.make(position, turn), enemy))
    index = listed.index(worst)
    return naive.write(listed[index - 1] if level == "easy" and index > 1 else worst)


def test_the_value_is_that_of_the_rules_page() -> None:
    """The way from the own corner, and 20 for each ball on a goal cell."""
    start = GAME.initial(OPTIONS)

    assert [value(seat, start.balls[seat]) for seat in (0, 1)] == [2, 2]
    for state in positions(seed=1, many=60):
        position = naive.parse(GAME.print(state))
        assert [value(seat, state.balls[seat]) for seat in (0, 1)] == [worth(position, side) for side in "wb"]


@pytest.mark.parametrize("level", STYLES)
def test_a_level_chooses_as_it_is_defined(level: str) -> None:
    """An independent program that follows the definition on lists finds the same turns."""
    for state in [GAME.parse(VAULT, OPTIONS), *positions(seed=3, many=40)]:
        move = STYLES[level].choose(GAME, state, Random(2))

        assert GAME.write(state, move) == chosen(GAME.print(state), level), GAME.print(state)


def test_relocations_are_part_of_the_comparison() -> None:
    """Over random games, all levels vault over enemy balls now and then, and easy sends them elsewhere than hard."""
    found: dict[str, list[State]] = {level: [] for level in STYLES}
    for state in positions(seed=5, many=300):
        for level, style in STYLES.items():
            move = style.choose(GAME, state, Random(0))
            if len(move) > 4:
                found[level].append(state)
                assert GAME.write(state, move) == chosen(GAME.print(state), level), GAME.print(state)
    assert all(found.values())


def test_a_level_without_a_ball_step_makes_its_first_ring_step() -> None:
    """By the original rules there may be ring steps only; every level then loses at once."""
    options = GAME.options({"rules": "original"})
    start = GAME.initial(options)

    assert all(len(style.choose(GAME, start, Random(1))) == 4 for style in STYLES.values())
    # White's balls are shut in by black rings that cannot all be covered: no ring lies beside a ball.
    shut_in = GAME.parse("bB,.,.,.,./bB,.,.,.,./bB,.,.,.,./wW,wW,.,.,./wW,w,.,.,. w 4,5", options)
    assert all(style.choose(GAME, shut_in, Random(1)) in GAME.moves(shut_in) for style in STYLES.values())


def test_weakest_first() -> None:
    """The styles are listed from easy to hard."""
    assert list(STYLES) == ["easy", "medium", "hard"]
    assert cells(0) == ()
