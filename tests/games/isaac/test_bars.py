"""Every place where a bar can be, and what is known about it."""

from __future__ import annotations

import pytest

from parlour.games import grid
from parlour.games.isaac.bars import (
    AT_LEAST,
    BARS,
    BOARD,
    BY_NAME,
    CELLS,
    CLEAR_OF,
    FULL_HAND,
    LENGTHS,
    STANDING,
    VALUES,
    listed,
)


def names(bars: int) -> set[str]:
    return {bar.name for bar in listed(bars)}


def test_every_place_of_a_bar_is_listed_once() -> None:
    """A bar of n cells has 11 - n places in each of 20 lines, 600 in all; numbers and names are unique."""
    assert len(BARS) == len(BY_NAME) == sum(20 * (11 - length) for length in LENGTHS) == 600
    assert all(BARS[number].number == number for number in BARS)


def test_a_side_has_fifteen_bars() -> None:
    """Five of 3 cells, one less for each cell more."""
    assert dict(zip(LENGTHS, FULL_HAND, strict=True)) == {3: 5, 4: 4, 5: 3, 6: 2, 7: 1}
    assert VALUES == {3: 1, 4: 2, 5: 3, 6: 4, 7: 6}


@pytest.mark.parametrize(
    ("name", "cells", "upright"),
    [("c4-g4", ["c4", "d4", "e4", "f4", "g4"], False), ("c4-c6", ["c4", "c5", "c6"], True)],
)
def test_a_bar_knows_its_cells_and_its_line(name: str, cells: list[str], upright: bool) -> None:
    """The cells it covers are those between its ends; its line is its whole row or column."""
    bar = BY_NAME[name]

    assert [BOARD.names[cell] for cell in grid.bits(bar.cells)] == cells
    assert (BOARD.names[bar.low], BOARD.names[bar.high]) == (cells[0], cells[-1])
    assert (bar.length, bar.upright, bar.bit) == (len(cells), upright, 1 << bar.number)
    assert bar.line.bit_count() == 10
    assert bar.line & bar.cells == bar.cells


def test_a_tally_counts_bars_by_line() -> None:
    """A bar counts once in its own line and once in each line that it crosses; tallies can be added."""
    lying, standing = BY_NAME["c4-g4"], BY_NAME["e3-e5"]
    tally = lying.touched + standing.touched
    rows, columns = ([tally >> 8 * (first + line) & 15 for line in range(10)] for first in (0, 10))

    assert rows == [0, 0, 1, 2, 1, 0, 0, 0, 0, 0]
    assert columns == [0, 0, 1, 1, 2, 1, 1, 0, 0, 0]


def test_counters_are_counted_apart_from_bars() -> None:
    """A counter counts in its row and its column, in the upper half of each byte of the tally."""
    cell = BOARD.names.index("e4")

    assert STANDING[cell] == 1 << 8 * 3 + 4 | 1 << 8 * (10 + 4) + 4


def test_sets_of_bars() -> None:
    """Bars of at least a length, bars that do not cover a cell, and bars by rising low ends."""
    bars = BY_NAME["c4-g4"].bit | BY_NAME["a1-a3"].bit | BY_NAME["a5-g5"].bit

    assert [bar.name for bar in listed(bars)] == ["a1-a3", "c4-g4", "a5-g5"]
    assert names(bars & AT_LEAST[5]) == {"c4-g4", "a5-g5"}
    assert names(bars & AT_LEAST[0]) == names(bars)
    assert names(bars & CLEAR_OF[0]) == {"c4-g4", "a5-g5"}
    assert len(CLEAR_OF) == CELLS
