"""Pieces on one cell, of every shape."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parlour.protocol.scene import Glyph, Mark
from parlour.protocol.types import Pick

Look = Callable[..., list[str]]

LIGHT, DARK = 0, 1
GLYPHS = (
    Glyph("White ring", "ring", LIGHT),
    Glyph("Black ring", "ring", DARK),
    Glyph("White ball", "ball", LIGHT),
    Glyph("Black ball", "ball", DARK),
    Glyph("White disc", "disc", LIGHT),
    Glyph("Black disc", "disc", DARK),
    Glyph("White man", "man", LIGHT, "↙", "o", heading=225),
    Glyph("Black king", "king", DARK),
    Glyph("White counter", "counter", LIGHT, shows_score=True),
    Glyph("Black counter", "counter", DARK, shows_score=True),
    Glyph("Wall", "block"),
    Glyph("Joker", "joker"),
    Glyph("Bonus", "star", label="+3"),
    Glyph("White dragon", "dragon", LIGHT),
    Glyph("Black dragon", "dragon", DARK),
    Glyph("Pond", "pond"),
    Glyph("White tile", "tile", LIGHT, label="12"),
    Glyph("White king", "king", LIGHT),
)
(
    LIGHT_RING,
    DARK_RING,
    LIGHT_BALL,
    DARK_BALL,
    LIGHT_DISC,
    DARK_DISC,
    MAN,
    DARK_KING,
    LIGHT_COUNTER,
    DARK_COUNTER,
    WALL,
    JOKER,
    STAR,
    LIGHT_DRAGON,
    DARK_DRAGON,
    POND,
    TILE,
    LIGHT_KING,
) = range(len(GLYPHS))


@pytest.mark.parametrize(
    ("glyph", "unicode", "ascii"),
    [
        (LIGHT_DISC, "(●) ", "(o) "),
        (DARK_DISC, "<◆> ", "<x> "),
        (MAN, "(↙) ", "(o) "),
        (DARK_KING, "<♚> ", "<K> "),
        (LIGHT_COUNTER, "(53)", "(53)"),
        (DARK_COUNTER, "<53>", "<53>"),
        (JOKER, "(◐) ", "(&) "),
        (STAR, "★+3 ", "*+3 "),
        (LIGHT_RING, "(○) ", "(o) "),
        (DARK_BALL, "<◆> ", "<*> "),
        (LIGHT_DRAGON, "(d) ", "(d) "),
        (DARK_DRAGON, "<d> ", "<d> "),
        (POND, "|p| ", "|p| "),
        (TILE, "(12)", "(12)"),
    ],
)
def test_tokens(look: Look, glyph: int, unicode: str, ascii: str) -> None:  # noqa: A002
    """Every shape is a sign in its seat's brackets; an unknown one is its first letter."""
    assert look(10, GLYPHS, (0, glyph), score=53) == [unicode, "    "]
    assert look(10, GLYPHS, (0, glyph), score=53, unicode=False) == [ascii, "    "]


def test_tokens_stand_in_the_middle_of_larger_cells(look: Look) -> None:
    """Where there is room around a token, it is in the middle, and in a frame if there is room for that."""
    assert look(8, GLYPHS, (0, LIGHT_DISC)) == [" (●) ", "     "]
    assert look(5, GLYPHS, (0, LIGHT_DISC)) == [" ╭───╮  ", " │(●)│  ", " ╰───╯  ", "        "]
    assert look(12, GLYPHS, (0, LIGHT_DISC)) == ["(●)"]


def test_block_fills_its_cell(look: Look) -> None:
    """A wall leaves nothing of its cell."""
    assert look(10, GLYPHS, (0, WALL)) == ["████", "████"]
    assert look(12, GLYPHS, (0, WALL), unicode=False) == ["###"]
    assert look(10, GLYPHS, (0, WALL), picks=(0,)) == ["[█]█", "████"]


@pytest.mark.parametrize(("score", "text"), [(0, "(0) "), (7, "(7) "), (53, "(53)"), (104, "(104")])
def test_counter_shows_the_score(look: Look, score: int, text: str) -> None:
    """A counter carries the first number of its seat's tally, as far as the cell is wide."""
    assert look(10, GLYPHS, (0, LIGHT_COUNTER), score=score)[0] == text


def test_rings_are_boxes_where_there_is_room(look: Look) -> None:
    """A light ring has a round box, a dark one a double box, and a ball lies inside."""
    assert look(5, GLYPHS, (0, LIGHT_RING)) == [" ╭───╮  ", " │   │  ", " ╰───╯  ", "        "]
    assert look(5, GLYPHS, (0, DARK_RING, DARK_BALL)) == [" ╔═══╗  ", " ║ ◆ ║  ", " ╚═══╝  ", "        "]
    light = look(5, GLYPHS, (0, LIGHT_RING, LIGHT_BALL), unicode=False)
    assert light == [" /---\\  ", " | o |  ", " \\---/  ", "        "]
    assert look(5, GLYPHS, (0, DARK_RING), unicode=False) == [" #===#  ", " #   #  ", " #===#  ", "        "]


