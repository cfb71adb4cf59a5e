"""Setting up positions of Replica."""

from __future__ import annotations

from collections.abc import Mapping
from math import isqrt
from typing import ClassVar

from parlour.games.cell_editor import EMPTY, CellDraft, CellEditor, in_rows
from parlour.games.options import Options
from parlour.games.position_editor import PaletteItem
from parlour.games.replica import notation, rules
from parlour.games.replica.board import WHITE
from parlour.games.replica.view import GLYPHS


class ReplicaEditor(CellEditor):
    palette = (*(PaletteItem(glyph.name, number) for number, glyph in enumerate(GLYPHS)), PaletteItem("Empty"))
    symbols = (*"wWbB", EMPTY)
    glyphs: ClassVar[Mapping[str, int]] = {letter: number for number, letter in enumerate("wWbB")}

    def clear(self, options: Options) -> CellDraft:
        return CellDraft((EMPTY,) * rules.variant(options)[0] ** 2, WHITE)

    def read(self, text: str, options: Options) -> CellDraft:
        letters, turn = notation.taken_apart(text, rules.variant(options)[0])
        return CellDraft(tuple(letters), turn)

    def write(self, draft: CellDraft) -> str:
        turn = "-" if draft.turn is None else "wb"[draft.turn]
        return f"{in_rows(draft.cells, isqrt(len(draft.cells)))} {turn}"

    def tallies(self, draft: CellDraft) -> tuple[tuple[int, ...], ...]:
        men, kings = ([draft.cells.count(letter) for letter in letters] for letters in ("wb", "WB"))
        return tuple((man + king, king) for man, king in zip(men, kings, strict=True))
