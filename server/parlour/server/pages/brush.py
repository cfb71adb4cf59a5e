"""The drawing interface of board pictures, and the colours of the light theme."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

Colour = str | tuple[int, int, int, int]
Point = tuple[float, float]

BACKGROUND, INK, INK_2, ACCENT = "#f4efe5", "#221f1a", "#5a5346", "#0b665a"
SURFACES = {
    "birch": ("#efe3ca", "#eadcbf", "#d6c5a1"),
    "felt": ("#c3cfbf", "#b6c4b2", "#a3b39f"),
    "chart": ("#dfe3cd", "#d8ddc4", "#bfc7a8"),
    "clay": ("#e6d5c1", "#c9a98d", "#b4937a"),
}  # a cell, a cell of the second tone, a line
SEA = "#b7cbd0"
FRAME, FRAME_EDGE = "#7d5b3e", "#9a7452"
TONES = {
    "dark": {"top": "#2c3647", "edge": "#121822", "rim": "#55667f", "mark": "#b9cae2", "tint": "#7f9fc4"},
    "light": {"top": "#fcf7ea", "edge": "#c9b58d", "rim": "#7c5c24", "mark": "#8a5d17", "tint": "#ebc986"},
    "none": {"top": "#a8a294", "edge": "#77715f", "rim": "#5c574a", "mark": "#5c574a", "tint": "#a8a294"},
}
STAR, STAR_EDGE, STAR_INK = "#d99a1c", "#8a5b06", "#3a2500"
LAST_MOVE = "#5b2c96"
SHADOW = (0, 0, 0, 46)


class Brush(Protocol):
    """Draws shapes and text."""

    def circle(
        self, centre: Point, radius: float, fill: Colour | None, line: Colour | None = None, width: float = 0
    ) -> None: ...

    def box(
        self,
        corner: Point,
        size: Point,
        fill: Colour | None,
        *,
        radius: float = 0,
        line: Colour | None = None,
        width: float = 0,
    ) -> None: ...

    def polygon(
        self, points: Iterable[Point], fill: Colour | None, line: Colour | None = None, width: float = 0
    ) -> None: ...

    def line(self, points: Iterable[Point], colour: Colour, width: float) -> None: ...

    def text(self, at: Point, text: str, size: float, colour: Colour, *, anchor: str = "mm", bold: float = 0) -> None:
        """`anchor` is that of Pillow: the horizontal and the vertical place. `bold` is the width of a line around."""
