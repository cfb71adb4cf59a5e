"""The pieces on one cell: rings with or without a ball, blocks, and tokens in their seat's brackets."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.protocol.scene import Glyph
from parlour.terminal.drawing import glyphs
from parlour.terminal.drawing.geometry import Box
from parlour.terminal.drawing.lines import Ink
from parlour.terminal.drawing.marks import Sign
from parlour.terminal.drawing.sheet import Sheet

_LEAVING = "::"  # around a piece that is about to leave


def paint_stack(sheet: Sheet, cell: int, stack: Sequence[Glyph], on_bar: bool, is_marked: bool) -> None:
    """Paint the pieces of one cell, from bottom to top. The top one is drawn; the others are written under it."""
    rings = [glyph for glyph in stack if glyph.shape == "ring"]
    if stack[-1].shape == "block":
        _paint_block(sheet, cell, stack[-1])
    elif rings and sheet.layout.is_roomy:
        _paint_ring(sheet, cell, rings, [glyph for glyph in stack if glyph.shape != "ring"])
    else:
        _paint_token(sheet, cell, stack, sheet.marking.sign(cell) if is_marked else None, on_bar)


def _paint_block(sheet: Sheet, cell: int, block: Glyph) -> None:
    sheet.canvas.fill(sheet.layout.box(cell), sheet.sign(block), sheet.ink(block))
    sign = sheet.marking.sign(cell)
    if sign is not None:
        sheet.enclose(*sheet.token_at(cell), sign.sides, sign.ink)


def _paint_ring(sheet: Sheet, cell: int, rings: Sequence[Glyph], inside: Sequence[Glyph]) -> None:
    x, y = sheet.token_at(cell)
    leaving = cell in sheet.marking.ghosts
    frame = sheet.frame(sheet.chars.ring, rings[-1], leaving and not inside)
    sheet.canvas.frame(Box(x - 1, y - 1, 5, 3), frame, sheet.ink(rings[-1]))
    if inside:
        sheet.canvas.put(x + 1, y, sheet.sign(inside[-1]), sheet.ink(inside[-1]))
    now, past = sheet.marking.now.get(cell), sheet.marking.past.get(cell)
    if now is not None and now.encloses:
        sheet.enclose(x, y, now.sides, now.ink)
        now = None
    elif leaving and inside:
        sheet.enclose(x, y, _LEAVING, Ink.PICK)
    below = now or past
    mark = below.under if below is not None else ""
    if len(rings) > 1:
        x = _paint_pile(sheet, x - 1, y + 2, rings, sheet.layout.cell_width - 1 - len(mark))
    if below is not None:
        sheet.canvas.put(x, y + 2, mark, below.ink)


def _paint_token(sheet: Sheet, cell: int, stack: Sequence[Glyph], sign: Sign | None, on_bar: bool) -> None:
    is_flat = sheet.layout.is_flat
    is_piled = len(stack) > 1 and not is_flat
    around: tuple[str, Ink] | None = None  # replaces the brackets
    if sign is not None and (is_flat or is_piled):
        around = sign.sides, sign.ink
    elif cell in sheet.marking.ghosts:
        around = _LEAVING, Ink.PICK

    box, (x, y) = sheet.layout.box(cell), sheet.token_at(cell)
    is_framed = sheet.layout.is_large and stack[-1].seat is not None and not on_bar and not is_piled
    if is_framed:
        frame = sheet.frame(sheet.chars.ring, stack[-1], cell in sheet.marking.ghosts)
        sheet.canvas.frame(Box(x - 1, y - 1, 5, 3), frame, sheet.ink(stack[-1]))
    parts = _parts(sheet, stack, around)
    chars = [(char, ink) for text, ink in parts for char in text][: box.width]
    x = max(box.x, min(x, box.x + box.width - len(chars)))
    for column, (char, ink) in enumerate(chars, x):
        sheet.canvas.put(column, y, char, ink)
    if is_piled:
        _paint_pile(sheet, box.x, y + 1, stack, box.width - 1)
    elif sign is not None and not is_flat:
        sheet.under(cell, sign, clear=on_bar or is_framed)


def _parts(sheet: Sheet, stack: Sequence[Glyph], around: tuple[str, Ink] | None) -> list[tuple[str, Ink]]:
    """Return the parts of a token: left bracket, body, right bracket."""
    top = stack[-1]
    ink, label = sheet.ink(top), sheet.style.legible(top.label)
    body = sheet.sign(top)
    left, right = tuple(glyphs.brackets(sheet.spec, top))
    if top.shows_score and top.seat is not None:
        body = str(sheet.scene.tallies[top.seat][0])
    elif top.shape == "star":
        left, right = "", label
    elif label:
        body = label
    if around is None:
        if len(stack) > 1 and sheet.layout.is_flat:
            right = str(len(stack)) if len(stack) < 10 else "+"
        return [(left, ink), (body, ink), (right, ink)]
    sides, mark_ink = around
    first = (sides[0], mark_ink) if sheet.tells_seat(top) else (left, ink)
    return [first, (body, ink), (sides[1], mark_ink)]


def _paint_pile(sheet: Sheet, x: int, y: int, stack: Sequence[Glyph], room: int) -> int:
    """Write a stack from bottom to top, or its height and its top; return the column after it."""
    shown = len(stack)
    if shown > room:
        shown = room - 2 if len(stack) - room + 2 < 10 else room - 3
        hidden = f"{len(stack) - shown}+"
        sheet.canvas.put(x, y, hidden, Ink.TEXT)
        x += len(hidden)
    for column, glyph in enumerate(stack[len(stack) - shown :], x):
        sheet.canvas.put(column, y, sheet.sign(glyph), sheet.ink(glyph))
    return x + shown
