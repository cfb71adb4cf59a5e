"""Lines of text made of spans, and how they become text with or without colours.

Every character of a span is one column wide, so columns and characters are the same thing.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import lru_cache
from itertools import groupby

from msgspec import Struct

from parlour.terminal.drawing.style import Colours, Style, Theme


class Ink(Enum):
    """The colour of text: its true colour in each theme, and its code among sixteen (None: the terminal's default)."""

    TEXT = (0xF1EADD, 0x221F1A, 0xFFFFFF), None
    FAINT = (0xC9BFAE, 0x5A5346, 0xE0E0E0), 90  # coordinates, empty cells
    TEXTURE = (0x7B6F5C, 0xB0A48E, 0x808080), 90  # fill characters of the ground; with colours they need not be seen
    LIGHT = (0xF3C77F, 0x784400, 0xFFE000), 33
    DARK = (0xB4D0F3, 0x1F4A78, 0x80D0FF), 94
    PICK = (0x7FE3CB, 0x07574C, 0x00FFB0), 36  # possible and current picks
    LAST = (0xD2B4FF, 0x5B2C96, 0xFFA0FF), 35  # the last turn
    GOLD = (0xF0C067, 0x6E4700, 0xFFC040), 93
    STONE = (0xA09A8E, 0x6A6253, 0xC0C0C0), 37

    def colour(self, theme: Theme) -> int:
        colours: tuple[int, ...] = self.value[0]
        return colours[theme]


class Ground(Enum):
    """The colour behind text: its true colour in each theme. Sixteen colours are too few to tint anything."""

    PAGE = 0x171513, 0xF4EFE5, 0x000000
    BIRCH = 0x5D5141, 0xE6D6B8, 0x000000
    BIRCH_ALT = 0x564A3B, 0xDFCDAC, 0x101010
    FELT = 0x46524A, 0xD6E2D8, 0x000000
    FELT_ALT = 0x3C4840, 0xCCDACF, 0x101010
    CHART = 0x4C543F, 0xE0E5CE, 0x000001
    CHART_ALT = 0x464E3A, 0xD7DDC2, 0x101011
    CLAY = 0x6A5546, 0xEAD6C6, 0x000000
    CLAY_ALT = 0x4E3D32, 0xDCC5B2, 0x303030
    SEA = 0x2C4149, 0xCBDDE4, 0x001828
    LIGHT_CORNER = 0x6B5527, 0xF0DA9E, 0x302800  # cells that mean something to the light seat
    DARK_CORNER = 0x3A567A, 0xBFD2EA, 0x002040

    def colour(self, theme: Theme) -> int:
        return self.value[theme]


class Span(Struct, frozen=True):
    """Some characters that look alike and belong to the same place."""

    text: str
    ink: Ink = Ink.TEXT
    ground: Ground = Ground.PAGE
    place: int | None = None
    focus: bool = False  # the player is here: shown in reverse


class Line(Struct, frozen=True):
    """One line of a drawing; `str()` is its text without colours."""

    spans: tuple[Span, ...] = ()

    def __str__(self) -> str:
        return "".join(span.text for span in self.spans)

    @property
    def width(self) -> int:
        return sum(len(span.text) for span in self.spans)

    def place_at(self, x: int) -> int | None:
        """Return the place that column `x` belongs to, or None."""
        for span in self.spans:
            if 0 <= x < len(span.text):
                return span.place
            x -= len(span.text)
        return None

    def columns_of(self, place: int) -> range:
        """Return the columns that belong to a place; an empty range if it is not in this line."""
        columns = [x for x in range(self.width) if self.place_at(x) == place]
        return range(columns[0], columns[-1] + 1) if columns else range(0)


def render(line: Line, style: Style) -> str:
    """Return a line as text for a terminal of that style."""
    if style.colours is Colours.NONE:
        return str(line)
    runs = groupby(line.spans, key=lambda span: _codes(span, style))
    return "".join(_coloured(codes, spans) for codes, spans in runs)


def _coloured(codes: str, spans: Iterable[Span]) -> str:
    text = "".join(span.text for span in spans)
    return f"\x1b[{codes}m{text}\x1b[0m" if codes else text


def _codes(span: Span, style: Style) -> str:
    ink = Ink.TEXT if span.focus else span.ink
    basic = ink.value[1]
    codes = ["7"] if span.focus else []
    if style.colours is Colours.SIXTEEN:
        codes += [str(basic)] if basic is not None else []
    else:
        codes += [_colour(38, ink.colour(style.theme), style.colours)]
        codes += [_colour(48, span.ground.colour(style.theme), style.colours)]
    return ";".join(codes)


def _colour(layer: int, colour: int, colours: Colours) -> str:
    red, green, blue = colour >> 16, colour >> 8 & 255, colour & 255
    if colours is Colours.TRUE:
        return f"{layer};2;{red};{green};{blue}"
    return f"{layer};5;{nearest(red, green, blue)}"


# The usual 256 colours: sixteen that each terminal sets differently, a cube of six levels, and 24 greys.
_LEVELS = (0, 95, 135, 175, 215, 255)
_PALETTE = {
    16 + 36 * r + 6 * g + b: (_LEVELS[r], _LEVELS[g], _LEVELS[b]) for r in range(6) for g in range(6) for b in range(6)
}
_PALETTE |= {232 + step: (8 + 10 * step,) * 3 for step in range(24)}


@lru_cache(maxsize=256)
def nearest(red: int, green: int, blue: int) -> int:
    """Return the number of the nearest of the 256 colours."""

    def distance(number: int) -> int:
        r, g, b = _PALETTE[number]
        return (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2

    return min(_PALETTE, key=distance)
