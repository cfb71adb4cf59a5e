"""What lies under the pieces: frame, surface, regions, score tracks, coordinates."""

from __future__ import annotations

from itertools import pairwise
from math import sin
from typing import Any

from docs.drawing.layout import FRAME, Box, Layout
from docs.drawing.paper import Paper, Point, number, path
from docs.drawing.pieces import crown, seat_sign

from parlour.protocol.scene import Region, Scene

SURFACES = ("birch", "felt", "chart", "clay")

# Writing that is too small to read in a small picture is left out there.
SMALL = "@media(max-width:300px){.fine{display:none}}"


def paint(paper: Paper, layout: Layout, scene: Scene) -> None:
    spec = layout.spec
    surface = spec.surface if spec.surface in SURFACES else "felt"
    _frame(paper, layout)
    inner = Box(FRAME, FRAME, layout.width - 2 * FRAME, layout.height - 2 * FRAME)
    paper.box(inner[:2], inner[2:], 4, surface)
    _cells(paper, layout, [cell for cell in spec.alternate if cell not in spec.rim], f"{surface}-alt")
    if surface == "chart":
        _contours(paper, layout)
    _sea(paper, layout)
    for region in spec.regions:
        if region.kind == "home":
            _cells(paper, layout, region.cells, f"{_tone(layout, region)}-tint", fill_opacity=0.55)
    if surface != "clay":
        _grid(paper, layout, f"{surface}-line")
    if surface == "felt":
        _wells(paper, layout)
    for region in spec.regions:
        outline = _home if region.kind == "home" else _goal
        outline(paper, layout, region)
    _tracks(paper, layout, scene)
    _coordinates(paper, layout)


def _tone(layout: Layout, region: Region) -> str:
    return layout.spec.seats[region.seat].tone


def _frame(paper: Paper, layout: Layout) -> None:
    size = layout.width, layout.height
    paper.box((0, 0), size, 30, "frame")
    paper.box((0, 0), size, 30, "url(#lit)")
    paper.box((2, 2), (size[0] - 4, size[1] - 4), 28, line="frame-edge", stroke_width=3)
    inner = Box(0, 0, *size).inset(FRAME - 5)
    paper.box(inner[:2], inner[2:], 9, "#000", fill_opacity=0.35)


def _cells(paper: Paper, layout: Layout, cells: list[int] | tuple[int, ...], colour: str, **look: Any) -> None:
    side = number(layout.cell)
    squares = (f"M{number(box.x)} {number(box.y)}h{side}v{side}h-{side}z" for box in map(layout.box, cells))
    if cells:
        paper.put("path", colour, d="".join(squares), **look)


def _grid(paper: Paper, layout: Layout, colour: str) -> None:
    """A line between any two cells that are played on."""
    spec, rim = layout.spec, frozenset(layout.spec.rim)
    lines = []
    for cell in range(spec.cells):
        column, row = layout.at(cell)
        box = layout.box(cell)
        if column and cell not in rim and cell - 1 not in rim:
            lines.append(f"M{number(box.x)} {number(box.y)}v{number(box.height)}")
        if row and cell not in rim and cell - spec.columns not in rim:
            lines.append(f"M{number(box.x)} {number(box.y + box.height)}h{number(box.width)}")
    paper.put("path", line=colour, d="".join(lines), stroke_width=2)


def _wells(paper: Paper, layout: Layout) -> None:
    cell = layout.cell
    with paper.keep("well"):
        paper.circle((0, 0), cell * 0.3, "#46371e", fill_opacity=0.13)
        rim = number(cell * 0.3)
        arc = f"M-{rim} 0a{rim} {rim} 0 0 1 {number(cell * 0.6)} 0"
        paper.put("path", line="#000", d=arc, stroke_width=3, stroke_opacity=0.16)
    for place in range(layout.spec.cells):
        x, y = layout.middle(place)
        paper.again("well", (x, y + cell * 0.035))


def _contours(paper: Paper, layout: Layout) -> None:
    """The heights of the land, drawn lightly."""
    left, right = FRAME + layout.cell, layout.width - FRAME - layout.cell
    top, bottom = FRAME + layout.cell, layout.height - FRAME - layout.cell
    steps = 24
    for level in range(1, 8):
        points = []
        for step in range(steps + 1):
            along = step / steps
            height = 0.055 * sin(5.2 * along + 0.5 * level) + 0.035 * sin(11 * along - 0.9 * level)
            y = top + (bottom - top) * min(1, max(0, level / 8 + height))
            points.append((left + (right - left) * along, y))
        paper.put("path", line="chart-line", d=_smooth(points), stroke_width=3, stroke_opacity=0.7)


def _smooth(points: list[Point]) -> str:
    """A line that bends at the points instead of breaking there."""
    (x, y), *others = points
    parts = [f"M{number(x)} {number(y)}"]
    for (x, y), (next_x, next_y) in pairwise(others):
        parts.append(f"Q{number(x)} {number(y)} {number((x + next_x) / 2)} {number((y + next_y) / 2)}")
    x, y = others[-1]
    return "".join(parts) + f"L{number(x)} {number(y)}"


