"""A board that any client can draw: its fixed parts (`BoardSpec`), its contents (`Scene`), and changes of these.

Places are small whole numbers: first the cells of the board, row by row from the bottom left (`a1` is 0), then the
slots of the zones beside it, in the order of `BoardSpec.zones`. Whatever a player can point at is a place, so a turn
is a list of places and a client needs to know nothing else about a game.

A scene holds only whole numbers (and one note), so that a change of it is small: a piece is an index into
`BoardSpec.glyphs`, and what a glyph looks like was said once.
"""

from __future__ import annotations

from enum import IntEnum
from itertools import compress, count
from operator import is_not
from zlib import crc32

import msgspec
from msgspec import Struct

# A place, then the glyphs of the pieces there, from the bottom of the stack to its top.
Stack = tuple[int, ...]

# A kind (see `Mark`), then the places it is about.
MarkedPlaces = tuple[int, ...]


class Mark(IntEnum):
    """What a mark means. The first four describe the last turn, the others a half-chosen one."""

    LAST = 0  # the last turn ended here
    FROM = 1  # the last turn started here
    TURNED = 2  # the last turn changed the owner of these
    GONE = 3  # a piece that covered these places was taken off
    CHOSEN = 4  # chosen in this half-made turn
    STEP = 5  # from the first place to the second one in this half-made turn
    GHOST = 6  # a piece that stands here will leave in this half-made turn
    LINE = 7  # the row or column that counts
    COUNTED = 8  # pieces that count
    SIGHT = 9  # the first place sees the second


class SeatSpec(Struct, frozen=True):
    """One side of the game. The dark tone goes with diamonds and hatching, the light one with circles and plain."""

    name: str
    tone: str  # "dark" or "light"


class Glyph(Struct, frozen=True, omit_defaults=True):
    """How one kind of piece looks. A client that does not know `shape` draws a token with its first letter."""

    name: str  # in words, for people who listen: "Black ring"
    shape: str  # bar, ring, ball, disc, man, king, counter, block, joker, star, …
    seat: int | None = None  # the owner; None: no owner
    text: str = ""  # one column wide, for terminals
    ascii: str = ""  # the same where only ASCII can be shown
    label: str = ""  # printed on the piece: "+3"
    columns: int = 1  # how far it reaches to the right of its place
    rows: int = 1  # how far it reaches above its place
    pips: int = 0  # dots that tell its value
    heading: int | None = None  # where it points, in degrees counter-clockwise from the right
    shows_score: bool = False  # carries the first number of its seat's tally


class Zone(Struct, frozen=True, omit_defaults=True):
    """A row of slots beside the board: a hand, a supply, a list of numbers to choose from."""

    key: str
    title: str
    slots: tuple[str, ...]  # a short title for each
    seat: int | None = None
    holds_pieces: bool = True  # False: the slots are choices only, and nothing is ever shown in them


class Region(Struct, frozen=True):
    """Cells that mean something to a seat."""

    kind: str  # "home", or "goal": where the seat wants to go
    seat: int
    cells: tuple[int, ...]


class BoardSpec(Struct, frozen=True, omit_defaults=True):
    """The parts of a board that stay the same for a whole game."""

    game: str
    columns: int
    rows: int
    surface: str  # birch, felt, chart, clay, …
    seats: tuple[SeatSpec, ...]
    glyphs: tuple[Glyph, ...]
    tally: str  # the line under a seat's name, with numbers to insert: "{0} = discs {1} + bonus {2}"
    zones: tuple[Zone, ...] = ()
    regions: tuple[Region, ...] = ()
    alternate: tuple[int, ...] = ()  # cells drawn in the second tone of the surface
    rim: tuple[int, ...] = ()  # cells that frame the board and are never played on
    tracks: tuple[tuple[int, ...], ...] = ()  # per seat: the cells its score walks along, from 0 on

    @property
    def cells(self) -> int:
        return self.columns * self.rows

    @property
    def places(self) -> int:
        """The number of places: cells, then the slots of all zones."""
        return self.cells + sum(len(zone.slots) for zone in self.zones)

    def first_slot(self, key: str) -> int:
        """Return the place of the first slot of a zone."""
        place = self.cells
        for zone in self.zones:
            if zone.key == key:
                return place
            place += len(zone.slots)
        raise KeyError(key)

    def place_name(self, place: int) -> str:
        """Return `c4` for a cell, and the title of the slot for any other place."""
        if place < self.cells:
            row, column = divmod(place, self.columns)
            return f"{chr(ord('a') + column)}{row + 1}"
        place -= self.cells
        for zone in self.zones:
            if place < len(zone.slots):
                return zone.slots[place]
            place -= len(zone.slots)
        raise IndexError("no such place")


