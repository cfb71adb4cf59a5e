"""What a terminal can show."""

from __future__ import annotations

import pytest

from parlour.terminal.drawing import Colours, Style, Theme, style_for

GOOD = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


@pytest.mark.parametrize(
    ("environ", "colours"),
    [
        (GOOD, Colours.TRUE),
        ({"TERM": "xterm", "COLORTERM": "24bit"}, Colours.TRUE),
        ({"TERM": "screen-256color"}, Colours.MANY),
        ({"TERM": "xterm"}, Colours.SIXTEEN),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, Colours.NONE),
        ({}, Colours.NONE),
        (GOOD | {"NO_COLOR": "1"}, Colours.NONE),
        (GOOD | {"NO_COLOR": ""}, Colours.TRUE),
    ],
)
def test_environment_decides_about_colours(environ: dict[str, str], colours: Colours) -> None:
    """The environment says how many colours there are, and NO_COLOR that none are wanted."""
    assert style_for(environ, True, "utf-8").colours is colours


def test_pipe_gets_no_colours() -> None:
    """What is not a terminal gets text without escape codes."""
    assert style_for(GOOD, False, "utf-8").colours is Colours.NONE


@pytest.mark.parametrize(
    ("encoding", "unicode"),
    [
        ("utf-8", True),
        ("UTF8", True),
        ("utf-8-sig", True),
        ("ascii", False),
        ("iso-8859-1", False),
        ("nonsense", False),
        (None, False),
    ],
)
def test_encoding_decides_about_unicode(encoding: str | None, unicode: bool) -> None:
    """Only UTF-8 can carry every character of a drawing."""
    assert style_for(GOOD, True, encoding).unicode is unicode


@pytest.mark.parametrize(
    ("environ", "unicode"),
    [
        ({"LC_ALL": "C", "LANG": "C"}, False),
        ({"LC_ALL": "POSIX", "LANG": "en_GB.UTF-8"}, False),
        ({"LANG": "C"}, False),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, False),
        ({"LANG": "C", "LC_CTYPE": "de_DE.UTF-8"}, True),
        ({"LANG": "C.UTF-8"}, True),
        ({"LANG": "en_GB.UTF-8"}, True),
        ({}, True),
    ],
)
def test_the_c_locale_gets_ascii(environ: dict[str, str], unicode: bool) -> None:
    """Python uses UTF-8 in the C locale too, and may add LC_CTYPE, but the terminal was not said to know it."""
    assert style_for(GOOD | environ, True, "utf-8").unicode is unicode


@pytest.mark.parametrize(
    ("told", "theme"), [("15;0", Theme.DARK), ("0;15", Theme.LIGHT), ("0;default;7", Theme.LIGHT), ("", Theme.DARK)]
)
def test_the_terminal_may_tell_its_colours(told: str, theme: Theme) -> None:
    """A light background gets the light theme; without a word the dark one is used."""
    assert style_for(GOOD | {"COLORFGBG": told}, True, "utf-8").theme is theme


@pytest.mark.parametrize(
    ("foreign", "drawn"),
    [
        ("★ +3", "★ +3"),
        ("a\x1b[2Jb\n", "a?[2Jb?"),
        ("棋", "?"),
        ("♟\ufe0f", "♟?"),
        ("e\u0301", "e?"),
        ("\u202eevil", "?evil"),
    ],
)
def test_foreign_text_keeps_the_columns(foreign: str, drawn: str) -> None:
    """Whatever would move the cursor or take more or less than a column is replaced."""
    assert Style().legible(foreign) == drawn


def test_wide_characters_where_columns_are_counted() -> None:
    """They are kept for a caller that knows that they take two columns."""
    assert Style().legible("棋 ok\x1b", wide=True) == "棋 ok?"
    assert Style(unicode=False).legible("棋", wide=True) == "?"


def test_foreign_text_in_ascii() -> None:
    """Where only ASCII can be shown, letters lose their accents and everything else becomes a question mark."""
    assert Style(unicode=False).legible("Zoë ★ \x1b[1m") == "Zoe ? ?[1m"
