"""Setting up positions of Mapello."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace

from parlour.games.cell_editor import EMPTY, CellDraft, CellEditor, in_rows
from parlour.games.mapello import layout, notation
from parlour.games.mapello.board import BLACK, INNER, RIM, SIDE, WHITE
from parlour.games.mapello.rules import BONUS_POINTS
from parlour.games.mapello.view import GLYPHS, SEATS
from parlour.games.options import Options
from parlour.games.position_editor import PaletteItem, PositionNumber

WALL = "#"


class MapelloEditor(CellEditor):
    palette = (*(PaletteItem(glyph.name, number) for number, glyph in enumerate(GLYPHS)), PaletteItem("Empty"))
    symbols = ("X", "O", WALL, "J", "*", EMPTY)
    glyphs: ClassVar[Mapping[str, int]] = {symbol: number for number, symbol in enumerate(symbols[:-1])}

    def clear(self, options: Options) -> CellDraft:
        cells = tuple(WALL if RIM >> cell & 1 else EMPTY for cell in range(SIDE * SIDE))
        return CellDraft(cells, BLACK, (0, 0))

    def read(self, text: str, options: Options) -> CellDraft:
        rows, turn, points = notation.taken_apart(text)
        return CellDraft(tuple("".join(reversed(rows))), turn, points)

    def write(self, draft: CellDraft) -> str:
        turn = "-" if draft.turn is None else "bw"[draft.turn]
        return f"{in_rows(draft.cells, SIDE)} {turn} {','.join(map(str, draft.numbers))}"

    def drawn(self, cell: int, text: str) -> Sequence[int]:
        # The walls of the rim are the rim itself.
        return super().drawn(cell, text) if text != WALL or INNER >> cell & 1 else ()

    def tallies(self, draft: CellDraft) -> tuple[tuple[int, ...], ...]:
        discs = draft.cells.count("X"), draft.cells.count("O")
        return tuple((disc + bonus, disc, bonus) for disc, bonus in zip(discs, draft.numbers, strict=True))

    def put(self, draft: CellDraft, item: int, places: Sequence[int]) -> CellDraft:
        clears_rim = self.symbols[item] == EMPTY and RIM >> places[0] & 1
        return super().put(draft, self.symbols.index(WALL) if clears_rim else item, places)

    def numbers(self, draft: CellDraft) -> tuple[PositionNumber, ...]:
        most = layout.MOST * BONUS_POINTS
        return tuple(
            PositionNumber(f"{SEATS[seat].name}’s bonus points", draft.numbers[seat], most, step=BONUS_POINTS)
            for seat in (BLACK, WHITE)
        )

    def with_number(self, draft: CellDraft, number: int, value: int) -> CellDraft:
        black, white = draft.numbers
        return replace(draft, numbers=(black, value) if number else (value, white))