def _sea(paper: Paper, layout: Layout) -> None:
    """Cells that are never played on: water with a few waves, and a shore where the land begins."""
    rim = layout.spec.rim
    if not rim:
        return
    _cells(paper, layout, rim, "sea")
    cell = layout.cell
    crest = f"q{number(cell * 0.07)} -{number(cell * 0.08)} {number(cell * 0.14)} 0t{number(cell * 0.14)} 0"
    starts = [
        (box.x + cell * across, box.y + cell * down)
        for box in map(layout.box, rim)
        for across, down in ((0.12, 0.34), (0.48, 0.66))
    ]
    waves = "".join(f"M{number(x)} {number(y)}{crest}" for x, y in starts)
    paper.put("path", line="wave", d=waves, stroke_width=2.6, stroke_linecap="round")
    land = layout.around(place for place in range(layout.spec.cells) if place not in rim).inset(-6)
    paper.box(land[:2], land[2:], 10, line="chart-line", stroke_width=12)


def _home(paper: Paper, layout: Layout, region: Region) -> None:
    """The outline of the region, and its owner's sign in the outer corner of each cell."""
    columns, colour = layout.spec.columns, f"{_tone(layout, region)}-text"
    inside = {layout.at(cell) for cell in region.cells}
    edges = []
    for column, row in inside:
        x, y, side, _ = layout.box(row * columns + column)
        corners = {(0, 1): (x, y, x + side, y), (0, -1): (x, y + side, x + side, y + side)}
        corners |= {(-1, 0): (x, y, x, y + side), (1, 0): (x + side, y, x + side, y + side)}
        edges += [edge for (right, up), edge in corners.items() if (column + right, row + up) not in inside]
    lines = "".join(path((x, y), (to_x, to_y), closed=False) for x, y, to_x, to_y in sorted(edges))
    paper.put("path", line=colour, d=lines, stroke_width=5, stroke_linecap="round", stroke_opacity=0.75)
    side = layout.cell
    for cell in region.cells:
        x, y = layout.middle(cell)
        right, down = (0.4 if x > layout.width / 2 else -0.4), (0.4 if y > layout.height / 2 else -0.4)
        seat_sign(paper, (x + side * right, y + side * down), side * 0.042, _tone(layout, region), colour)


def _goal(paper: Paper, layout: Layout, region: Region) -> None:
    tone, side = _tone(layout, region), layout.cell
    _cells(paper, layout, region.cells, f"{tone}-tint", fill_opacity=0.45)
    for cell in region.cells:
        inner = layout.box(cell).inset(side * 0.06)
        dashes = f"{number(side * 0.09)} {number(side * 0.06)}"
        paper.box(inner[:2], inner[2:], side * 0.12, line=f"{tone}-text", stroke_width=4, stroke_dasharray=dashes)
        crown(paper, inner.middle, side * 0.2, None, f"{tone}-text", 4)


def _tracks(paper: Paper, layout: Layout, scene: Scene) -> None:
    """The way of each score over the board: its numbers in the free cells, and a ribbon as far as it has come."""
    spec, side = layout.spec, layout.cell
    covered = {
        cell
        for place, *stack in scene.pieces
        if place < spec.cells
        for index in stack
        for cell in layout.covered(place, spec.glyphs[index])
    }
    for seat, track in enumerate(spec.tracks):
        tone = spec.seats[seat].tone
        low = tone == "light"  # at the bottom left of a cell; the other's are at the top right
        walked = [layout.box(cell) for cell in track[: scene.tallies[seat][0]]]
        ribbons = (
            f"M{number(box.x)} {number(box.y + (side - 7 if low else 0))}h{number(side)}v7h-{number(side)}z"
            for box in walked
        )
        if walked:
            paper.put("path", f"{tone}-text", d="".join(ribbons), fill_opacity=0.8)
        with paper.group(class_="fine"):
            for score, cell in enumerate(track):
                if cell not in covered:
                    x, y, _, _ = layout.box(cell)
                    at = (x + 9, y + side - 13) if low else (x + side - 9, y + 27)
                    paper.write(at, f"{score:02}", 18, f"{tone}-text", "start" if low else "end")


def _coordinates(paper: Paper, layout: Layout) -> None:
    spec = layout.spec
    with paper.group(class_="fine", font_weight=600):
        for column in range(spec.columns):
            x, _ = layout.middle(column)
            paper.write((x, layout.height - FRAME / 2 + 9), spec.place_name(column)[0], 26, "frame-ink")
        for row in range(spec.rows):
            first = row * spec.columns
            _, y = layout.middle(first)
            paper.write((FRAME / 2 - 1, y + 9), spec.place_name(first)[1:], 26, "frame-ink")
