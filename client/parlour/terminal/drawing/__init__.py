"""Boards as text: any scene, drawn for a terminal.

`draw` returns the board and `seat_lines` the pieces beside it. Both return lines of spans, which know their colours and
the place they belong to; `render` turns a line into text. No drawing relies on colour, and none asks which game it is.
"""

from __future__ import annotations

from parlour.terminal.drawing.board import draw
from parlour.terminal.drawing.geometry import Box, box_of, largest_scale, place_at, size_of
from parlour.terminal.drawing.lines import Ground, Ink, Line, Span, render
from parlour.terminal.drawing.style import Colours, Style, Theme, style_for
from parlour.terminal.drawing.zones import seat_lines

__all__ = [
    "Box",
    "Colours",
    "Ground",
    "Ink",
    "Line",
    "Span",
    "Style",
    "Theme",
    "box_of",
    "draw",
    "largest_scale",
    "place_at",
    "render",
    "seat_lines",
    "size_of",
    "style_for",
]
