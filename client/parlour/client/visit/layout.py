"""A board that somebody draws: for options of the kind `layout`, whose value is rows of characters.

What may stand where, the server says, when it is asked for a preview.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Literal, NamedTuple

from parlour.protocol.scene import BoardSpec, Scene

Symmetry = Literal["none", "turn", "mirror"]


class Tool(NamedTuple):
    """Something to put on a cell."""

    key: str  # to press
    name: str
    letter: str  # how it is written in a layout


WALL, BONUS, JOKER, ERASER = (
    Tool("w", "wall", "#"),
    Tool("b", "bonus", "*"),
    Tool("j", "joker", "J"),
    Tool("e", "eraser", "."),
)
TOOLS = (WALL, BONUS, JOKER, ERASER)
MOST = 8

_LETTERS = {"block": "#", "star": "*", "joker": "J"}
_DISCS = "XO"


class Layout:
    """The cells, as letters by place, with steps to take back."""

    def __init__(self, board: BoardSpec, scene: Scene) -> None:
        self.columns, self.rows = board.columns, board.rows
        self.rim = frozenset(board.rim)
        self.symmetry: Symmetry = "none"
        self.cells = ["#" if cell in self.rim else "." for cell in range(board.cells)]
        for place, *stack in scene.pieces:
            glyph = board.glyphs[stack[-1]]
            if place < board.cells:
                self.cells[place] = _LETTERS.get(glyph.shape) or _DISCS[glyph.seat or 0]
        self._past: list[list[str]] = []

    @property
    def text(self) -> str:
        """The value of the option: the rows from the top one down, joined by `/`."""
        rows = range(self.rows - 1, -1, -1)
        return "/".join("".join(self.cells[row * self.columns : (row + 1) * self.columns]) for row in rows)

    def fits(self, tool: Tool, cell: int) -> bool:
        """Whether the tool does anything at all there: jokers stand on the rim, all else inside, beside the discs."""
        if self.cells[cell] in _DISCS:
            return False
        return tool is ERASER or (tool is JOKER) == (cell in self.rim)

    def left(self, tool: Tool) -> int:
        """How many more of these there may be."""
        cells = range(len(self.cells))
        return MOST - sum(self.cells[cell] == tool.letter and (cell in self.rim) == (tool is JOKER) for cell in cells)

    def put(self, tool: Tool, cell: int) -> bool:
        """Use the tool on a cell and on those that belong to it by symmetry; the same thing again takes it away."""
        cells = [each for each in self._images(cell) if self.fits(tool, each)]
        if not cells:
            return False
        self._past.append(list(self.cells))
        removes = tool is ERASER or self.cells[cell] == tool.letter
        for each in cells:
            self.cells[each] = self._bare(each) if removes else tool.letter
        return True

    def clear(self) -> None:
        """Take off everything but the discs."""
        self._past.append(list(self.cells))
        for cell, letter in enumerate(self.cells):
            if letter not in _DISCS:
                self.cells[cell] = self._bare(cell)

    def scatter(self, chance: Random) -> None:
        """As many of everything as may be, anywhere."""
        self.clear()
        for tool in (WALL, BONUS, JOKER):
            free = [cell for cell in range(len(self.cells)) if self.fits(tool, cell) and self._is_bare(cell)]
            for cell in chance.sample(free, min(MOST, len(free))):
                self.cells[cell] = tool.letter

    def undo(self) -> bool:
        if self._past:
            self.cells = self._past.pop()
            return True
        return False

    def _bare(self, cell: int) -> str:
        return "#" if cell in self.rim else "."

    def _is_bare(self, cell: int) -> bool:
        return self.cells[cell] == self._bare(cell)

    def _images(self, cell: int) -> Iterator[int]:
        yield cell
        if self.symmetry == "turn":
            yield len(self.cells) - 1 - cell
        elif self.symmetry == "mirror":
            row, column = divmod(cell, self.columns)
            yield row * self.columns + self.columns - 1 - column
