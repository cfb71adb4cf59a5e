"""An editor of custom board layouts, for options of the kind `layout`. It is driven by the option's specification."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Literal

from parlour.protocol.scene import Scene, Stack
from parlour.protocol.types import LayoutPiece, LayoutSpec

Symmetry = Literal["none", "turn", "mirror"]


class LayoutEditor:
    """The symbol of each cell, with undo. A tool is a piece of the spec, or None for the eraser.

    The editor keeps pieces to the cells where they are allowed, and to their largest number. Whether a layout is valid
    as a whole is for the server to decide.
    """

    def __init__(self, spec: LayoutSpec) -> None:
        self.spec = spec
        self.symmetry: Symmetry = "none"
        self._blank = [symbol for row in reversed(spec.blank.split("/")) for symbol in row]
        self.cells = list(self._blank)
        self._allowed = {piece.symbol: frozenset(piece.cells) for piece in spec.pieces}
        self._history: list[list[str]] = []

    def load(self, scene: Scene) -> None:
        """Start from a board as it is drawn."""
        self.cells = list(self._blank)
        self._history.clear()
        for place, *stack in scene.pieces:
            piece = next((each for each in self.spec.pieces if each.glyph == stack[-1] and place in each.cells), None)
            if piece is not None:
                self.cells[place] = piece.symbol

    @property
    def text(self) -> str:
        """The value of the option: the rows from the top down, joined by `/`."""
        width = self.spec.columns
        rows = ["".join(self.cells[start : start + width]) for start in range(0, len(self.cells), width)]
        return "/".join(reversed(rows))

    @property
    def pieces(self) -> tuple[Stack, ...]:
        """The board as it is drawn: the fixed pieces and the placed ones."""
        glyphs = {piece.symbol: piece.glyph for piece in self.spec.pieces}
        placed = [(cell, glyphs[self.cells[cell]]) for cell in range(len(self.cells)) if not self._is_blank(cell)]
        return tuple(sorted((*self.spec.fixed, *placed)))

    def remaining(self, piece: LayoutPiece) -> int:
        """Return how many more of a piece the layout may have."""
        count = sum(self.cells[cell] == piece.symbol for cell in piece.cells if not self._is_blank(cell))
        return piece.high - count

    def refusal(self, tool: LayoutPiece | None, cell: int) -> str:
        """Return why a tool cannot be used on a cell."""
        if tool is None:
            return "There is nothing to remove here."
        if not self.is_allowed(tool, cell):
            return f"A {tool.name} cannot be placed here."
        return f"There are not enough pieces left: the board may have {tool.high} of the kind {tool.name}."

    def is_allowed(self, tool: LayoutPiece | None, cell: int) -> bool:
        """Whether a tool can be used on a cell."""
        if tool is None:
            return any(cell in cells for cells in self._allowed.values())
        return cell in self._allowed[tool.symbol]

    def apply(self, tool: LayoutPiece | None, cell: int) -> bool:
        """Use a tool on a cell and its images under the symmetry. Placing a piece twice removes it.

        Return whether the tool could be used: it is allowed there, and there are enough pieces left.
        """
        cells = [each for each in dict.fromkeys(self._images(cell)) if self.is_allowed(tool, each)]
        placed = None if tool is None or self.cells[cell] == tool.symbol else tool.symbol
        if not cells or (tool is not None and placed and self.remaining(tool) < self._new_pieces(tool, cells)):
            return False
        self._history.append(list(self.cells))
        for each in cells:
            self.cells[each] = placed or self._blank[each]
        return True

    def _new_pieces(self, tool: LayoutPiece, cells: Iterable[int]) -> int:
        return sum(self.cells[cell] != tool.symbol for cell in cells)

    def clear(self) -> None:
        """Remove all placed pieces."""
        self._history.append(list(self.cells))
        self.cells = list(self._blank)

    def fill_at_random(self, rng: Random) -> None:
        """Replace the layout with a random one that has as many of each piece as allowed."""
        self.clear()
        for piece in self.spec.pieces:
            free = [cell for cell in piece.cells if self._is_blank(cell)]
            for cell in rng.sample(free, min(piece.high, len(free))):
                self.cells[cell] = piece.symbol

    def undo(self) -> bool:
        """Undo the last change. Return False if there is none."""
        if not self._history:
            return False
        self.cells = self._history.pop()
        return True

    def _is_blank(self, cell: int) -> bool:
        return self.cells[cell] == self._blank[cell]

    def _images(self, cell: int) -> Iterator[int]:
        yield cell
        if self.symmetry == "turn":
            yield len(self.cells) - 1 - cell
        elif self.symmetry == "mirror":
            row, column = divmod(cell, self.spec.columns)
            yield row * self.spec.columns + self.spec.columns - 1 - column
