"""The board of any game, drawn from its scene."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from parlour.protocol.scene import BoardSpec, Glyph, Scene
from parlour.protocol.types import Pick
from parlour.terminal.drawing.bars import cells_of, is_bar, paint_bar
from parlour.terminal.drawing.lines import Ink, Line
from parlour.terminal.drawing.sheet import Sheet
from parlour.terminal.drawing.stacks import paint_stack
from parlour.terminal.drawing.style import Style
from parlour.terminal.drawing.surface import Surface


def draw(
    spec: BoardSpec,
    scene: Scene,
    *,
    style: Style,
    picks: Sequence[int | Pick] = (),
    focus: int | None = None,
    flipped: bool = False,
    scale: int = 1,
    pointers: Mapping[int, str] = {},
) -> list[Line]:
    """Return the board with its coordinates: row numbers on the left, cells, column letters below.

    `picks` may be chosen next, as a step of the protocol lists them; `focus` is the place the player is at. A
    flipped board is turned by half a circle, for the side that sits at the top. `scale` is the size of
    the cells, see `geometry`. `pointers` are characters that point at places. A board without cells has no lines.
    """
    if not spec.cells:
        return []
    sheet = Sheet(spec, scene, style, picks, flipped, scale, pointers)
    bars: list[tuple[int, Glyph]] = []
    tokens: dict[int, list[Glyph]] = {}
    for place, *stack in scene.pieces:
        if place < spec.cells:
            for glyph in (spec.glyphs[index] for index in stack):
                if is_bar(glyph):
                    bars.append((place, glyph))
                else:
                    tokens.setdefault(place, []).append(glyph)
    covered = {at for cell, bar in bars for at in cells_of(spec.columns, cell, bar)}
    bare = set(range(spec.cells)) - tokens.keys()

    Surface(sheet).paint(empty=bare - covered)
    told: set[int] = set()  # cells whose marks are drawn with the bar below
    for cell, bar in bars:
        told |= paint_bar(sheet, cell, bar, bare)
    for cell, pieces in tokens.items():
        paint_stack(sheet, cell, pieces, on_bar=cell in covered, is_marked=cell not in told)
    _paint_chips(sheet, tokens.keys(), focus)
    return sheet.canvas.lines(focus)


def _paint_chips(sheet: Sheet, occupied: AbstractSet[int], focus: int | None) -> None:
    """Paint picks that are drawn on cells without being cells, below the pieces there; brackets mark the focus."""
    for cell, chip in sheet.marking.chips.items():
        box, (x, y) = sheet.layout.box(cell), sheet.token_at(cell)
        room = box.x + box.width - x
        text = f"{chip.label:3}"
        if chip.place == focus:
            text = f"[{chip.label}]" if len(chip.label) + 2 <= room else f"[{chip.label.lstrip('+')}]"
        if cell not in occupied:
            sheet.canvas.put(x, y, text[:room], Ink.PICK)
        elif not sheet.layout.is_flat:
            sheet.canvas.put(x, y + 1, text[:room], Ink.PICK)
        if cell not in sheet.marking.now:
            sheet.canvas.claim(box, chip.place)
