"""Bars: boxes over several cells with pips in the middle."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import NamedTuple

from parlour.protocol.scene import Glyph
from parlour.terminal.drawing import glyphs
from parlour.terminal.drawing.canvas import Frame
from parlour.terminal.drawing.geometry import Box
from parlour.terminal.drawing.lines import Ink
from parlour.terminal.drawing.marks import Sign
from parlour.terminal.drawing.sheet import Sheet


class _Look(NamedTuple):
    frame: Frame
    pips: str
    ink: Ink


def is_bar(glyph: Glyph) -> bool:
    return glyph.shape == "bar" or glyph.columns > 1 or glyph.rows > 1


def cells_of(columns: int, cell: int, glyph: Glyph) -> list[int]:
    """Return the cells of a bar, on a board with the given number of columns."""
    return [cell + columns * up + right for up in range(glyph.rows) for right in range(glyph.columns)]


def paint_bar(sheet: Sheet, cell: int, glyph: Glyph, bare: AbstractSet[int]) -> set[int]:
    """Paint a bar and return the cells whose marks are drawn with it. Cells that are not `bare` carry other pieces.

    A mark on the first cell or on all cells of the bar is drawn once, on its edge. A mark on another bare cell is drawn
    there.
    """
    cells = cells_of(sheet.spec.columns, cell, glyph)
    signs = {at: sign for at in cells if (sign := sheet.marking.sign(at)) is not None}
    is_about_all = len(signs) == len(cells) and len(set(signs.values())) == 1
    about = signs.get(cell) if is_about_all or cell in bare else None
    _paint(sheet, cell, glyph, about)
    for at in bare & signs.keys():
        if signs[at] != about and not sheet.layout.is_flat:
            sheet.under(at, signs[at], clear=True)
    return set(cells) if is_about_all else set()


def _paint(sheet: Sheet, cell: int, glyph: Glyph, sign: Sign | None) -> None:
    space = sheet.layout.box(cell, glyph.columns, glyph.rows)
    frame = sheet.frame(sheet.chars.bar, glyph, cell in sheet.marking.ghosts)
    # A large piece of an unknown shape shows its letter once.
    pips = glyphs.pip(sheet.spec, glyph, sheet.style) * (glyph.pips or glyph.shape != "bar")
    paint = _paint_standing if glyph.rows > glyph.columns else _paint_lying
    paint(sheet, space, _Look(frame, pips, sheet.ink(glyph)), sign)


def _paint_lying(sheet: Sheet, space: Box, look: _Look, sign: Sign | None) -> None:
    canvas, (frame, pips, ink) = sheet.canvas, look
    box = space._replace(width=space.width - 1)  # a gap to the next one
    bottom = box.y + box.height - 1
    if sheet.layout.is_flat:
        canvas.put(box.x, box.y, frame.side + frame.across * (box.width - 2) + frame.side, ink)
    else:
        canvas.frame(box, frame, ink)
    canvas.put(box.x + (box.width - len(pips) + 1) // 2, box.y + (box.height - 1) // 2, pips, ink)
    if sign is None:
        return
    if sheet.layout.is_flat:
        canvas.put(box.x + 1, bottom, sign.sides[0], sign.ink)
    else:
        mark = f" {sign.under.strip()} "[: box.width - 2]
        canvas.put(box.x + (box.width - len(mark)) // 2, bottom, mark, sign.ink)


def _paint_standing(sheet: Sheet, space: Box, look: _Look, sign: Sign | None) -> None:
    canvas, (frame, pips, ink) = sheet.canvas, look
    middle, bottom = space.x + sheet.layout.middle, space.y + space.height - 1
    if sheet.layout.is_flat:
        canvas.drop(middle, space.y, frame.across + frame.side * (space.height - 2) + frame.across, ink)
    else:
        canvas.frame(Box(middle - 1, space.y, 3, space.height), frame, ink)
    canvas.drop(middle, space.y + (space.height - len(pips)) // 2, pips, ink)
    if sign is None:
        return
    if sheet.layout.is_flat:
        canvas.put(middle - 1, bottom, sign.sides[0], sign.ink)
    else:
        canvas.put(middle, bottom - 1, sign.under.strip()[:1], sign.ink)
