"""How each shape of piece looks in a picture, like the pieces of the browser client. An unknown shape is a token."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, radians, sin

from parlour.protocol.scene import Glyph
from parlour.server.pages.brush import SHADOW, STAR, STAR_EDGE, STAR_INK, TONES, Brush, Point

Draw = Callable[[Brush, Glyph, str, Point, float], None]


def draw_piece(brush: Brush, glyph: Glyph, tone: str, centre: Point, unit: float) -> None:
    """Draw a piece around the centre of the cells that it covers. `unit` is the side of a cell."""
    SHAPES.get(glyph.shape, _token)(brush, glyph, tone, centre, unit)


def rise(shape: str, level: int, unit: float) -> float:
    """Return how far a piece is raised that lies on `level` others."""
    if shape == "ball":
        return (max(0, level - 1) * 0.1 + 0.08) * unit
    return 0 if shape == "counter" else level * 0.1 * unit


def seat_symbol(brush: Brush, tone: str, centre: Point, radius: float, fill: str) -> None:
    """Draw the symbol of a seat: a diamond for the dark one, a circle for the light one."""
    if tone == "dark":
        _diamond(brush, centre, radius * 1.3, fill)
    else:
        brush.circle(centre, radius, fill)


def _diamond(brush: Brush, centre: Point, radius: float, fill: str, line: str | None = None, width: float = 0) -> None:
    x, y = centre
    corners = [(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)]
    brush.polygon(corners, fill, line, width)


def _round(brush: Brush, tone: str, centre: Point, radius: float, height: float, edge: str = "") -> Point:
    """Draw a round piece that shows its front edge, and return the centre of its top."""
    x, y = centre
    colours = TONES[tone]
    brush.circle((x + radius * 0.06, y + height + radius * 0.1), radius * 1.06, SHADOW)
    brush.circle((x, y + height), radius, edge or colours["edge"])
    brush.circle(centre, radius, colours["top"], colours["rim"], 3)
    return centre


def _token(brush: Brush, glyph: Glyph, tone: str, centre: Point, unit: float) -> None:
    x, y = _round(brush, tone, centre, unit * 0.36, unit * 0.075)
    brush.text((x, y), glyph.label or glyph.shape[:1].upper(), unit * 0.34, TONES[tone]["mark"])


def _disc(brush: Brush, glyph: Glyph, tone: str, centre: Point, unit: float) -> None:
    other = TONES["light" if tone == "dark" else "dark"]["top"]
    top = _round(brush, tone, (centre[0], centre[1] - unit * 0.035), unit * 0.385, unit * 0.075, other)
    brush.circle(top, unit * 0.3, None, TONES[tone]["rim"], 2)
    seat_symbol(brush, tone, top, unit * 0.073, TONES[tone]["mark"])


def _man(brush: Brush, glyph: Glyph, tone: str, centre: Point, unit: float) -> None:
    x, y = _round(brush, tone, (centre[0], centre[1] - unit * 0.03), unit * 0.345, unit * 0.07)
    angle = radians(90 - (90 if glyph.heading is None else glyph.heading))
    size = unit * 0.16
    head = [(0, -1.05), (0.72, 0.8), (0, 0.38), (-0.72, 0.8)]
    turned = [
        (x + size * (a * cos(angle) - b * sin(angle)), y + size * (a * sin(angle) + b * cos(angle))) for a, b in head
    ]
    brush.polygon(turned, TONES[tone]["mark"])


def _king(brush: Brush, glyph: Glyph, tone: str, centre: Point, unit: float) -> None:
    x, y = _round(brush, tone, (centre[0], centre[1] - unit * 0.065), unit * 0.375, unit * 0.115)
    brush.circle((x, y), unit * 0.33, None, STAR, unit * 0.035)
    points = [(-1, 0.62), (-1.08, -0.5), (-0.48, 0.06), (0, -0.82), (0.48, 0.06), (1.08, -0.5), (1, 0.62)]
    size = unit * 0.175
    brush.polygon([(x + a * size, y + b * size) for a, b in points], STAR, STAR_EDGE, 3)


def _ring(brush: Brush, glyph: Glyph, tone: str, centre: Point, unit: float) -> None:
    outer, inner, height = unit * 0.335, unit * 0.19, unit * 0.078
    x, y = centre
    colours = TONES[tone]
    brush.circle((x + unit * 0.02, y + height * 0.6), outer * 1.1, SHADOW)
    brush.circle((x, y), outer, colours["edge"], colours["rim"], 2)
    brush.circle((x, y - height), outer, colours["top"], colours["rim"], 3)
    brush.circle((x, y - height), inner, colours["edge"], colours["rim"], 3)
    if tone == "light":
        brush.circle((x, y - height), (outer + inner) / 2, None, colours["rim"], 2)


def _ball(brush: Brush, glyph: Glyph, tone: str, centre: Point, unit: float) -> None:
    x, y = centre
    radius = unit * 0.205
    colours = TONES[tone]
    brush.circle((x + unit * 0.02, y + radius * 0.4), radius * 1.02, SHADOW)
    brush.circle(centre, radius, colours["top"], colours["rim"], 3)
    brush.circle((x - radius * 0.36, y - radius * 0.44), radius * 0.2, (255, 255, 255, 160))
    seat_symbol(brush, tone, (x + radius * 0.1, y + radius * 0.2), radius * 0.21, colours["mark"])


def _bar(brush: Brush, glyph: Glyph, tone: str, centre: Point, unit: float) -> None:
    lies = glyph.columns >= glyph.rows
    width = glyph.columns * unit - 2 * unit * (0.09 if lies else 0.18)
    height = glyph.rows * unit - 2 * unit * (0.18 if lies else 0.09)
    x, y = centre[0] - width / 2, centre[1] - height / 2
    colours, edge, radius = TONES[tone], unit * 0.065, unit * 0.12
    brush.box((x + 3, y + edge + 4), (width, height), SHADOW, radius=radius)
    brush.box((x, y + edge), (width, height), colours["edge"], radius=radius)
    brush.box((x, y), (width, height), colours["top"], radius=radius, line=colours["rim"], width=3)
    for n in range(glyph.pips):
        along = (n - (glyph.pips - 1) / 2) * unit * 0.27
        at = (centre[0] + along, centre[1]) if lies else (centre[0], centre[1] + along)
        seat_symbol(brush, tone, at, unit * 0.078, colours["mark"])


def _counter(brush: Brush, glyph: Glyph, tone: str, centre: Point, unit: float) -> None:
    x, y = centre
    colours = TONES[tone]
    if tone == "dark":
        _diamond(brush, (x, y + unit * 0.05), unit * 0.42, colours["edge"])
        _diamond(brush, (x, y - unit * 0.04), unit * 0.42, colours["top"], colours["rim"], 6)
    else:
        _round(brush, tone, (x, y - unit * 0.05), unit * 0.34, unit * 0.09)


def _block(brush: Brush, glyph: Glyph, tone: str, centre: Point, unit: float) -> None:
    colours = TONES["none"]
    half = unit * 0.41
    x, y = centre[0] - half, centre[1] - half
    face = 2 * half - unit * 0.12
    brush.box((x, y), (2 * half, 2 * half), colours["edge"], radius=8)
    brush.box((x, y - 4), (2 * half, face), colours["top"], radius=8)
    rows = [y - 4 + face / 3 * n for n in range(4)]
    for row in rows[1:3]:
        brush.line([(x, row), (x + 2 * half, row)], colours["mark"], 2)
    for row, at in zip(rows, (0.38, 0.66, 0.3), strict=False):
        brush.line([(x + 2 * half * at, row), (x + 2 * half * at, row + face / 3)], colours["mark"], 2)


def _joker(brush: Brush, glyph: Glyph, tone: str, centre: Point, unit: float) -> None:
    radius = unit * 0.37
    x, y = centre[0], centre[1] - unit * 0.03
    brush.circle((x, y + unit * 0.06), radius, STAR_EDGE)
    brush.circle((x, y), radius, TONES["light"]["top"])
    arc = [(x + radius * cos(radians(angle)), y + radius * sin(radians(angle))) for angle in range(135, 316, 5)]
    brush.polygon(arc, TONES["dark"]["top"])
    brush.circle((x, y), radius, None, STAR, 6)
    seat_symbol(brush, "dark", (x - radius * 0.36, y - radius * 0.36), radius * 0.18, TONES["dark"]["mark"])
    seat_symbol(brush, "light", (x + radius * 0.36, y + radius * 0.36), radius * 0.2, TONES["light"]["mark"])


def _star(brush: Brush, glyph: Glyph, tone: str, centre: Point, unit: float) -> None:
    x, y = centre
    spikes = [unit * (0.235 if n % 2 else 0.42) for n in range(10)]
    outline = [(x + r * sin(pi * n / 5), y - r * cos(pi * n / 5)) for n, r in enumerate(spikes)]
    brush.polygon([(a, b + 5) for a, b in outline], SHADOW)
    brush.polygon(outline, STAR, STAR_EDGE, 4)
    brush.text((x - 1, y + unit * 0.03), glyph.label, unit * 0.24, STAR_INK, bold=0.8)


SHAPES: dict[str, Draw] = {
    "disc": _disc,
    "man": _man,
    "king": _king,
    "ring": _ring,
    "ball": _ball,
    "bar": _bar,
    "counter": _counter,
    "block": _block,
    "joker": _joker,
    "star": _star,
}
