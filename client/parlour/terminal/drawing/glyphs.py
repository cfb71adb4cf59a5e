"""The characters that a board is drawn with: one table for terminals with Unicode, one for all others."""

from __future__ import annotations

from typing import NamedTuple

from parlour.protocol.scene import BoardSpec, Glyph
from parlour.terminal.drawing.canvas import Frame
from parlour.terminal.drawing.lines import Ink
from parlour.terminal.drawing.style import Style


class Charset(NamedTuple):
    """The characters of everything that is not a piece. Pairs are for the light and the dark seat."""

    empty: str  # an empty cell
    shade: str  # the second tone of a chequered board
    rim: str
    goal: str
    pointer: str
    bar: tuple[Frame, Frame]
    ring: tuple[Frame, Frame]
    ghost: tuple[str, str]  # the lines of a box that is about to leave: across, side


_UNICODE = Charset(
    empty="·",
    shade="░",
    rim="░",
    goal="♔",
    pointer="▸",
    bar=(Frame(*"┌─┐│└┘"), Frame(*"╔═╗║╚╝")),
    ring=(Frame(*"╭─╮│╰╯"), Frame(*"╔═╗║╚╝")),
    ghost=("┅", "┋"),
)
_ASCII = Charset(
    empty=".",
    shade=".",
    rim=":",
    goal="G",
    pointer=">",
    bar=(Frame(*"+-+|++"), Frame(*"#=####")),
    ring=(Frame(*"/-\\|\\/"), Frame(*"#=####")),
    ghost=("~", ":"),
)

# For glyphs without their own text: light and dark in Unicode, then light and dark in ASCII.
_SHAPES = {
    "bar": "●◆o*",
    "ring": "○◇ox",
    "ball": "●◆o*",
    "disc": "●◆ox",
    "man": "●◆ox",
    "king": "♚♚KK",
    "counter": "●◆ox",
    "block": "██##",
    "joker": "◐◐&&",
    "star": "★★**",
}

# From east on, counter-clockwise in steps of 45 degrees, as `Glyph.heading` counts.
_ARROWS = "→↗↑↖←↙↓↘"


def charset(style: Style) -> Charset:
    return _UNICODE if style.unicode else _ASCII


def is_dark(spec: BoardSpec, seat: int | None) -> bool:
    return seat is not None and spec.seats[seat].tone == "dark"


def ink_of(spec: BoardSpec, glyph: Glyph) -> Ink:
    """Return the ink of a piece: its owner's, or that of its material."""
    if glyph.seat is not None:
        return Ink.DARK if is_dark(spec, glyph.seat) else Ink.LIGHT
    return {"star": Ink.GOLD, "joker": Ink.GOLD, "block": Ink.STONE}.get(glyph.shape, Ink.TEXT)


def brackets(spec: BoardSpec, glyph: Glyph) -> str:
    """Return the two characters around a piece, which tell the seats apart."""
    if glyph.seat is None:
        return "()" if glyph.shape == "joker" else "||"
    return "<>" if is_dark(spec, glyph.seat) else "()"


def sign(spec: BoardSpec, glyph: Glyph, style: Style, flipped: bool = False) -> str:
    """Return the character that stands for a piece."""
    own = (glyph.text if style.unicode else glyph.ascii)[:1]
    if style.unicode and glyph.heading is not None and (not own or own in _ARROWS):
        return _ARROWS[round(glyph.heading / 45 + 4 * flipped) % 8]
    return own if own and style.legible(own) == own else pip(spec, glyph, style)


def pip(spec: BoardSpec, glyph: Glyph, style: Style) -> str:
    """Return the usual character of a shape, or the first letter of an unknown one."""
    usual = _SHAPES.get(glyph.shape)
    if usual is None:
        return style.legible(glyph.shape)[:1] or "?"
    return usual[2 * (not style.unicode) + is_dark(spec, glyph.seat)]


def shared_signs(spec: BoardSpec, style: Style) -> frozenset[str]:
    """Return the signs that pieces of different seats have in common, so that only brackets tell whose they are."""
    owners: dict[str, set[int]] = {}
    for glyph in spec.glyphs:
        if glyph.seat is not None:
            owners.setdefault(sign(spec, glyph, style), set()).add(glyph.seat)
    return frozenset(char for char, seats in owners.items() if len(seats) > 1)
