"""A board in words, for players who use a screen reader."""

from __future__ import annotations

from collections.abc import Iterator

from parlour.protocol.scene import BoardSpec, Mark, Scene

_MARKS = {Mark.LAST: "last move", Mark.FROM: "last move from here", Mark.TURNED: "just turned", Mark.CHOSEN: "chosen"}


def board_lines(spec: BoardSpec, scene: Scene) -> Iterator[str]:
    """Yield a line for each occupied place, from the bottom left: `e3: Black ball on Black ring, last move`."""
    marked: dict[int, list[str]] = {}
    for kind, *places in scene.marks:
        if kind in _MARKS:
            for place in places:
                marked.setdefault(place, []).append(_MARKS[Mark(kind)])
    for place, *stack in scene.pieces:
        yield ", ".join([f"{place_label(spec, place)}: {stack_label(spec, place, stack)}", *marked.get(place, [])])


def place_label(spec: BoardSpec, place: int) -> str:
    """Return the name of a cell, or of a slot with the title of its zone."""
    name, first = spec.place_name(place), spec.cells
    if place < spec.cells:
        return name
    for zone in spec.zones:
        if place < first + len(zone.slots):
            return f"{zone.title}, {name}" if name != zone.title else name
        first += len(zone.slots)
    raise IndexError("no such place")


def stack_label(spec: BoardSpec, place: int, stack: list[int]) -> str:
    """Return the pieces of a stack, from top to bottom; a pile of equal pieces is counted."""
    pieces = [spec.glyphs[index] for index in reversed(stack)]
    if len(pieces) > 1 and len(set(stack)) == 1 and place >= spec.cells:
        return f"{len(pieces)} x {pieces[0].name}"
    words = []
    for glyph in pieces:
        far = place + glyph.columns - 1 + (glyph.rows - 1) * spec.columns
        reach = f" to {spec.place_name(far)}" if far != place and place < spec.cells else ""
        value = f", value {glyph.pips}" if glyph.pips else ""
        words.append(f"{glyph.name}{reach}{value}")
    return " on ".join(words)


def tally_line(spec: BoardSpec, scene: Scene, seat: int) -> str:
    """Return the line under a seat's name, with its numbers filled in."""
    text = spec.tally
    for index, number in enumerate(scene.tallies[seat]):
        text = text.replace(f"{{{index}}}", str(number))
    return text
