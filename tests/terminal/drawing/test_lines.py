"""Spans, lines and their colours."""

from __future__ import annotations

import pytest

from parlour.terminal.drawing import Colours, Ground, Ink, Line, Span, Style, Theme, render
from parlour.terminal.drawing.lines import nearest

LINE = Line(
    (
        Span(" 1 ", Ink.FAINT),
        Span("(●)", Ink.LIGHT, Ground.FELT, 0),
        Span(" ", Ink.LIGHT, Ground.FELT, 1),
        Span("<◆>", Ink.DARK, Ground.FELT, 1, focus=True),
    )
)


def test_text_of_a_line() -> None:
    """A line knows its text and its width."""
    assert str(LINE) == " 1 (●) <◆>"
    assert LINE.width == 10


def test_places_of_a_line() -> None:
    """Columns lead to places and places to columns; what is beside them leads nowhere."""
    assert [LINE.place_at(x) for x in range(-1, 11)] == [None] * 4 + [0] * 3 + [1] * 4 + [None]
    assert LINE.columns_of(0) == range(3, 6)
    assert LINE.columns_of(1) == range(6, 10)
    assert not LINE.columns_of(2)


@pytest.mark.parametrize(
    ("colours", "expected"),
    [
        (Colours.NONE, " 1 (●) <◆>"),
        (Colours.SIXTEEN, "\x1b[90m 1 \x1b[0m\x1b[33m(●) \x1b[0m\x1b[7m<◆>\x1b[0m"),
        (
            Colours.MANY,
            "\x1b[38;5;250;48;5;233m 1 \x1b[0m\x1b[38;5;222;48;5;239m(●) \x1b[0m\x1b[7;38;5;254;48;5;239m<◆>\x1b[0m",
        ),
        (
            Colours.TRUE,
            "\x1b[38;2;201;191;174;48;2;23;21;19m 1 \x1b[0m\x1b[38;2;243;199;127;48;2;70;82;74m(●) \x1b[0m"
            "\x1b[7;38;2;241;234;221;48;2;70;82;74m<◆>\x1b[0m",
        ),
    ],
)
def test_escape_codes(colours: Colours, expected: str) -> None:
    """Spans that look alike share one code, each run ends with a reset, and without colours there is no code."""
    assert render(LINE, Style(colours=colours)) == expected


def test_usual_text_needs_no_code_among_sixteen_colours() -> None:
    """Text in the terminal's own colour is left alone."""
    assert render(Line((Span("12 pieces"),)), Style(colours=Colours.SIXTEEN)) == "12 pieces"


@pytest.mark.parametrize(("number", "colour"), [(16, (0, 0, 0)), (110, (135, 175, 215)), (231, (255, 255, 255))])
def test_colours_of_the_cube_are_kept(number: int, colour: tuple[int, int, int]) -> None:
    """A colour that is among the 256 is drawn as it is."""
    assert nearest(*colour) == number


def _luminance(colour: int) -> float:
    parts = [(colour >> shift & 255) / 255 for shift in (16, 8, 0)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(ink: int, ground: int) -> float:
    one, other = sorted((_luminance(ink), _luminance(ground)))
    return (other + 0.05) / (one + 0.05)


def _among_256(colour: int) -> int:
    number = nearest(colour >> 16, colour >> 8 & 255, colour & 255)
    if number >= 232:
        return 0x010101 * (8 + 10 * (number - 232))
    levels = (0, 95, 135, 175, 215, 255)
    number -= 16
    return levels[number // 36] << 16 | levels[number // 6 % 6] << 8 | levels[number % 6]


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("ground", Ground)
@pytest.mark.parametrize("ink", [ink for ink in Ink if ink not in (Ink.TEXTURE, Ink.STONE)])
def test_all_writing_can_be_read(ink: Ink, ground: Ground, theme: Theme) -> None:
    """Every ink has a contrast of at least 3.5 on every ground, and little less among 256 colours."""
    true, below = ink.colour(theme), ground.colour(theme)
    assert _contrast(true, below) >= (7 if theme is Theme.CONTRAST else 3.5)
    assert _contrast(_among_256(true), _among_256(below)) >= 3


def test_chequered_ground_is_seen_among_256_colours() -> None:
    """The two tones of clay stay different where colours are few."""
    for theme in Theme:
        assert _among_256(Ground.CLAY.colour(theme)) != _among_256(Ground.CLAY_ALT.colour(theme))
