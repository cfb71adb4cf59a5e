"""What lies beside a board: a card for each seat with its numbers and what it holds."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docs.drawing import pieces
from docs.drawing.layout import Layout
from docs.drawing.paper import Paper, Point
from docs.drawing.pieces import seat_sign

from parlour.protocol.scene import Glyph, Mark, Scene, Zone
from parlour.protocol.tables import Pick

_GAP, _PAD = 14.0, 22.0
_LINE = 46.0
_MANY = 6  # more pieces than this of a kind are counted, not shown one by one


def paint(paper: Paper, layout: Layout, scene: Scene, picks: Sequence[Pick]) -> float:
    """Both cards, below the board; gives how much room they take."""
    spec = layout.spec
    width = (layout.width - _GAP) / 2
    top = layout.height + _GAP
    rows = [_rows(layout, scene, seat, width - 2 * _PAD) for seat in range(len(spec.seats))]
    height = 2 * _PAD + 30 + max(map(len, rows)) * _LINE
    marked = {pick.place: 4.5 for pick in picks}
    marked |= {place: 8.0 for kind, *places in scene.marks if kind == Mark.CHOSEN for place in places}
    for seat, info in enumerate(spec.seats):
        left = seat * (width + _GAP)
        paper.box((left + 1, top), (width - 2, height), 16, "card", "card-line", stroke_width=2)
        x, y = left + _PAD, top + _PAD + 24
        if scene.to_move == seat:
            paper.box((left + 1, top), (width - 2, height), 16, line="pick", stroke_width=5)
        seat_sign(paper, (x + 12, y - 9), 11, info.tone, f"{info.tone}-text")
        paper.write((x + 36, y), info.name, 28, "ink", "start", font_weight=700)
        paper.write((left + width - _PAD, y), _tally(spec.tally, scene.tallies[seat]), 25, "ink-2", "end")
        for number, row in enumerate(rows[seat]):
            _row(paper, layout, row, (x, y + 14 + number * _LINE), marked)
    return height + _GAP + 3  # the width of the cards' outline


def _tally(template: str, numbers: Sequence[int]) -> str:
    return re.sub(r"\{(\d)\}", lambda found: str(numbers[int(found[1])]), template)


class _Slot:
    """A slot of a zone that has room in a row."""

    def __init__(self, layout: Layout, zone: Zone, place: int, stack: list[Glyph]) -> None:
        glyph = stack[0] if stack else None
        self.place = place
        self.stack = stack
        self.scale = (0.15 if glyph and glyph.columns > 1 else 0.5) * 100 / layout.cell
        reach = glyph.columns if glyph else 1
        self.side = layout.cell * self.scale
        self.shown = len(stack) if len(zone.slots) == 1 and len(stack) <= _MANY else min(1, len(stack))
        self.count = len(stack) if self.shown < len(stack) or len(zone.slots) > 1 else 0
        self.width = max(1, self.shown) * reach * self.side + (44 if self.count else 0) + 14


def _rows(layout: Layout, scene: Scene, seat: int, width: float) -> list[list[_Slot]]:
    """The slots of a seat's zones, in rows that fit. Slots without pieces are left out unless nothing else is there."""
    spec = layout.spec
    stacks = {place: [spec.glyphs[index] for index in stack] for place, *stack in scene.pieces}
    rows: list[list[_Slot]] = []
    place = spec.cells
    for zone in spec.zones:
        slots = [_Slot(layout, zone, place + n, stacks.get(place + n, [])) for n in range(len(zone.slots))]
        place += len(zone.slots)
        if zone.seat == seat and zone.holds_pieces:
            room = 0.0
            for slot in slots:
                if slot.stack and slot.width > room:
                    rows.append([])
                    room = width
                if slot.stack:
                    rows[-1].append(slot)
                    room -= slot.width
    return rows


def _row(paper: Paper, layout: Layout, row: Sequence[_Slot], corner: Point, marked: dict[int, float]) -> None:
    x, y = corner
    for slot in row:
        glyph = slot.stack[0]
        index = layout.spec.glyphs.index(glyph)
        with paper.keep(f"piece-{index}") as known:
            if not known:
                pieces.draw(paper, layout.spec, glyph, layout.cell, raised=False)
        across = glyph.columns * slot.side
        down = y + (_LINE - slot.side) / 2
        for number in range(slot.shown):
            move = f"translate({x + number * across:.1f} {down:.1f}) scale({slot.scale:.3f})"
            paper.again(f"piece-{index}", (0, 0), transform=move)
        end = x + slot.shown * across
        if slot.count:
            paper.write((end + 5, y + _LINE / 2 + 8), f"×{slot.count}", 23, "ink-2", "start")
            end += 38
        if slot.place in marked:
            box = (x - 6, y + 5), (end - x + 10, _LINE - 10)
            paper.box(*box, 10, line="pick", stroke_width=marked[slot.place] * 0.7)
        x += slot.width
