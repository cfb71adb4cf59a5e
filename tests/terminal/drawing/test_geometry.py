"""Where cells are on the screen."""

from __future__ import annotations

import pytest

from parlour.protocol.scene import BoardSpec, SeatSpec, Zone
from parlour.terminal.drawing import Box, box_of, largest_scale, place_at, size_of
from parlour.terminal.drawing.geometry import MARGIN, SCALES, geometry

SIZES = [(5, 5), (8, 8), (10, 10), (12, 12), (16, 16), (6, 9), (3, 1), (1, 20)]


def _board(columns: int, rows: int) -> BoardSpec:
    seats = (SeatSpec("White", "light"), SeatSpec("Black", "dark"))
    return BoardSpec("any", columns, rows, "felt", seats, (), "", (Zone("hand", "hand", ("a", "b"), 0),))


@pytest.mark.parametrize(
    ("columns", "rows", "cell"),
    [
        (10, 10, (4, 2)),
        (5, 5, (8, 4)),
        (8, 8, (5, 2)),
        (12, 12, (3, 1)),
        (16, 16, (3, 1)),
        (6, 6, (6, 3)),
        (3, 3, (8, 4)),
        (7, 9, (5, 2)),
        (13, 13, (3, 1)),
    ],
)
def test_cells_have_the_agreed_size(columns: int, rows: int, cell: tuple[int, int]) -> None:
    """A cell is as large as the screen allows, between 3 x 1 and 8 x 4 characters."""
    box = box_of(_board(columns, rows), 0)
    assert box is not None
    assert (box.width, box.height) == cell


@pytest.mark.parametrize("size", range(1, 14))
def test_boards_fit_beside_the_pane(size: int) -> None:
    """Boards of up to 13 columns and 20 rows leave 36 columns and three lines of a terminal of 80 x 24."""
    width, height = size_of(_board(size, size))
    assert width <= 44
    assert height <= 21


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_every_character_of_a_cell_leads_back_to_it(columns: int, rows: int, flipped: bool) -> None:
    """Cells and columns of the screen lead to each other, and every cell has its own characters."""
    spec = _board(columns, rows)
    seen = set()
    for cell in range(spec.cells):
        box = box_of(spec, cell, flipped=flipped)
        assert box is not None
        for x in range(box.x, box.x + box.width):
            for y in range(box.y, box.y + box.height):
                assert place_at(spec, x, y, flipped=flipped) == cell
                seen.add((x, y))
    width, height = size_of(spec)
    assert len(seen) == (width - 4) * (height - 1)


def test_beside_the_cells_is_nothing() -> None:
    """Row numbers, column letters and the outside belong to no cell, and slots have no box on the board."""
    spec = _board(5, 5)
    width, height = size_of(spec)
    for x, y in ((0, 0), (3, 0), (4, height - 1), (width, 0), (4, height), (4, -1)):
        assert place_at(spec, x, y) is None
    assert box_of(spec, 25) is None
    assert box_of(spec, -1) is None


def test_turned_board() -> None:
    """On a turned board the last cell is where the first one was."""
    spec = _board(8, 8)
    assert box_of(spec, 63, flipped=True) == box_of(spec, 0)
    assert box_of(spec, 1, flipped=True) == box_of(spec, 62)


def test_box_of_several_cells() -> None:
    """A piece that reaches right and up covers the boxes of its cells, also on a turned board."""
    assert geometry(10, 10, False).box(0, columns=3) == Box(4, 18, 12, 2)
    assert geometry(10, 10, False).box(0, rows=3) == Box(4, 14, 4, 6)
    assert geometry(10, 10, True).box(0, columns=3) == Box(32, 0, 12, 2)
    assert geometry(10, 10, True).box(0, rows=3) == Box(40, 0, 4, 6)


def test_each_scale_is_larger_than_the_one_before() -> None:
    """Every size of board grows with the scale, and keeps a room of three columns for a piece."""
    for columns, rows in SIZES:
        sizes = [size_of(_board(columns, rows), scale) for scale in SCALES]
        assert sizes == sorted(sizes)
        assert all(width >= MARGIN + 3 * columns for width, _ in sizes)
        assert sizes[1] < sizes[2]


def test_the_largest_scale_that_fits() -> None:
    """One column or line less than a scale needs gives the scale before, and at last none."""
    spec = _board(10, 10)
    for scale in SCALES:
        width, height = size_of(spec, scale)
        assert largest_scale(spec, width, height) == scale
        smaller = largest_scale(spec, width, height - 1)
        assert smaller == (scale - 1 if scale else None)
