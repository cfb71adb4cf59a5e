"""Where bars fit, against a slow search of every place."""

from __future__ import annotations

from random import Random

import pytest

from parlour.games import grid
from parlour.games.isaac import placement
from parlour.games.isaac.bars import BARS, BY_NAME, CELLS, FULL_HAND, LENGTHS, Hand
from parlour.games.isaac.placement import EVERYWHERE, HANDS

BOARDS = [0, *(grid.mask(Random(seed).sample(range(CELLS), 10 * seed)) for seed in range(1, 9)), EVERYWHERE]
SOME: Hand = (1, 0, 2, 0, 1)


def fitting(seat: int, occupied: int, hand: Hand) -> set[tuple[int, int, int]]:
    """Return every placement, found by trying all bars."""
    return {
        (HANDS[seat] + bar.length - 3, bar.low, bar.high)
        for bar in BARS.values()
        if hand[bar.length - 3] and not bar.cells & occupied
    }


@pytest.mark.parametrize("occupied", BOARDS)
@pytest.mark.parametrize("hand", [FULL_HAND, SOME])
@pytest.mark.parametrize("seat", [0, 1])
def test_placements_are_those_that_fit(occupied: int, hand: Hand, seat: int) -> None:
    """Each is listed once, the count agrees, and so does the question whether anything fits at all."""
    found = placement.moves(seat, occupied, hand)

    assert len(found) == len(set(found)) == placement.count(seat, occupied, hand)
    assert set(found) == fitting(seat, occupied, hand)
    assert placement.fits(occupied, hand) == bool(found)


def test_cells_where_nothing_fits_take_no_memory() -> None:
    """Rows that differ only in such cells share one list of placements."""
    row = next(row for cells, row in placement.LINES[0] if cells & 1)
    assert row[0b11] is row[0b10_0000_0001] is row[0]
    assert row[0b1_0000_0111] is row[0b111]
    assert row[0b111] is not row[0b1111]


@pytest.mark.parametrize("occupied", BOARDS)
def test_steps_lead_to_the_same_placements(occupied: int) -> None:
    """Length, one end, other end: every way through the steps is a placement, from either of its ends."""
    walked = {
        (slot, one, other)
        for slot in placement.steps(0, occupied, SOME, ())
        for one in placement.steps(0, occupied, SOME, (slot,))
        for other in placement.steps(0, occupied, SOME, (slot, one))
    }
    listed = fitting(0, occupied, SOME)

    assert walked == listed | {(slot, high, low) for slot, low, high in listed}
    assert all(placement.steps(0, occupied, SOME, picks) == [] for picks in walked)


def test_an_empty_hand_fits_nowhere() -> None:
    """Without bars there is nothing to place."""
    assert not placement.fits(0, (0, 0, 0, 0, 0))
    assert placement.moves(0, 0, (0, 0, 0, 0, 0)) == []


def test_starts_are_low_ends() -> None:
    """On a row with three free cells a bar of 3 starts at the first of them, and lies."""
    lying, standing = placement.starts(BY_NAME["c4-e4"].cells, LENGTHS[0])

    assert (lying, standing) == (1 << BY_NAME["c4-e4"].low, 0)
