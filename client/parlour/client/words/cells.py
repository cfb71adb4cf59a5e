"""A board in words, for people who listen."""

from __future__ import annotations

from collections.abc import Iterator

from parlour.protocol.scene import BoardSpec, Mark, Scene

_MARKS = {Mark.LAST: "last move", Mark.FROM: "last move from here", Mark.TURNED: "just turned", Mark.CHOSEN: "chosen"}


def board_words(spec: BoardSpec, scene: Scene) -> Iterator[str]:
    """A line for every place that holds something, from the bottom left: `e3: Black ball on Black ring, last move`."""
    marked: dict[int, list[str]] = {}
    for kind, *places in scene.marks:
        if kind in _MARKS:
            for place in places:
                marked.setdefault(place, []).append(_MARKS[Mark(kind)])
    for place, *stack in scene.pieces:
        yield ", ".join([f"{place_words(spec, place)}: {stack_words(spec, place, stack)}", *marked.get(place, [])])


def place_words(spec: BoardSpec, place: int) -> str:
    """A cell by its name, a slot with the title of its zone."""
    name, first = spec.place_name(place), spec.cells
    if place < spec.cells:
        return name
    for zone in spec.zones:
        if place < first + len(zone.slots):
            return f"{zone.title}, {name}" if name != zone.title else name
        first += len(zone.slots)
    raise IndexError("no such place")


def stack_words(spec: BoardSpec, place: int, stack: list[int]) -> str:
    """What is there, from top to bottom; many of the same are counted."""
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


def tally_words(spec: BoardSpec, scene: Scene, seat: int) -> str:
    """The line under a seat's name, with its numbers."""
    text = spec.tally
    for index, number in enumerate(scene.tallies[seat]):
        text = text.replace(f"{{{index}}}", str(number))
    return text
