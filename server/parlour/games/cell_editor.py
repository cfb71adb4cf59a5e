"""Setting up positions whose text has, for each cell, one character for each piece there."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from parlour.games.api import Seat
from parlour.games.position_editor import PositionEditor
from parlour.protocol.scene import Scene, Stack

EMPTY = "."


class CellDraft(Struct, frozen=True):
    """A position text taken apart."""

    cells: tuple[str, ...]  # by cell: its pieces, from bottom to top, or the character of an empty cell
    turn: Seat | None  # None: the text says that the game is over
    numbers: tuple[int, ...] = ()


class CellEditor(PositionEditor[CellDraft]):
    """An editor in which a piece put on a cell replaces what was there."""

    symbols: ClassVar[tuple[str, ...]]  # how the items of the palette are written, in their order
    glyphs: ClassVar[Mapping[str, int]]  # the glyph of each character that is drawn

    @abstractmethod
    def tallies(self, draft: CellDraft) -> tuple[tuple[int, ...], ...]:
        """Return the numbers of each seat, as in `Scene.tallies`."""

    def beside(self, draft: CellDraft) -> tuple[Stack, ...]:
        """Return the pieces beside the board."""
        return ()

    def scene(self, draft: CellDraft) -> Scene:
        drawn = ((cell, *self.drawn(cell, text)) for cell, text in enumerate(draft.cells))
        stacks = (*(stack for stack in drawn if len(stack) > 1), *self.beside(draft))
        return Scene(stacks, self.tallies(draft), draft.turn)

    def drawn(self, cell: int, text: str) -> Sequence[int]:
        """Return the glyphs of a cell, from bottom to top."""
        return [self.glyphs[each] for each in text if each in self.glyphs]

    def put(self, draft: CellDraft, item: int, places: Sequence[int]) -> CellDraft:
        (cell,) = places
        return with_cell(draft, cell, self.symbols[item])

    def with_turn(self, draft: CellDraft, seat: Seat) -> CellDraft:
        return replace(draft, turn=seat)


def with_cell(draft: CellDraft, cell: int, text: str) -> CellDraft:
    """Return the draft with other pieces on a cell."""
    return replace(draft, cells=(*draft.cells[:cell], text, *draft.cells[cell + 1 :]))


def in_rows(cells: Sequence[str], columns: int, between: str = "") -> str:
    """Return cells as position texts have them: rows from the top down, with a slash between."""
    starts = range(len(cells) - columns, -1, -columns)
    return "/".join(between.join(cells[start : start + columns]) for start in starts)
