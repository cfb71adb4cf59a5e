"""What is pointed out in a scene: the last turn in violet, what can be done now in teal.

Each is drawn for a `Spot`, which knows how much room the thing that stands there takes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import atan2, cos, pi, sin
from typing import Any, NamedTuple

from docs.drawing.layout import Box, Layout
from docs.drawing.paper import Paper, Point, number, path
from docs.drawing.pieces import crown

from parlour.protocol.scene import Mark, Scene
from parlour.protocol.tables import Pick


class Spot(NamedTuple):
    """A cell and what stands there."""

    cell: Box
    middle: Point  # of the piece that is seen, or of the empty cell
    reach: float  # from there to where it ends
    token: bool = False  # whether a piece stands here that covers no other cell
    long: Box | None = None  # the whole of the piece that covers this cell and others, with or without a token on it


def under(paper: Paper, layout: Layout, scene: Scene, spots: Sequence[Spot]) -> None:
    """Marks that lie on the ground."""
    side = layout.cell
    for kind, *places in scene.marks:
        cells = [place for place in places if place < layout.spec.cells]
        if not cells:
            continue
        match kind:
            case Mark.LINE:
                box = layout.around(cells)
                paper.box(box[:2], box[2:], 0, "pick", fill_opacity=0.26)
            case Mark.LAST | Mark.FROM:
                for box in _boxes(cells, spots):
                    paper.box(box[:2], box[2:], 0, "last", fill_opacity=0.2 if kind == Mark.LAST else 0.1)
            case Mark.GONE:
                box = layout.around(cells).inset(side * 0.14)
                paper.box(box[:2], box[2:], side * 0.12, "last", fill_opacity=0.1)
                paper.box(box[:2], box[2:], side * 0.12, line="last", stroke_width=4.5, stroke_dasharray="15 11")
            case Mark.SIGHT if len(cells) > 1:
                line = path(spots[cells[0]].middle, spots[cells[1]].middle, closed=False)
                paper.put("path", line="halo", d=line, stroke_width=10, stroke_linecap="round", stroke_opacity=0.75)
                paper.put("path", line="pick", d=line, stroke_width=6, stroke_linecap="round", stroke_dasharray="2 15")


def over(paper: Paper, layout: Layout, scene: Scene, spots: Sequence[Spot]) -> None:
    """Marks that are drawn over the pieces."""
    side = layout.cell
    for kind, *places in scene.marks:
        cells = [place for place in places if place < layout.spec.cells]
        if not cells:
            continue
        match kind:
            case Mark.LAST | Mark.FROM:
                for box in _boxes(cells, spots):
                    _brackets(paper, box, side, 7 if kind == Mark.LAST else 4, 0.2 if kind == Mark.LAST else 0.12)
            case Mark.TURNED:
                for cell in cells:
                    spot = spots[cell]
                    paper.circle(spot.middle, side * 0.4, line="last", stroke_width=6, stroke_dasharray="12 9")
            case Mark.CHOSEN:
                for cell in cells:
                    _outline(paper, spots[cell], side, 9)
            case Mark.COUNTED:
                _tick(paper, layout.around(cells), side)
            case Mark.STEP if len(cells) > 1:
                _arc(paper, spots[cells[0]].middle, spots[cells[1]].middle)


def picks(paper: Paper, layout: Layout, offered: Sequence[Pick], spots: Sequence[Spot]) -> None:
    """What may be chosen next."""
    for pick in offered:
        if pick.cell is not None and not spots[pick.cell].token:
            _chip(paper, spots[pick.cell], layout.cell, pick.label)
        elif pick.cell is not None:
            _outline(paper, spots[pick.cell], layout.cell, 4.5)
        elif pick.place < layout.spec.cells:
            _pick(paper, layout, spots[pick.place], pick.kind)


def _boxes(cells: Sequence[int], spots: Sequence[Spot]) -> list[Box]:
    """What to mark for these cells: a long piece as one if all of it is meant, else each cell by itself."""
    within = Counter(spots[cell].long for cell in cells)
    found = set()
    for spot in (spots[cell] for cell in cells):
        whole = spot.long and within[spot.long] * spot.cell.area > spot.long.area - 1
        found.add(spot.long if spot.long and whole else spot.cell)
    return sorted(found)


def _pick(paper: Paper, layout: Layout, spot: Spot, kind: str) -> None:
    side = layout.cell
    if kind == "crown":
        x, y = spot.middle[0] + side * 0.28, spot.middle[1] - side * 0.27
        paper.circle((x, y), side * 0.165, "pick", "halo", stroke_width=4)
        crown(paper, (x, y + 1), side * 0.085, "halo", "halo", 1.5)
    elif kind == "capture":
        radius = side * 0.45
        arc = number(2 * pi * radius / 8)
        for colour, width in (("halo", 13), ("pick", 7)):
            dashes: dict[str, Any] = {"stroke_dasharray": f"{arc} {arc}", "stroke_dashoffset": pi * radius / 8}
            paper.circle(spot.middle, radius, line=colour, stroke_width=width, **dashes)
    elif spot.token or spot.long:
        _outline(paper, spot, side, 4.5)
    else:
        radius = side * (0.09 if layout.spec.columns <= 6 else 0.13)
        paper.circle(spot.middle, radius + 5, "halo", fill_opacity=0.85)
        paper.circle(spot.middle, radius, "pick")


def _outline(paper: Paper, spot: Spot, side: float, width: float) -> None:
    """A line round a piece, or round an empty place."""
    for colour, wide in (("halo", width + 5), ("pick", width)):
        if spot.long and not spot.token:
            box = spot.long.inset(side * 0.08)
            paper.box(box[:2], box[2:], side * 0.16, line=colour, stroke_width=wide)
        else:
            paper.circle(spot.middle, spot.reach, line=colour, stroke_width=wide)


def _chip(paper: Paper, spot: Spot, side: float, label: str) -> None:
    x, y = spot.cell.middle
    paper.circle((x, y), side * 0.27 + 4, "halo")
    paper.circle((x, y), side * 0.27, "pick")
    paper.write((x - 1, y + side * 0.09), label, side * (0.26 if len(label) < 3 else 0.23), "halo", font_weight=700)


def _tick(paper: Paper, box: Box, side: float) -> None:
    """A check mark at the top right end of what counts."""
    x, y = box.x + box.width - side * 0.15, box.y + side * 0.17
    paper.circle((x, y), side * 0.15, "pick", "halo", stroke_width=4)
    tips = (-0.07, 0.0), (-0.02, 0.055), (0.075, -0.055)
    check = path(*((x + side * right, y + side * down) for right, down in tips), closed=False)
    paper.put("path", line="halo", d=check, stroke_width=5, stroke_linecap="round", stroke_linejoin="round")


def _brackets(paper: Paper, box: Box, side: float, width: float, arm_share: float) -> None:
    left, top, across, down = box.inset(side * 0.055)
    right, bottom, arm = left + across, top + down, side * arm_share
    corners = (
        ((left, top + arm), (left, top), (left + arm, top)),
        ((right - arm, top), (right, top), (right, top + arm)),
        ((right, bottom - arm), (right, bottom), (right - arm, bottom)),
        ((left + arm, bottom), (left, bottom), (left, bottom - arm)),
    )
    d = "".join(path(*corner, closed=False) for corner in corners)
    paper.put("path", line="last", d=d, stroke_width=width, stroke_linejoin="round", stroke_linecap="round")


def _arc(paper: Paper, start: Point, end: Point) -> None:
    """A bent arrow from one place to another."""
    (x, y), (to_x, to_y) = start, end
    bend_x, bend_y = (x + to_x) / 2 - (to_y - y) * 0.22, (y + to_y) / 2 + (to_x - x) * 0.22
    angle = atan2(to_y - bend_y, to_x - bend_x)
    tips = [(to_x - 24 * cos(angle + turn), to_y - 24 * sin(angle + turn)) for turn in (-0.5, 0.5)]
    d = f"M{number(x)} {number(y)}Q{number(bend_x)} {number(bend_y)} {number(to_x)} {number(to_y)}"
    d += path(tips[0], end, tips[1], closed=False)
    for colour, width in (("halo", 11), ("pick", 5.5)):
        paper.put("path", line=colour, d=d, stroke_width=width, stroke_linecap="round", stroke_linejoin="round")
