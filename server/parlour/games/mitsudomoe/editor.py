"""Setting up positions of Mitsudomoe: pieces are put on top of a stack and taken from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace

from parlour.games.cell_editor import EMPTY, CellDraft, CellEditor, in_rows, with_cell
from parlour.games.mitsudomoe import notation
from parlour.games.mitsudomoe.board import BLACK, GOALS, GRID, WHITE
from parlour.games.mitsudomoe.position import BALLS, FIRST_SLOT, RINGS
from parlour.games.mitsudomoe.view import GLYPHS
from parlour.games.options import Options
from parlour.games.position_editor import PaletteItem
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.scene import Stack


class MitsudomoeEditor(CellEditor):
    """The supplies are the rings that are not on the board."""

    palette = (*(PaletteItem(glyph.name, number) for number, glyph in enumerate(GLYPHS)), PaletteItem("Take the top"))
    symbols = (*"wWbB", "")
    glyphs: ClassVar[Mapping[str, int]] = {letter: number for number, letter in enumerate("wWbB")}

    def clear(self, options: Options) -> CellDraft:
        return CellDraft((EMPTY,) * GRID.size, WHITE, (RINGS, RINGS))

    def read(self, text: str, options: Options) -> CellDraft:
        cells, turn, supply = notation.taken_apart(text)
        return CellDraft(tuple(cells), turn, supply)

    def write(self, draft: CellDraft) -> str:
        turn = "-" if draft.turn is None else "wb"[draft.turn]
        return f"{in_rows(draft.cells, GRID.columns, ',')} {turn} {','.join(map(str, draft.numbers))}"

    def tallies(self, draft: CellDraft) -> tuple[tuple[int, ...], ...]:
        arrived = (
            sum(letter in text for cell, text in enumerate(draft.cells) if GOALS[seat] >> cell & 1)
            for seat, letter in enumerate("WB")
        )
        return tuple((many,) for many in arrived)

    def beside(self, draft: CellDraft) -> tuple[Stack, ...]:
        return tuple((FIRST_SLOT + seat, *[2 * seat] * left) for seat, left in enumerate(draft.numbers) if left)

    def put(self, draft: CellDraft, item: int, places: Sequence[int]) -> CellDraft:
        (cell,) = places
        symbol, stack = self.symbols[item], draft.cells[cell].strip(EMPTY)
        most = BALLS if symbol.isupper() else RINGS
        if symbol and "".join(draft.cells).count(symbol) >= most:
            raise _impossible(f"All {most} of this kind are on the board: {self.palette[item].name}.")
        after = with_cell(draft, cell, (stack + symbol if symbol else stack[:-1]) or EMPTY)
        board = "".join(after.cells)
        return replace(after, numbers=tuple(max(0, RINGS - board.count("wb"[seat])) for seat in (WHITE, BLACK)))


def _impossible(sentence: str) -> Refusal:
    return Refusal(ErrorCode.POSITION_IMPOSSIBLE, sentence)
