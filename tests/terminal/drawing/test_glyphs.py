"""The characters that stand for pieces."""

from __future__ import annotations

import unicodedata

import pytest

from parlour.protocol.scene import BoardSpec, Glyph, SeatSpec
from parlour.terminal.drawing import Style
from parlour.terminal.drawing.glyphs import brackets, charset, shared_signs, sign

UNICODE, ASCII = Style(), Style(unicode=False)
SHAPES = ("bar", "ring", "ball", "disc", "man", "king", "counter", "block", "joker", "star")


def _board(*glyphs: Glyph) -> BoardSpec:
    return BoardSpec("any", 5, 5, "felt", (SeatSpec("White", "light"), SeatSpec("Black", "dark")), glyphs, "")


@pytest.mark.parametrize(
    ("shape", "light", "dark"),
    [
        ("ring", "○o", "◇x"),
        ("ball", "●o", "◆*"),
        ("disc", "●o", "◆x"),
        ("king", "♚K", "♚K"),
        ("joker", "◐&", "◐&"),
        ("star", "★*", "★*"),
        ("dragon", "dd", "dd"),
    ],
)
def test_shape_without_a_text(shape: str, light: str, dark: str) -> None:
    """A glyph without a text of its own looks like its shape, and an unknown shape like its first letter."""
    for seat, expected in enumerate((light, dark)):
        glyph = Glyph("piece", shape, seat)
        assert sign(_board(), glyph, UNICODE) + sign(_board(), glyph, ASCII) == expected


def test_own_text_comes_first() -> None:
    """A game says best how its pieces look."""
    glyph = Glyph("Knight", "knight", 0, "♞", "N")
    assert sign(_board(), glyph, UNICODE) + sign(_board(), glyph, ASCII) == "♞N"


@pytest.mark.parametrize("text", ["\x1b", "棋", "\u0301", "\n"])
def test_unfit_text_is_not_used(text: str) -> None:
    """A text that would break the columns gives way to the letter of the shape."""
    assert sign(_board(), Glyph("Dragon", "dragon", 0, text), UNICODE) == "d"


@pytest.mark.parametrize(
    ("heading", "arrow", "turned"), [(45, "↗", "↙"), (225, "↙", "↗"), (0, "→", "←"), (90, "↑", "↓")]
)
def test_arrowheads_turn_with_the_board(heading: int, arrow: str, turned: str) -> None:
    """A piece with a heading points that way, seen from where the player sits."""
    glyph = Glyph("man", "man", 0, arrow, "o", heading=heading)
    assert sign(_board(), glyph, UNICODE) == arrow
    assert sign(_board(), glyph, UNICODE, flipped=True) == turned
    assert sign(_board(), glyph, ASCII, flipped=True) == "o"


def test_text_that_is_no_arrow_stays_upright() -> None:
    """A heading does not replace a text that cannot be turned."""
    assert sign(_board(), Glyph("Knight", "knight", 0, "♞", heading=90), UNICODE, flipped=True) == "♞"


def test_brackets_tell_the_seats_apart() -> None:
    """Round is light, pointed is dark, and a piece without a seat has neither, except for the joker."""
    owned = [brackets(_board(), Glyph("disc", "disc", seat)) for seat in (0, 1)]
    assert owned == ["()", "<>"]
    assert brackets(_board(), Glyph("pond", "pond")) == "||"
    assert brackets(_board(), Glyph("joker", "joker")) == "()"


def test_shared_signs() -> None:
    """A king looks the same on both sides, a man does not."""
    spec = _board(*(Glyph(shape, shape, seat) for shape in ("man", "king") for seat in (0, 1)))
    assert shared_signs(spec, UNICODE) == {"♚"}
    assert shared_signs(spec, ASCII) == {"K"}


def test_all_characters_are_one_column_wide() -> None:
    """No table holds a character that takes two columns, and the ASCII one is pure."""
    for style in (UNICODE, ASCII):
        chars = charset(style)
        signs = [sign(_board(), Glyph(shape, shape, seat), style) for shape in SHAPES for seat in (0, 1)]
        everything = (
            "".join((chars.empty, chars.shade, chars.rim, chars.goal, chars.pointer, *chars.ghost))
            + "".join("".join(frame) for frame in (*chars.bar, *chars.ring))
            + "".join(signs)
        )
        assert all(unicodedata.east_asian_width(char) not in "WF" for char in everything)
        assert style.unicode or everything.isascii()
