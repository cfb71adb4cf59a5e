"""Where things are in a picture: a board of a thousand units across in a frame."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from docs.drawing.paper import Point

from parlour.protocol.scene import BoardSpec, Glyph

SIDE = 1000.0
FRAME = 44.0


class Box(NamedTuple):
    """A rectangle; `x` and `y` are its top left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> Point:
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def area(self) -> float:
        return self.width * self.height

    def inset(self, by: float) -> Box:
        return Box(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)


class Layout:
    """The places of one board."""

    def __init__(self, spec: BoardSpec) -> None:
        self.spec = spec
        self.cell = SIDE / max(spec.columns, spec.rows)
        self.width = spec.columns * self.cell + 2 * FRAME
        self.height = spec.rows * self.cell + 2 * FRAME

    def at(self, cell: int) -> tuple[int, int]:
        """Column and row of a cell, from the bottom left."""
        row, column = divmod(cell, self.spec.columns)
        return column, row

    def box(self, cell: int, columns: int = 1, rows: int = 1) -> Box:
        """The cells of a piece that reaches so far to the right of `cell` and above it."""
        column, row = self.at(cell)
        top = self.spec.rows - row - rows
        return Box(FRAME + column * self.cell, FRAME + top * self.cell, columns * self.cell, rows * self.cell)

    def covered(self, cell: int, glyph: Glyph) -> list[int]:
        """All cells that a piece lies on."""
        columns = self.spec.columns
        return [cell + up * columns + right for up in range(glyph.rows) for right in range(glyph.columns)]

    def around(self, cells: Iterable[int]) -> Box:
        """The smallest rectangle that holds these cells."""
        boxes = [self.box(cell) for cell in cells]
        left, top = min(box.x for box in boxes), min(box.y for box in boxes)
        right, bottom = (max(box.x for box in boxes) + self.cell, max(box.y for box in boxes) + self.cell)
        return Box(left, top, right - left, bottom - top)

    def middle(self, cell: int) -> Point:
        return self.box(cell).middle
