"""Draws as SVG, for pictures that can be scaled."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from parlour.server.pages.brush import Colour, Point

ANCHORS = {"l": "start", "m": "middle", "r": "end"}
BASELINES = {"a": "text-before-edge", "m": "central"}


class SvgBrush:
    """Collects shapes."""

    def __init__(self) -> None:
        self._shapes: list[str] = []

    def picture(self, width: float, height: float, title: str) -> str:
        """Return the picture."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">'
            f"<title>{escape(title)}</title>{''.join(self._shapes)}</svg>\n"
        )

    def circle(
        self, centre: Point, radius: float, fill: Colour | None, line: Colour | None = None, width: float = 0
    ) -> None:
        x, y = centre
        inner = radius - width / 2  # Pillow draws the line inside of the shape
        self._shapes.append(f'<circle cx="{x:.5g}" cy="{y:.5g}" r="{inner:.4g}"{_style(fill, line, width)}/>')

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
        x, y = (each + width / 2 for each in corner)
        across, down = (each - width for each in size)
        rounded = f' rx="{radius:.4g}"' if radius else ""
        shape = f'<rect x="{x:.5g}" y="{y:.5g}" width="{across:.5g}" height="{down:.5g}"{rounded}'
        self._shapes.append(f"{shape}{_style(fill, line, width)}/>")

    def polygon(
        self, points: Iterable[Point], fill: Colour | None, line: Colour | None = None, width: float = 0
    ) -> None:
        self._shapes.append(f'<polygon points="{_points(points)}"{_style(fill, line, width)}/>')

    def line(self, points: Iterable[Point], colour: Colour, width: float) -> None:
        self._shapes.append(f'<polyline points="{_points(points)}"{_style(None, colour, width)}/>')

    def text(self, at: Point, text: str, size: float, colour: Colour, *, anchor: str = "mm", bold: float = 0) -> None:
        x, y = at
        place = f'text-anchor="{ANCHORS[anchor[0]]}" dominant-baseline="{BASELINES[anchor[1]]}"'
        style = _style(colour, colour if bold else None, bold)
        self._shapes.append(
            f'<text x="{x:.5g}" y="{y:.5g}" font-family="sans-serif" font-size="{size:.4g}" {place}{style}>'
            f"{escape(text)}</text>"
        )


def _style(fill: Colour | None, line: Colour | None, width: float) -> str:
    stroke = f' stroke="{_colour(line)}" stroke-width="{width:.4g}"' if line is not None and width else ""
    return f' fill="{"none" if fill is None else _colour(fill)}"{stroke}'


def _colour(colour: Colour) -> str:
    if isinstance(colour, str):
        return colour
    red, green, blue, alpha = colour
    return f"rgba({red},{green},{blue},{alpha / 255:.3g})"


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{x:.5g},{y:.5g}" for x, y in points)
