"""A whole picture: the board with everything on it and, if asked for, what lies beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from docs.drawing import ground, marks, pieces, tray
from docs.drawing.layout import Layout
from docs.drawing.marks import Spot
from docs.drawing.paper import Paper

from parlour.protocol.scene import BoardSpec, Glyph, Mark, Scene
from parlour.protocol.tables import Pick

WIDTH = 400  # pixels: two pictures fit side by side


class Placed(NamedTuple):
    """A piece on the board."""

    place: int
    number: int  # of its glyph
    glyph: Glyph
    level: int  # how many pieces of the stack are below it
    ghost: bool  # about to leave


def draw(spec: BoardSpec, scene: Scene, offered: Sequence[int | Pick], title: str, beside: bool) -> str:
    """The SVG of a scene; `offered` may be picked next, `beside` adds a card for each seat below the board."""
    paper, layout = Paper(), Layout(spec)
    picks = [Pick(pick) if isinstance(pick, int) else pick for pick in offered]
    placed = sorted(_placed(spec, scene), key=lambda piece: _distance(layout, piece))
    spots = _spots(layout, placed)
    ground.paint(paper, layout, scene)
    marks.under(paper, layout, scene, spots)
    for piece in placed:
        _put(paper, layout, scene, piece)
    marks.over(paper, layout, scene, spots)
    marks.picks(paper, layout, picks, spots)
    height = layout.height + (tray.paint(paper, layout, scene, picks) if beside else 0)
    return paper.svg((layout.width, height), WIDTH, title, (ground.SMALL,))


def _placed(spec: BoardSpec, scene: Scene) -> Iterator[Placed]:
    ghosts = {place for kind, *places in scene.marks if kind == Mark.GHOST for place in places}
    for place, *stack in scene.pieces:
        level = 0
        for index in stack if place < spec.cells else ():
            glyph = spec.glyphs[index]
            yield Placed(place, index, glyph, level, place in ghosts and index == stack[-1])
            level += not _is_long(glyph)


def _is_long(glyph: Glyph) -> bool:
    return glyph.columns > 1 or glyph.rows > 1


def _distance(layout: Layout, piece: Placed) -> tuple[bool, bool, int, int, int]:
    """The order of painting: long pieces first, then from far to near and from low to high; numbers last."""
    column, row = layout.at(piece.place)
    return piece.glyph.shows_score, not _is_long(piece.glyph), -row, column, piece.level


def _put(paper: Paper, layout: Layout, scene: Scene, piece: Placed) -> None:
    glyph, side = piece.glyph, layout.cell
    name = f"piece-{piece.number}{'-raised' if piece.level else ''}"
    with paper.keep(name) as known:
        if not known:
            pieces.draw(paper, layout.spec, glyph, side, raised=piece.level > 0)
    box = layout.box(piece.place, glyph.columns, glyph.rows)
    look = {"opacity": 0.34} if piece.ghost else {}
    paper.again(name, (box.x, box.y - piece.level * pieces.RISE * side), **look)
    if glyph.shows_score and glyph.seat is not None:
        tone = layout.spec.seats[glyph.seat].tone
        pieces.write_number(paper, tone, box.middle, side, str(scene.tallies[glyph.seat][0]))


def _spots(layout: Layout, placed: Sequence[Placed]) -> list[Spot]:
    """Every cell with what stands there, by number."""
    side = layout.cell
    boxes = [layout.box(cell) for cell in range(layout.spec.cells)]
    spots = [Spot(box, box.middle, side * 0.4) for box in boxes]
    for place, _, glyph, level, _ in placed:
        if _is_long(glyph):
            whole = layout.box(place, glyph.columns, glyph.rows)
            for cell in layout.covered(place, glyph):
                spots[cell] = Spot(boxes[cell], whole.middle, side * 0.4, long=whole)
        else:
            lift, reach = pieces.REACH.get(glyph.shape, pieces.USUAL_REACH)
            # A ball lies in the ring below it, so it stands no higher than that.
            height = level - (glyph.shape == "ball" and level > 0)
            x, y = boxes[place].middle
            middle = x, y - (lift + height * pieces.RISE) * side
            spots[place] = Spot(boxes[place], middle, reach * side, True, spots[place].long)
    return spots
