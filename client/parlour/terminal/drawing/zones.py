"""The drawing beside the board: a seat's tally, and the zones with their slots."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile

from parlour.protocol.scene import BoardSpec, Glyph, Scene, Zone
from parlour.protocol.types import Pick
from parlour.terminal.drawing.glyphs import is_dark, sign
from parlour.terminal.drawing.lines import Ink, Line, Span
from parlour.terminal.drawing.marks import Sign, marking
from parlour.terminal.drawing.style import Style

_NUMBER = re.compile(r"\{([0-9])\}")
_NO_MARK = Sign("", "  ", Ink.TEXT)
_MOST_SIGNS = 8  # more pieces than this in a slot are counted, not drawn


def seat_lines(
    spec: BoardSpec,
    scene: Scene,
    seat: int | None,
    *,
    style: Style,
    picks: Sequence[int | Pick] = (),
    focus: int | None = None,
    width: int = 33,
    pointers: Mapping[int, str] = {},
) -> list[Line]:
    """Return the tally of a seat and its zones, in lines of at most `width` columns; for None the zones without an
    owner.

    Each slot has spans of its own that know its place. A slot that may be picked is in square brackets, a
    chosen one in curly ones. Slots that are only choices are shown while they can be chosen. `pointers` are
    characters that point at places, written after the brackets.
    """
    lines = []
    ink = Ink.TEXT if seat is None else Ink.DARK if is_dark(spec, seat) else Ink.LIGHT
    if seat is not None and spec.tally:
        lines.append(Line((Span(_tally(spec.tally, scene.tallies[seat], style)[:width]),)))
    marks = marking(spec, scene, style, picks)
    stacks = {place: [spec.glyphs[index] for index in stack] for place, *stack in scene.pieces}
    first = spec.cells
    for zone in spec.zones:
        slots = []
        for place, name in enumerate(_names(zone, style), first):
            if zone.seat == seat and (zone.holds_pieces or place in marks.now):
                body = _body(spec, zone, name, stacks.get(place, []), style)
                mark = marks.sign(place) or _NO_MARK
                parts = [(mark.sides[0], mark.ink), (body, ink), (mark.sides[1], mark.ink)]
                parts += [(pointers[place], Ink.PICK)] if place in pointers else []
                slots.append([Span(text, colour, place=place, focus=place == focus) for text, colour in parts])
        first += len(zone.slots)
        if slots:
            lines += _wrapped(style.legible(_title(spec, zone)), slots, width)
    return lines


def _tally(template: str, numbers: Sequence[int], style: Style) -> str:
    """Return the tally with its numbers filled in. The template is untrusted, so nothing else in it has a meaning."""

    def number(found: re.Match[str]) -> str:
        index = int(found[1])
        return str(numbers[index]) if index < len(numbers) else "?"

    return style.legible(_NUMBER.sub(number, template))


def _title(spec: BoardSpec, zone: Zone) -> str:
    """Return the title without the seat's name, which is above it anyway."""
    return zone.title if zone.seat is None else zone.title.removeprefix(f"{spec.seats[zone.seat].name}'s ")


def _names(zone: Zone, style: Style) -> list[str]:
    """Return the titles of the slots without the words they all begin with: `bar of 3`, `bar of 4` are 3 and 4."""
    titles = [title.split(" ") for title in zone.slots]
    columns = zip(*(words[:-1] for words in titles), strict=False)
    shared = len(list(takewhile(lambda words: len(set(words)) == 1, columns)))
    return [style.legible(" ".join(words[shared:])) for words in titles]


def _body(spec: BoardSpec, zone: Zone, name: str, stack: Sequence[Glyph], style: Style) -> str:
    """Return the content of a slot: a single slot shows its pieces, one among several its name and their number."""
    if not zone.holds_pieces:
        return name
    if len(zone.slots) > 1:
        return f"{name}x{len(stack)}"
    if len(stack) > _MOST_SIGNS:
        return f"{sign(spec, stack[-1], style)}x{len(stack)}"
    return "".join(sign(spec, glyph, style) for glyph in stack) or "-"


def _wrapped(title: str, slots: Sequence[Sequence[Span]], width: int) -> list[Line]:
    """Return the title and the slots after it, with a new line wherever one would not fit."""
    lines, spans = [], [Span(title, Ink.FAINT)]
    for slot in slots:
        line = Line((*spans, *slot))
        if line.width > width and len(spans) > 1:
            lines.append(Line(tuple(spans)))
            spans = [Span(" ", Ink.FAINT), *slot]
        else:
            spans += slot
    lines.append(Line(tuple(spans)))
    return lines