def test_stack_is_written_under_the_ring(look: Look) -> None:
    """The top ring is drawn, and the whole stack is written below it from bottom to top."""
    stack = (0, DARK_RING, LIGHT_RING, DARK_RING, LIGHT_RING, LIGHT_BALL)
    assert look(5, GLYPHS, stack) == [" ╭───╮  ", " │ ● │  ", " ╰───╯  ", " ◇○◇○   "]
    assert look(5, GLYPHS, stack, unicode=False)[3] == " xoxo   "


def test_high_stacks(look: Look) -> None:
    """Of a stack that is too high to be written, one sees how many rings are below and then its top."""
    assert look(5, GLYPHS, (0, *[LIGHT_RING, DARK_RING] * 4))[3] == " 3+◇○◇○◇"
    assert look(5, GLYPHS, (0, *[LIGHT_RING, DARK_RING] * 8))[3] == " 12+○◇○◇"
    marked = look(5, GLYPHS, (0, *[LIGHT_RING, DARK_RING] * 3), marks=((Mark.LAST, 0),))
    assert marked[3] == " 4+○◇───"


def test_marks_at_rings(look: Look) -> None:
    """Picks and choices stand in the hole, the last turn under the ring; both are seen at once."""
    stack = (0, LIGHT_RING, DARK_RING, DARK_BALL)
    assert look(5, GLYPHS, stack, picks=(0,))[1] == " ║[◆]║  "
    assert look(5, GLYPHS, stack, marks=((Mark.CHOSEN, 0),))[1] == " ║{◆}║  "
    assert look(5, GLYPHS, stack, marks=((Mark.LAST, 0),))[3] == " ○◇───  "
    assert look(5, GLYPHS, stack, marks=((Mark.LAST, 0),), picks=(0,))[1::2] == [" ║[◆]║  ", " ○◇───  "]
    assert look(5, GLYPHS, (0, DARK_RING), marks=((Mark.FROM, 0),))[3] == "  ─ ─   "


def test_leaving_pieces(look: Look) -> None:
    """A ball that leaves is in dotted brackets, a ring that leaves has broken lines, a token dotted brackets."""
    leaving = ((Mark.GHOST, 0),)
    assert look(5, GLYPHS, (0, DARK_RING, DARK_BALL), marks=leaving)[:2] == [" ╔═══╗  ", " ║:◆:║  "]
    assert look(5, GLYPHS, (0, DARK_RING), marks=leaving)[:2] == [" ╔┅┅┅╗  ", " ┋   ┋  "]
    assert look(10, GLYPHS, (0, LIGHT_DISC), marks=leaving)[0] == ":●: "
    assert look(10, GLYPHS, (0, DARK_KING), marks=leaving)[0] == "<♚: "


def test_stacks_in_smaller_cells(look: Look) -> None:
    """Without room for a box the top piece is a token, the stack is written below, and marks go around."""
    stack = (0, LIGHT_RING, DARK_RING, DARK_BALL)
    assert look(10, GLYPHS, stack) == ["<◆> ", "○◇◆ "]
    assert look(10, GLYPHS, stack, picks=(0,)) == ["[◆] ", "○◇◆ "]
    assert look(12, GLYPHS, stack) == ["<◆3"]
    assert look(12, GLYPHS, (0, *[LIGHT_RING] * 12)) == ["(○+"]


def test_picks_under_tokens(look: Look) -> None:
    """A piece that may be chosen is underlined with peaks, which tell what choosing it does."""
    assert look(8, GLYPHS, (0, LIGHT_DISC), picks=(0,)) == [" (●) ", " ^^^ "]
    assert look(8, GLYPHS, (0, LIGHT_DISC), picks=(Pick(0, "capture", "capture"),))[1] == " ^×^ "
    assert look(8, GLYPHS, (0, MAN), picks=(Pick(0, "crown", "crown"),), unicode=False)[1] == " ^K^ "
    assert look(8, GLYPHS, (0, MAN), picks=(0,), marks=((Mark.CHOSEN, 0),))[1] == " ═^═ "
    assert look(10, GLYPHS, (0, STAR), picks=(0,)) == ["★+3 ", "^^^ "]


def test_flat_cells_use_the_brackets(look: Look) -> None:
    """In a cell of one line a mark takes the place of the brackets, but one still sees whose piece it is."""
    assert look(12, GLYPHS, (0, LIGHT_DISC), picks=(0,)) == ["[●]"]
    assert look(12, GLYPHS, (0, LIGHT_DISC), marks=((Mark.CHOSEN, 0),)) == ["{●}"]
    assert look(12, GLYPHS, (0, LIGHT_DISC), marks=((Mark.CHOSEN, 0),), picks=(0,)) == ["{●]"]
    assert look(12, GLYPHS, (0, DARK_KING), picks=(0,)) == ["<♚]"]
    assert look(12, GLYPHS, (0, STAR), picks=(0,)) == ["[★]"]
    assert look(12, GLYPHS, (0, DARK_COUNTER), picks=(0,), score=5) == ["<5]"]
