"""The pieces, each by its shape. Light comes from the top left, and every piece shows a front edge below.

A piece is drawn at the origin, over as many cells as it covers, so that it can be put anywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin
from typing import Any

from docs.drawing.paper import Paper, Point, number, path

from parlour.protocol.scene import BoardSpec, Glyph

# Where the middle of a piece is above the middle of its cell, and how far from there it reaches, in cells.
REACH = {
    "ring": (0.008, 0.385),
    "ball": (0.008, 0.385),
    "disc": (0.02, 0.44),
    "king": (0.03, 0.44),
    "block": (0.0, 0.46),
    "counter": (0.05, 0.49),
}
USUAL_REACH = (0.01, 0.42)
RISE = 0.1  # how much higher each level of a stack is


class _Piece:
    """One piece in the making."""

    def __init__(self, paper: Paper, spec: BoardSpec, glyph: Glyph, cell: float, raised: bool) -> None:
        self.paper = paper
        self.surface = spec.surface
        self.glyph = glyph
        self.cell = cell
        self.raised = raised
        self.tone = "stone" if glyph.seat is None else spec.seats[glyph.seat].tone
        self.middle = (cell * glyph.columns / 2, cell * glyph.rows / 2)

    def shadow(self, middle: Point, radius: float) -> None:
        x, y = middle
        self.paper.put("ellipse", "url(#shadow)", cx=x, cy=y, rx=radius, ry=radius * 0.96)

    def token(self, lift: float, radius: float, height: float, edge: str = "") -> Point:
        """A round piece seen a little from the front; gives the middle of its top."""
        x, y = self.middle
        y -= lift
        self.shadow((x + radius * 0.06, y + height + radius * 0.12), radius * 1.18)
        self.paper.circle((x, y + height), radius, edge or f"{self.tone}-edge")
        self.paper.circle((x, y), radius, f"{self.tone}-top", f"{self.tone}-rim", stroke_width=2)
        self.paper.circle((x, y), radius, "url(#sheen)")
        return x, y

    def groove(self, middle: Point, radius: float) -> None:
        self.paper.circle(middle, radius, line=f"{self.tone}-rim", stroke_width=2, stroke_opacity=0.55)

    def sign(self, middle: Point, radius: float) -> None:
        seat_sign(self.paper, middle, radius, self.tone, f"{self.tone}-mark")


def draw(paper: Paper, spec: BoardSpec, glyph: Glyph, cell: float, raised: bool) -> None:
    """A piece at the origin; `raised` when it lies on another one."""
    _SHAPES.get(glyph.shape, _unknown)(_Piece(paper, spec, glyph, cell, raised))


def seat_sign(paper: Paper, middle: Point, radius: float, tone: str, colour: str) -> None:
    """The sign of a seat: a diamond for the dark one, a circle for the light one."""
    x, y = middle
    if tone == "dark":
        side = radius * 1.3
        paper.put("path", colour, d=path((x, y - side), (x + side, y), (x, y + side), (x - side, y)))
    else:
        paper.circle(middle, radius, colour)


def crown(paper: Paper, middle: Point, radius: float, fill: str | None, line: str, width: float) -> None:
    x, y = middle
    outline = ((-1, 0.66), (-1.12, -0.44), (-0.5, 0.1), (0, -0.8), (0.5, 0.1), (1.12, -0.44), (1, 0.66))
    d = path(*((x + right * radius, y + down * radius) for right, down in outline))
    paper.put("path", fill, line, d=d, stroke_width=width, stroke_linejoin="round")
    for right, down in outline[1::2]:
        if down < 0:
            paper.circle((x + right * radius, y + down * radius), radius * 0.15, fill or line)


def write_number(paper: Paper, tone: str, middle: Point, cell: float, text: str) -> None:
    """The number that a counter carries."""
    x, y = middle
    paper.write((x, y + cell * 0.075), text, cell * 0.34, f"{tone}-number", font_weight=700)


def _disc(piece: _Piece) -> None:
    """Has another colour on its other side, which the edge shows."""
    other = {"dark": "light-top", "light": "dark-top"}.get(piece.tone, "")
    radius = piece.cell * 0.385
    top = piece.token(piece.cell * 0.035, radius, piece.cell * 0.075, other)
    piece.groove(top, radius * 0.78)
    piece.sign(top, radius * 0.19)


def _man(piece: _Piece) -> None:
    radius = piece.cell * 0.345
    top = piece.token(piece.cell * 0.03, radius, piece.cell * 0.07)
    piece.groove(top, radius * 0.8)
    if piece.glyph.heading is None:
        piece.sign(top, radius * 0.22)
        return
    size = piece.cell * 0.145
    turn = f"translate({number(top[0])} {number(top[1])}) rotate({90 - piece.glyph.heading})"
    arrow = path((0, -size * 1.1), (size * 0.76, size * 0.8), (0, size * 0.4), (-size * 0.76, size * 0.8))
    mark = f"{piece.tone}-mark"
    piece.paper.put("path", mark, mark, d=arrow, transform=turn, stroke_width=4, stroke_linejoin="round")


def _king(piece: _Piece) -> None:
    radius = piece.cell * 0.375
    x, y = piece.token(piece.cell * 0.065, radius, piece.cell * 0.115)
    piece.paper.circle((x, y), radius * 0.87, line="gold", stroke_width=piece.cell * 0.035)
    edge = "gold-edge" if piece.tone == "light" else f"{piece.tone}-edge"
    crown(piece.paper, (x, y + piece.cell * 0.01), piece.cell * 0.17, "gold", edge, 3)


def _ring(piece: _Piece) -> None:
    paper, cell, tone = piece.paper, piece.cell, piece.tone
    x, low = piece.middle[0], piece.middle[1] + cell * 0.07
    outer, inner, height = cell * 0.335, cell * 0.19, cell * 0.078
    top = low - height
    if not piece.raised:
        piece.shadow((x + cell * 0.02, low + height * 0.6), outer * 1.2)
    r, s = number(outer), number(inner)
    left, right = number(x - outer), number(x + outer)
    wall = f"M{left} {number(top)}V{number(low)}A{r} {r} 0 0 0 {right} {number(low)}V{number(top)}Z"
    paper.put("path", f"{tone}-edge", f"{tone}-rim", d=wall, stroke_width=2)
    paper.circle((x, top), inner, f"{tone}-edge" if piece.raised else piece.surface)
    paper.circle((x, top), inner, "#000", fill_opacity=0.3)
    near, far = number(x - inner), number(x + inner)
    inside = f"M{near} {number(top)}A{s} {s} 0 0 1 {far} {number(top)}A{s} {number(inner * 0.6)} 0 0 0 {near} "
    paper.put("path", f"{tone}-edge", d=f"{inside}{number(top)}Z")
    face = "".join(
        f"M{number(x - size)} {number(top)}a{number(size)} {number(size)} 0 1 1 {number(2 * size)} 0"
        f"a{number(size)} {number(size)} 0 1 1 -{number(2 * size)} 0Z"
        for size in (outer, inner)
    )
    paper.put("path", f"{tone}-top", f"{tone}-rim", d=face, stroke_width=2.5, fill_rule="evenodd")
    paper.put("path", "url(#sheen)", d=face, fill_rule="evenodd")
    middle = (outer + inner) / 2
    if tone == "dark":
        for quarter in range(4):
            turn = pi / 4 + quarter * pi / 2
            piece.sign((x + middle * cos(turn), top + middle * sin(turn)), cell * 0.019)
    else:
        paper.circle((x, top), middle, line=f"{tone}-rim", stroke_width=2.4, stroke_opacity=0.8)


def _ball(piece: _Piece) -> None:
    """Sits in the hole of the ring below, which is one level lower."""
    paper, cell, tone = piece.paper, piece.cell, piece.tone
    below = RISE if piece.raised else 0
    x, y = piece.middle[0], piece.middle[1] + cell * (0.07 - 0.15 + below)
    radius = cell * 0.205
    piece.shadow((x + cell * 0.02, y + radius * 0.66), radius * 1.02)
    paper.circle((x, y), radius, f"{tone}-ball" if tone != "stone" else "stone-top")
    shade = "round-dark" if tone == "dark" else "round-light"
    paper.circle((x, y), radius, f"url(#{shade})", f"{tone}-rim", stroke_width=2.2)
    glint_x, glint_y = x - radius * 0.36, y - radius * 0.44
    turn = f"rotate(-38 {number(glint_x)} {number(glint_y)})"
    glint: dict[str, Any] = {"cx": glint_x, "cy": glint_y, "rx": radius * 0.26, "ry": radius * 0.17}
    paper.put("ellipse", "#fff", transform=turn, fill_opacity=0.62 if tone == "dark" else 0.95, **glint)
    spot = (x + radius * 0.1, y + radius * 0.2)
    if tone == "dark":
        piece.sign(spot, radius * 0.21)
    else:
        paper.circle(spot, radius * 0.23, line=f"{tone}-mark", stroke_width=3.6)


def _bar(piece: _Piece) -> None:
    paper, cell, tone, glyph = piece.paper, piece.cell, piece.tone, piece.glyph
    upright = glyph.rows > glyph.columns
    across, along = cell * 0.18, cell * 0.09
    x, y = (across, along) if upright else (along, across)
    size = glyph.columns * cell - 2 * x, glyph.rows * cell - 2 * y
    edge, corner = cell * 0.065, cell * 0.12
    paper.box((x + 2, y + edge + 4), size, corner, "#000", fill_opacity=0.22)
    paper.box((x, y + edge), size, corner, f"{tone}-edge")
    paper.box((x, y), size, corner, f"{tone}-top", f"{tone}-rim", stroke_width=2)
    texture = "hatch" if tone == "dark" else "grain-up" if upright else "grain"
    paper.box((x + 7, y + 7), (size[0] - 14, size[1] - 14), corner - 5, f"url(#{texture})")
    paper.box((x, y), size, corner, "url(#fall)")
    middle_x, middle_y = x + size[0] / 2, y + size[1] / 2
    gap = cell * 0.25
    plate = (glyph.pips * gap + cell * 0.14, cell * 0.3)
    if upright:
        plate = plate[1], plate[0]
    if glyph.pips:
        corner_of_plate = middle_x - plate[0] / 2, middle_y - plate[1] / 2
        paper.box(corner_of_plate, plate, cell * 0.15, f"{tone}-top")
    for pip in range(glyph.pips):
        off = (pip - (glyph.pips - 1) / 2) * gap
        piece.sign((middle_x, middle_y + off) if upright else (middle_x + off, middle_y), cell * 0.078)


def _counter(piece: _Piece) -> None:
    """Round for the light seat, on its corner for the dark one; its number is written on it later."""
    paper, cell, tone = piece.paper, piece.cell, piece.tone
    x, y = piece.middle[0], piece.middle[1] - cell * 0.05
    radius = cell * 0.38
    piece.shadow((x + 4, y + cell * 0.14), radius * 1.25)
    if tone == "dark":
        side = radius * 0.84
        for down, fill, line in (
            (cell * 0.09, "dark-edge", None),
            (0, "dark-top", "dark-text"),
            (0, "url(#sheen)", None),
        ):
            turn = f"rotate(45 {number(x)} {number(y + down)})"
            corner = x - side, y + down - side
            paper.box(corner, (2 * side, 2 * side), cell * 0.09, fill, line, stroke_width=7, transform=turn)
        return
    paper.circle((x, y + cell * 0.09), radius, f"{tone}-edge")
    paper.circle((x, y), radius, f"{tone}-top", f"{tone}-text" if tone == "light" else None, stroke_width=7)
    paper.circle((x, y), radius, "url(#sheen)")


def _block(piece: _Piece) -> None:
    """A stone with three courses of bricks."""
    paper, cell = piece.paper, piece.cell
    inset = cell * 0.09
    width, height = cell - 2 * inset, cell - 2 * inset - cell * 0.12
    top = inset - 4
    paper.box((inset + 3, inset + 6), (width, width), 8, "#000", fill_opacity=0.2)
    paper.box((inset, inset), (width, width), 8, "stone-edge")
    paper.box((inset, top), (width, height), 8, "stone-top")
    paper.box((inset, top), (width, height), 8, "url(#lit)")
    course = height / 3
    joints = [f"M{number(inset)} {number(top + course * k)}h{number(width)}" for k in (1, 2)]
    for k, shares in enumerate(((0.36,), (0.66,), (0.3,))):
        joints += [f"M{number(inset + width * at)} {number(top + course * k)}v{number(course)}" for at in shares]
    paper.put("path", line="stone-rim", d="".join(joints), stroke_width=2.6, stroke_opacity=0.55)


def _joker(piece: _Piece) -> None:
    """Half dark, half light: it is on the side of whoever moves."""
    paper, cell = piece.paper, piece.cell
    x, y = piece.middle[0], piece.middle[1] - cell * 0.03
    radius = cell * 0.37
    piece.shadow((x + 3, y + cell * 0.1), radius * 1.2)
    paper.circle((x, y + cell * 0.06), radius, "gold-edge")
    paper.circle((x, y), radius, "light-top")
    off, r = radius * cos(pi / 4), number(radius)
    half = f"M{number(x - off)} {number(y + off)}A{r} {r} 0 0 1 {number(x + off)} {number(y - off)}Z"
    paper.put("path", "dark-top", d=half)
    paper.circle((x, y), radius, "url(#sheen)")
    paper.circle((x, y), radius - 2, line="gold", stroke_width=6)
    seat_sign(paper, (x - radius * 0.36, y - radius * 0.36), radius * 0.18, "dark", "dark-mark")
    seat_sign(paper, (x + radius * 0.36, y + radius * 0.36), radius * 0.2, "light", "light-mark")


def _star(piece: _Piece) -> None:
    paper, cell, (x, y) = piece.paper, piece.cell, piece.middle
    radius = cell * 0.42
    points = []
    for k in range(10):
        size = radius * (0.56 if k % 2 else 1)
        points.append((x + size * sin(pi * k / 5), y - size * cos(pi * k / 5)))
    paper.put("path", "#000", d=path(*((across, down + 6) for across, down in points)), fill_opacity=0.22)
    paper.put("path", "gold", "gold-edge", d=path(*points), stroke_width=4, stroke_linejoin="round")
    paper.put("path", "url(#lit)", d=path(*points))
    if piece.glyph.label:
        paper.write((x - 1, y + cell * 0.11), piece.glyph.label, cell * 0.27, "gold-ink", font_weight=800)


def _unknown(piece: _Piece) -> None:
    """Whatever else there may be: a token with the first letter of its shape."""
    x, y = piece.token(piece.cell * 0.03, piece.cell * 0.345, piece.cell * 0.07)
    letter = piece.glyph.shape[:1].upper()
    at = x, y + piece.cell * 0.12
    piece.paper.write(at, letter, piece.cell * 0.34, f"{piece.tone}-mark", font_weight=700)


_SHAPES: dict[str, Callable[[_Piece], None]] = {
    "ball": _ball,
    "bar": _bar,
    "block": _block,
    "counter": _counter,
    "disc": _disc,
    "joker": _joker,
    "king": _king,
    "man": _man,
    "ring": _ring,
    "star": _star,
}
