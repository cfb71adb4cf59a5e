"""Draws with Pillow, for pictures in pixels."""

from __future__ import annotations

from collections.abc import Iterable

from PIL import Image, ImageDraw, ImageFont

from parlour.server.pages.brush import Colour, Point


class PillowBrush:
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
