"""Cells, names, lines and sets of cells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.games import grid
from parlour.games.grid import ALL_DIRECTIONS, EAST, NORTH, NORTH_EAST, SOUTH, SOUTH_WEST, WEST, Direction

BOARD = grid.grid(5, 4)
SHAPES = [(1, 1), (1, 6), (5, 5), (5, 4), (10, 10), (16, 16), (26, 99)]


def test_cells_are_numbered_from_the_bottom_left() -> None:
    """a1 is 0, numbers rise along the row, then row by row upwards."""
    assert BOARD.names[:6] == ("a1", "b1", "c1", "d1", "e1", "a2")
    assert BOARD.names[-1] == "e4"
    assert BOARD.size == 20


@pytest.mark.parametrize(("columns", "rows"), SHAPES)
def test_names_and_cells_undo_each_other(columns: int, rows: int) -> None:
    """Every cell has a name of its own that leads back to it and looks like a cell."""
    board = grid.grid(columns, rows)

    assert [board.cell(board.name(cell)) for cell in range(board.size)] == list(range(columns * rows))
    assert len(set(board.names)) == board.size
    assert all(grid.looks_like_cell(name) for name in board.names)


@pytest.mark.parametrize("cell", [-1, -20, 20, 1000])
def test_a_number_outside_the_board_has_no_name(cell: int) -> None:
    """Also not a negative one, with which Python would count from the end."""
    with pytest.raises(IndexError):
        BOARD.name(cell)


@pytest.mark.parametrize("name", ["", "f1", "a5", "a0", "a01", "A1", "a", "1", "a1 ", "a1\n", "a¹", "а1", "a-1"])
def test_a_name_outside_the_board_has_no_cell(name: str) -> None:
    """Nothing but the exact name of a cell of this board is one."""
    assert BOARD.cell(name) is None


def test_columns_and_rows_are_counted_from_zero() -> None:
    """`at` finds a cell by column and row, and nothing beyond the edges."""
    assert BOARD.at(0, 0) == 0
    assert BOARD.at(4, 3) == 19
    assert BOARD.at(1, 2) == 11
    assert [BOARD.at(*outside) for outside in ((-1, 0), (0, -1), (5, 0), (0, 4), (-1, -1), (5, 4))] == [None] * 6


@pytest.mark.parametrize(
    ("start", "direction", "met"),
    [
        ("b2", EAST, "c2 d2 e2"),
        ("b2", NORTH, "b3 b4"),
        ("b2", WEST, "a2"),
        ("b2", SOUTH, "b1"),
        ("b2", NORTH_EAST, "c3 d4"),
        ("b2", SOUTH_WEST, "a1"),
        ("a1", WEST, ""),
        ("e4", NORTH_EAST, ""),
        ("e1", EAST, ""),
    ],
)
def test_a_ray_goes_to_the_edge(start: str, direction: Direction, met: str) -> None:
    """The cells of a ray come in the order they are met, without the one it starts from, and end at the edge."""
    cell = BOARD.cell(start)
    assert cell is not None

    assert [BOARD.name(other) for other in BOARD.ray(cell, direction)] == met.split()


@pytest.mark.parametrize("direction", ALL_DIRECTIONS)
@pytest.mark.parametrize(("columns", "rows"), SHAPES[:-1])
def test_the_lines_of_a_direction_cover_the_board(columns: int, rows: int, direction: Direction) -> None:
    """Every cell lies on exactly one line of a direction, and each line runs from edge to edge."""
    board = grid.grid(columns, rows)
    lines = list(board.lines(direction))

    assert sorted(cell for line in lines for cell in line) == list(range(board.size))
    for line in lines:
        assert line == (line[0], *board.ray(line[0], direction))
        assert board.ray(line[-1], direction) == ()
        assert board.ray(line[0], (-direction[0], -direction[1])) == ()


def test_how_many_lines_there_are() -> None:
    """As many as rows, as columns, or as diagonals."""
    assert [len(list(BOARD.lines(direction))) for direction in (EAST, NORTH, NORTH_EAST)] == [4, 5, 8]


def test_the_eight_directions() -> None:
    """They are all different, and each has its opposite."""
    assert len(set(ALL_DIRECTIONS)) == 8
    assert {(-across, -up) for across, up in ALL_DIRECTIONS} == set(ALL_DIRECTIONS)


def test_each_size_is_made_once() -> None:
    """Asking again gives the same board."""
    assert grid.grid(5, 4) is BOARD
    assert grid.grid(4, 5) is not BOARD


@pytest.mark.parametrize("text", ["a1", "z99", "j10", "h8"])
def test_what_looks_like_a_cell(text: str) -> None:
    """A small letter and a number from 1 to 99."""
    assert grid.looks_like_cell(text)


@pytest.mark.parametrize("text", ["", "a", "1a", "a0", "a01", "a100", "A1", "é1", "a١", "a²", "a1 ", "a1\n", "aa1"])
def test_what_does_not_look_like_a_cell(text: str) -> None:
    """Padded numbers, other scripts' letters and digits, and anything before or after."""
    assert not grid.looks_like_cell(text)


@given(st.frozensets(st.integers(0, 300)))
def test_sets_of_cells(cells: frozenset[int]) -> None:
    """A set of cells is one number, and its cells come back in rising order."""
    number = grid.mask(cells)

    assert list(grid.bits(number)) == sorted(cells)
    assert number.bit_count() == len(cells)
