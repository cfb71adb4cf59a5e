"""Long lines in several rows."""

from __future__ import annotations

import pytest

from parlour.terminal.text.line_wrap import split_columns, wrap_line, wrapper

WRAPPED = {
    "A line that fits.": ["A line that fits."],
    "A sentence that is somewhat too long.": ["A sentence that is", "somewhat too long."],
    "  An indented sentence that is too long.": ["  An indented", "  sentence that is", "  too long."],
    "  quit  leave the program at once": ["  quit  leave the", "        program at", "        once"],
    "  report [NAME] REASON  tell the operator": [
        "  report [NAME]",
        "  REASON",
        "          tell the",
        "          operator",
    ],
    " 10  a   b   c   d   e   f   g   h": [" 10  a   b   c   d   e   f   g   h"],
    "https://play.example.org/game/abc": ["https://play.example.org/game/abc"],
    "": [""],
}


@pytest.mark.parametrize("line", WRAPPED)
def test_rows_are_broken_between_words(line: str) -> None:
    """Indents and columns are kept; a drawing and a word without spaces stay whole."""
    assert wrap_line(line, 20) == WRAPPED[line]


def test_columns_are_split() -> None:
    """The space between them belongs to the first one."""
    assert split_columns("  quit  leave") == ("  quit  ", "leave")
    assert split_columns("one column") == ("one column", "")


def test_no_row_is_absurdly_narrow() -> None:
    """In a terminal of a few columns, rows are broken by the terminal instead."""
    assert wrapper(3).wrap("one two three") == ["one two three"]
