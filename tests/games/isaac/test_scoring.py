"""Which bars may be lifted, what they score, and how far the counter may walk."""

from __future__ import annotations

import pytest

from parlour.games.isaac import scoring
from parlour.games.isaac.bars import BOARD, BY_NAME
from parlour.games.isaac.scoring import MOST, WALK

DARK, LIGHT = 0, 1


def bars(*names: str) -> int:
    return sum(BY_NAME[name].bit for name in names)


def tally(*names: str) -> int:
    return sum(BY_NAME[name].touched for name in names)


@pytest.mark.parametrize(
    ("seat", "score", "cell"),
    [(LIGHT, 0, "a1"), (LIGHT, 10, "a2"), (LIGHT, 99, "j10"), (DARK, 0, "j10"), (DARK, 9, "a10"), (DARK, 99, "a1")],
)
def test_a_counter_walks_along_its_track(seat: int, score: int, cell: str) -> None:
    """Light's track runs right and up from a1; Dark's is the same turned by 180 degrees."""
    assert scoring.track(seat, score) == BOARD.cell(cell)


def test_a_counter_leaves_the_board_at_a_hundred() -> None:
    """From 100 points on it stands nowhere."""
    assert scoring.track(DARK, 100) is scoring.track(LIGHT, 171) is None


def test_what_may_be_lifted() -> None:
    """No bar shorter than one lifted before, and none under a counter of either colour."""
    own = bars("a1-c1", "c4-f4", "a8-g8")

    assert scoring.removable(own, 0, (50, 15)) == own
    assert scoring.removable(own, 4, (50, 15)) == bars("c4-f4", "a8-g8")
    assert scoring.removable(own, 0, (50, 2)) == bars("c4-f4", "a8-g8")
    assert scoring.removable(own, 0, (65, 15)) == bars("a1-c1", "a8-g8")


def test_points_are_value_times_bars_times_counters() -> None:
    """Two bars cross the row of a bar of value 3; each counter in the row doubles that."""
    lying = "c4-g4"
    crossing = tally(lying, "b3-b5", "h1-h7", "a9-c9")

    def points(scores: tuple[int, int]) -> int:
        ((_, found),) = scoring.gains(bars(lying), crossing, scores)
        return found

    assert points((0, 0)) == 3 * 2
    assert points((0, 30)) == 3 * 2 * 2
    assert points((60, 30)) == 3 * 2 * 2 * 2
    assert scoring.gains(bars(lying), tally(lying), (0, 0)) == [(BY_NAME[lying], 0)]


def test_a_counter_may_walk_any_number_of_squares_up_to_its_points() -> None:
    """Except onto the other counter; the count agrees with the list."""
    crossing = tally("c4-g4", "b3-b5", "h1-h7")
    for scores, walks in (((0, 0), range(7)), ((49, 47), [0, 1, 2, 4, 5, 6]), ((54, 50), range(7))):
        found = scoring.moves(bars("c4-g4"), crossing, scores)

        assert found == [(BY_NAME["c4-g4"].low, WALK + squares) for squares in walks]
        assert scoring.count(bars("c4-g4"), crossing, scores) == len(found)


def test_the_most_that_a_bar_can_score() -> None:
    """Three bars cross the line of a bar of 7, and both counters stand in it."""
    assert MOST == 6 * 3 * 2 * 2


def test_a_bar_is_found_by_its_low_end() -> None:
    """No two bars share a cell, so the low end is enough."""
    own = bars("a1-a3", "b1-h1", "c4-g4")

    for name in ("a1-a3", "b1-h1", "c4-g4"):
        assert scoring.lifted(own, BY_NAME[name].low) is BY_NAME[name]
