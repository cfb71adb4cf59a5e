"""Board layouts as text, checked against the specification that clients build their editor from.

The checks return a sentence about the first fault from the top, or an empty text, so that a game can use them both for
layouts that players edit and for the board part of its position texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from parlour.games.grid import grid
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import LayoutPiece, LayoutSpec

__all__ = ["LayoutPiece", "LayoutSpec", "checked", "malformed", "misplaced"]

_ROW_END = re.compile(r"/|\r\n|\n|\r")


def checked(spec: LayoutSpec, text: str) -> str:
    """Return the layout with its rows joined by `/`; refuse one that breaks the specification.

    The given rows may be joined by `/` or by line breaks.
    """
    rows = _ROW_END.split(text.strip())
    if fault := malformed(spec, rows) or misplaced(spec, rows):
        raise Refusal(ErrorCode.LAYOUT_INVALID, fault)
    return "/".join(rows)


def malformed(spec: LayoutSpec, rows: Sequence[str]) -> str:
    """Say what is wrong with the size or the characters."""
    if len(rows) != spec.rows:
        return f"The board has {spec.rows} rows, not {len(rows)}."
    known = _symbols(spec)
    for number, row in zip(range(spec.rows, 0, -1), rows, strict=True):
        if len(row) != spec.columns:
            return f"Row {number} should have {spec.columns} cells, not {len(row)}."
        for symbol in row:
            if symbol not in known:
                shown = f"“{symbol}”" if symbol.isprintable() else f"the character U+{ord(symbol):04X}"
                return f"Row {number} has {shown}; cells are written {' '.join(known)}."
    return ""


def misplaced(spec: LayoutSpec, rows: Sequence[str]) -> str:
    """Say which piece of a well-formed layout is in the wrong place, or occurs too often or too rarely."""
    blank, allowed = "".join(reversed(spec.blank.split("/"))), _allowed(spec)
    pieces = {piece.symbol: piece for piece in spec.pieces}
    placed = dict.fromkeys(pieces, 0)
    for cell, symbol in _from_the_top(rows):
        found = f"Row {cell // spec.columns + 1} has “{symbol}” on {grid(spec.columns, spec.rows).name(cell)}"
        if symbol not in allowed[cell]:
            return f"{found}; only {' or '.join(allowed[cell])} can be there."
        if symbol != blank[cell]:
            piece = pieces[symbol]
            placed[symbol] += 1
            if placed[symbol] > piece.high:
                return f"{found}, which is one {piece.name} too many; the limit is {piece.high}."
    for piece in spec.pieces:
        if placed[piece.symbol] < piece.low:
            return f"The layout needs at least {piece.low} of “{piece.symbol}” ({piece.name})."
    return ""


@cache
def _symbols(spec: LayoutSpec) -> tuple[str, ...]:
    """Return every character that a layout may contain."""
    return tuple(dict.fromkeys([piece.symbol for piece in spec.pieces] + sorted(set(spec.blank) - {"/"})))


@cache
def _allowed(spec: LayoutSpec) -> tuple[tuple[str, ...], ...]:
    """Return, for each cell, the characters that it may hold."""
    allowed = [[symbol] for symbol in "".join(reversed(spec.blank.split("/")))]
    for piece in spec.pieces:
        for cell in piece.cells:
            if piece.symbol not in allowed[cell]:
                allowed[cell].append(piece.symbol)
    return tuple(map(tuple, allowed))


def _from_the_top(rows: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield every cell and its character, row by row from the top left."""
    columns = len(rows[0])
    for index, row in enumerate(rows):
        yield from enumerate(row, (len(rows) - 1 - index) * columns)