class Scene(Struct, frozen=True, array_like=True, gc=False):
    """What is on the board."""

    pieces: tuple[Stack, ...]  # sorted by place; an empty place is absent
    tallies: tuple[tuple[int, ...], ...]  # per seat: the numbers for `BoardSpec.tally`
    to_move: int | None  # the seat to move; None when the game is over
    marks: tuple[MarkedPlaces, ...] = ()
    note: str = ""  # a sentence for both players: "White had no move."

    def with_marks(self, marks: tuple[MarkedPlaces, ...], note: str = "") -> Scene:
        return Scene(self.pieces, self.tallies, self.to_move, marks, note)


class SceneDiff(Struct, frozen=True, array_like=True, gc=False):
    """The change from one scene to the next. Marks, note and the seat to move are short, so they are sent in full."""

    pieces: tuple[Stack, ...]  # the new stack at a place; a place alone is now empty
    tallies: tuple[tuple[int, ...], ...]  # [seat, number, …]: only the seats whose numbers changed
    to_move: int | None
    marks: tuple[MarkedPlaces, ...] = ()
    note: str = ""


def diff(old: Scene, new: Scene) -> SceneDiff:
    """Return the change that turns `old` into `new`."""
    before, after = old.tallies, new.tallies
    tallies: tuple[tuple[int, ...], ...] = ()
    if before != after:
        for seat, numbers in enumerate(after):
            if numbers != before[seat]:
                tallies += ((seat, *numbers),)
    return SceneDiff(_changed(old.pieces, new.pieces), tallies, new.to_move, new.marks, new.note)


def _changed(old: tuple[Stack, ...], new: tuple[Stack, ...]) -> tuple[Stack, ...]:
    """Return the stacks that are new or different, and the places that are empty now."""
    if old is new:
        return ()
    # Most of a board does not change, so the common beginning is skipped. Most games return the same objects for
    # unchanged stacks; for others this only skips less.
    first = next(compress(count(), map(is_not, old, new)), min(len(old), len(new)))
    old, new = old[first:], new[first:]
    if new[1:] == old:
        return new[:1]  # one stack was put on an empty place
    stood = {stack[0]: stack for stack in old}
    changed = [stack for stack in new if stood.pop(stack[0], None) != stack]
    if stood:  # what is left was taken off
        changed += [(place,) for place in stood]
        changed.sort()
    return tuple(changed)


def patch(old: Scene, change: SceneDiff) -> Scene:
    """Return the scene that `change` makes of `old`."""
    pieces = {stack[0]: stack for stack in old.pieces}
    for stack in change.pieces:
        if len(stack) > 1:
            pieces[stack[0]] = stack
        else:
            pieces.pop(stack[0], None)
    tallies = list(old.tallies)
    for seat, *numbers in change.tallies:
        tallies[seat] = tuple(numbers)
    return Scene(tuple(sorted(pieces.values())), tuple(tallies), change.to_move, change.marks, change.note)


_encode = msgspec.msgpack.Encoder().encode


def scene_hash(scene: Scene) -> int:
    """A short check that two sides see the same scene: CRC-32 of its canonical bytes.

    The canonical bytes are the msgpack form of the scene (an array of its five fields in the order given above) with
    every number and length in the shortest form there is and `pieces` in rising order of places.
    """
    return crc32(_encode(scene))
