"""The naive implementation of Mapello."""

from __future__ import annotations

import pytest

from bench.naive import mapello

EMPTY = ["#" * 10, *["#........#"] * 3, "#...XO...#", "#...OX...#", *["#........#"] * 3, "#" * 10]
START = f"{'/'.join(EMPTY)} b 0,0"


def test_black_has_four_moves() -> None:
    """As in Othello, each of them flips one disc."""
    assert sorted(mapello.moves(mapello.parse(START))) == ["d5", "e4", "f7", "g6"]


def test_a_move_flips_discs() -> None:
    """Black has four discs after the first move, White one."""
    after = mapello.play(mapello.parse(START), "d5")

    assert mapello.scores(after) == [4, 1]
    assert mapello.print(after).endswith(" w 0,0")


def test_a_bonus_cell_is_worth_three_points() -> None:
    """The points come in addition to the disc."""
    rows = [*EMPTY[:5], "#..*OX...#", *EMPTY[6:]]
    after = mapello.play(mapello.parse(f"{'/'.join(rows)} b 0,0"), "d5")

    assert mapello.scores(after) == [4 + 3, 1]


def test_an_illegal_turn_is_an_error() -> None:
    """A disc must flip at least one other."""
    with pytest.raises(ValueError, match="b2 is not legal"):
        mapello.play(mapello.parse(START), "b2")
