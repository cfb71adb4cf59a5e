"""The positions of a board's cells on the screen.

A drawing has a margin for the row numbers, then the cells, and one line for the column letters below. At scale 1,
boards of usual size fit into 44 columns and 21 lines, so that a terminal of 80 x 24 has room for everything else. Each
larger scale adds two columns and one line to every cell; scale 0 is for windows that are narrow or low.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from parlour.protocol.scene import BoardSpec

MARGIN = 4
_ROOM_ACROSS, _ROOM_DOWN = 40, 20
_WIDEST, _HIGHEST = 8, 4
_NARROWEST = 3  # a piece and its brackets
_COMPACT_WIDTH, _COMPACT_DOWN = 6, 10
SCALES = range(5)


class Box(NamedTuple):
    """A rectangle of characters; `x` and `y` are its top left corner."""

    x: int
    y: int
    width: int
    height: int


class Geometry:
    """The layout of one board size. Get it from `geometry()`, which makes each once."""

    def __init__(self, columns: int, rows: int, flipped: bool, scale: int) -> None:
        self.columns = columns
        self.rows = rows
        self.flipped = flipped
        self.cell_width = max(_NARROWEST, min(_WIDEST, _ROOM_ACROSS // columns))
        self.cell_height = max(1, min(_HIGHEST, _ROOM_DOWN // rows))
        if scale == 0:
            self.cell_width = min(self.cell_width, _COMPACT_WIDTH)
            self.cell_height = max(1, min(self.cell_height, _COMPACT_DOWN // rows))
        else:
            self.cell_width += 2 * (scale - 1)
            self.cell_height += scale - 1
        self.width = MARGIN + columns * self.cell_width
        self.height = rows * self.cell_height + 1
        # From the corner of a cell to the middle of the piece on it.
        self.middle = (self.cell_width - 1) // 2
        self.level = (self.cell_height - 1) // 2

    @property
    def is_flat(self) -> bool:
        """Whether a cell has one line only, so that nothing can be written under a piece."""
        return self.cell_height == 1

    @property
    def is_roomy(self) -> bool:
        """Whether a ring can be drawn as a box with something written under it."""
        return self.cell_width > 5 and self.cell_height > 3

    @property
    def is_large(self) -> bool:
        """Whether every piece can be drawn in a frame of its own."""
        return self.cell_width > 5 and self.cell_height > 2

    def box(self, cell: int, columns: int = 1, rows: int = 1) -> Box:
        """Return the box of a piece that extends this far to the right of `cell` and above it."""
        row, column = divmod(cell, self.columns)
        if self.flipped:
            left, top = self.columns - column - columns, row
        else:
            left, top = column, self.rows - row - rows
        return Box(
            MARGIN + left * self.cell_width,
            top * self.cell_height,
            columns * self.cell_width,
            rows * self.cell_height,
        )

    def cell_at(self, x: int, y: int) -> int | None:
        column, row = (x - MARGIN) // self.cell_width, self.rows - 1 - y // self.cell_height
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            return None
        cell = row * self.columns + column
        return self.columns * self.rows - 1 - cell if self.flipped else cell


@lru_cache(maxsize=64)
def geometry(columns: int, rows: int, flipped: bool, scale: int = 1) -> Geometry:
    return Geometry(columns, rows, flipped, scale)


def size_of(spec: BoardSpec, scale: int = 1) -> tuple[int, int]:
    """Return the columns and lines of a board's drawing."""
    if not spec.cells:
        return 0, 0
    layout = geometry(spec.columns, spec.rows, False, scale)
    return layout.width, layout.height


def largest_scale(spec: BoardSpec, columns: int, lines: int) -> int | None:
    """Return the largest scale at which a board's drawing fits; None if it fits at none."""
    for scale in reversed(SCALES):
        width, height = size_of(spec, scale)
        if width <= columns and height <= lines:
            return scale
    return None


def place_at(spec: BoardSpec, x: int, y: int, *, flipped: bool = False, scale: int = 1) -> int | None:
    """Return the cell at a column and line of the board's drawing; None beside the cells."""
    return geometry(spec.columns, spec.rows, flipped, scale).cell_at(x, y)


def box_of(spec: BoardSpec, place: int, *, flipped: bool = False, scale: int = 1) -> Box | None:
    """Return the box of a cell in the board's drawing; None for a slot, which is beside it (see `Line.columns_of`)."""
    return geometry(spec.columns, spec.rows, flipped, scale).box(place) if 0 <= place < spec.cells else None
