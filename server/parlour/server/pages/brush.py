"""Drawing with Pillow in the units of a board, in the colours of the light theme."""

from __future__ import annotations

from collections.abc import Iterable

from PIL import Image, ImageDraw, ImageFont

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


class Brush:
    """Draws on an image; coordinates and sizes are multiplied by `scale`."""

    def __init__(self, image: Image.Image, scale: float = 1) -> None:
        self._draw = ImageDraw.Draw(image, "RGBA")
        self._scale = scale

    def circle(
        self, centre: Point, radius: float, fill: Colour | None, line: Colour | None = None, width: float = 0
    ) -> None:
        x, y = centre
        box = self._scaled([(x - radius, y - radius), (x + radius, y + radius)])
        self._draw.ellipse(box, fill, line, self._width(width))

    def box(
        self,
        corner: Point,
        size: Point,
        fill: Colour | None,
        *,
        radius: float = 0,
        line: Colour | None = None,
        width: float = 0,
    ) -> None:
        (x, y), (across, down) = corner, size
        box = self._scaled([(x, y), (x + across, y + down)])
        self._draw.rounded_rectangle(box, radius * self._scale, fill, line, self._width(width))

    def polygon(
        self, points: Iterable[Point], fill: Colour | None, line: Colour | None = None, width: float = 0
    ) -> None:
        self._draw.polygon(self._scaled(points), fill, line, self._width(width))

    def line(self, points: Iterable[Point], colour: Colour, width: float) -> None:
        self._draw.line(self._scaled(points), colour, self._width(width))

    def text(self, at: Point, text: str, size: float, colour: Colour, *, anchor: str = "mm", bold: float = 0) -> None:
        """`anchor` is that of Pillow. The font has one weight; `bold` is the width of a line around the letters."""
        font = font_of(size * self._scale)
        [point] = self._scaled([at])
        self._draw.text(
            point, text, colour, font, anchor, stroke_width=bold * self._scale, stroke_fill=colour if bold else None
        )

    def _scaled(self, points: Iterable[Point]) -> list[Point]:
        return [(x * self._scale, y * self._scale) for x, y in points]

    def _width(self, width: float) -> int:
        return max(1, round(width * self._scale)) if width else 0


def font_of(size: float) -> ImageFont.FreeTypeFont:
    """Return the font that comes with Pillow, because a server may have no other. It has the letters of ASCII."""
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font
