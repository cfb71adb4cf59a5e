"""Text in rows."""

from __future__ import annotations

from rich.cells import cell_len

from parlour.terminal.full_screen.wrapping import shorten, wrap

WORDS = "棋" * 30 + " ok " + "é" * 40


def test_wide_characters_take_two_columns() -> None:
    """No row is wider than it may be, and nothing is lost."""
    rows = list(wrap(WORDS, 11))
    assert all(cell_len(row) <= 11 for row in rows)
    assert "".join(rows).replace(" ", "") == WORDS.replace(" ", "")


def test_a_text_that_was_cut_off_says_so() -> None:
    """What fits stays as it is; otherwise dots take the place of the rest, within the same rows."""
    assert shorten("one two three", 7, 2) == "one two three"
    assert shorten("one two three four", 7, 2) == "one two thre..."
    assert shorten("one two", 5, 1) == "on..."
    assert len(list(wrap(shorten(WORDS, 11, 3), 11))) == 3
