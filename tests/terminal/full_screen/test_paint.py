"""Colours of a drawing in a terminal, many or few."""

from __future__ import annotations

from parlour.terminal.drawing import Colours, Ground, Ink, Line, Span, Style, Theme
from parlour.terminal.full_screen.paint import strip_of, style_of

TRUE, FEW, NONE = Style(colours=Colours.TRUE), Style(colours=Colours.SIXTEEN), Style()


def test_the_roles_have_their_colours() -> None:
    """Dark is blue and light is amber, on the ground of the board; the focus is one block in reverse."""
    dark = style_of(Ink.DARK, Ground.FELT, False, TRUE)
    focus = style_of(Ink.DARK, Ground.FELT, True, TRUE)

    assert dark.color is not None
    assert dark.color.name == "#b4d0f3"
    assert dark.bgcolor is not None
    assert dark.bgcolor.name == "#46524a"
    assert focus.reverse
    assert focus.color == style_of(Ink.PICK, Ground.FELT, True, TRUE).color


def test_sixteen_colours_are_those_of_the_terminal() -> None:
    """Blue, yellow, cyan and magenta as the terminal has them, and the ground is left alone."""
    inks = (Ink.DARK, Ink.LIGHT, Ink.PICK, Ink.LAST, Ink.FAINT)
    styles = [style_of(ink, Ground.FELT, False, FEW) for ink in inks]

    assert [style.color.number for style in styles if style.color is not None] == [12, 3, 6, 5, 8]
    assert all(style.bgcolor is None for style in styles)
    assert style_of(Ink.TEXT, Ground.PAGE, False, FEW).color is None


def test_a_line_is_cut_or_filled() -> None:
    """It has the width that was asked for."""
    line = Line((Span("abc"), Span("def", Ink.PICK)))

    assert strip_of(line, 4, TRUE).text == "abcd"
    assert strip_of(line, 8, TRUE).text == "abcdef  "


def test_themes_and_no_colours() -> None:
    """A light terminal gets dark writing; without colours only bold and reverse are left."""
    light = style_of(Ink.DARK, Ground.FELT, False, Style(colours=Colours.TRUE, theme=Theme.LIGHT))
    none = style_of(Ink.DARK, Ground.FELT, True, NONE)

    assert light.color is not None
    assert light.color.name == "#1f4a78"
    assert none.color is None
    assert none.bgcolor is None
    assert none.reverse
    assert none.bold
