"""Cells of a rectangular board: numbers, names and lines.

Cells are numbered row by row from the bottom left, so `a1` is 0. A set of cells is an int with one bit per cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

# (columns to the right, rows up)
Direction = tuple[int, int]

EAST, NORTH, WEST, SOUTH = (1, 0), (0, 1), (-1, 0), (0, -1)
NORTH_EAST, NORTH_WEST, SOUTH_WEST, SOUTH_EAST = (1, 1), (-1, 1), (-1, -1), (1, -1)
ALL_DIRECTIONS = (EAST, NORTH_EAST, NORTH, NORTH_WEST, WEST, SOUTH_WEST, SOUTH, SOUTH_EAST)

_NAME = re.compile(r"([a-z])([1-9][0-9]?)", re.ASCII)


class Grid:
    """The geometry of one board size. Get it from `grid()`, which creates each size once."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        self.size = columns * rows
        self.names = tuple(f"{chr(ord('a') + c)}{r + 1}" for r in range(rows) for c in range(columns))
        self._cells = {name: cell for cell, name in enumerate(self.names)}

    def name(self, cell: int) -> str:
        """Return the name of a cell; raise IndexError if the board has no such cell."""
        if cell < 0:
            raise IndexError("cells are counted from 0")
        return self.names[cell]

    def cell(self, name: str) -> int | None:
        """Return the cell of that name; None if the board has no such cell."""
        return self._cells.get(name)

    def at(self, column: int, row: int) -> int | None:
        """Return the cell at a column and row counted from 0; None outside the board."""
        if 0 <= column < self.columns and 0 <= row < self.rows:
            return row * self.columns + column
        return None

    def ray(self, cell: int, direction: Direction) -> tuple[int, ...]:
        """Return the cells from `cell` to the edge, without `cell` itself."""
        row, column = divmod(cell, self.columns)
        cells: list[int] = []
        while True:
            column, row = column + direction[0], row + direction[1]
            met = self.at(column, row)
            if met is None:
                return tuple(cells)
            cells.append(met)

    def lines(self, direction: Direction) -> Iterator[tuple[int, ...]]:
        """Yield every line of the board that runs in `direction`, each from its first cell to its last."""
        back = (-direction[0], -direction[1])
        for cell in range(self.size):
            if not self.ray(cell, back):
                yield (cell, *self.ray(cell, direction))


@cache
def grid(columns: int, rows: int) -> Grid:
    return Grid(columns, rows)


def looks_like_cell(text: str) -> bool:
    """Return whether `text` is written like the name of a cell, on any board."""
    return _NAME.fullmatch(text) is not None


def bits(cells: int) -> Iterator[int]:
    """Yield the cells of a set, in rising order."""
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low


def mask(cells: tuple[int, ...] | list[int] | frozenset[int]) -> int:
    """Return the set of these cells."""
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found
