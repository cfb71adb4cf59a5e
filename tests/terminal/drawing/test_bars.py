"""Bars, lying and cursor."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parlour.protocol.scene import Glyph, Mark

Look = Callable[..., list[str]]

LIGHT, DARK = 0, 1
GLYPHS = (
    Glyph("White bar", "bar", LIGHT, columns=4, pips=2),
    Glyph("Black bar", "bar", DARK, columns=3, pips=1),
    Glyph("White bar", "bar", LIGHT, rows=3, pips=1),
    Glyph("Black bar", "bar", DARK, rows=4, pips=2),
    Glyph("White counter", "counter", LIGHT, shows_score=True),
    Glyph("Whale", "whale", LIGHT, columns=3),
)
LYING_LIGHT, LYING_DARK, STANDING_LIGHT, STANDING_DARK, COUNTER, WHALE = range(6)


def test_lying_bars(look: Look) -> None:
    """A light bar has single lines and dots, a dark one double lines and diamonds."""
    assert look(10, GLYPHS, (0, LYING_LIGHT), reach=(4, 1)) == ["┌──────●●─────┐ ", "└─────────────┘ "]
    assert look(10, GLYPHS, (0, LYING_DARK), reach=(3, 1)) == ["╔════◆════╗ ", "╚═════════╝ "]


def test_lying_bars_in_ascii(look: Look) -> None:
    """Without Unicode the lines of a dark bar are thick."""
    assert look(10, GLYPHS, (0, LYING_LIGHT), reach=(4, 1), unicode=False) == ["+------oo-----+ ", "+-------------+ "]
    assert look(10, GLYPHS, (0, LYING_DARK), reach=(3, 1), unicode=False) == ["#====*====# ", "#=========# "]


def test_standing_bars(look: Look) -> None:
    """A cursor bar is as wide as a token and has its pips one above the other."""
    assert look(10, GLYPHS, (0, STANDING_LIGHT), reach=(1, 3)) == ["┌─┐ ", "│ │ ", "│●│ ", "│ │ ", "│ │ ", "└─┘ "]
    dark = look(10, GLYPHS, (0, STANDING_DARK), reach=(1, 4), unicode=False)
    assert dark == ["#=# ", "# # ", "# # ", "#*# ", "#*# ", "# # ", "# # ", "#=# "]


def test_turned_board(look: Look) -> None:
    """On a turned board a bar still covers its cells."""
    assert look(10, GLYPHS, (0, LYING_DARK), cell=2, reach=(3, 1), flipped=True) == ["╔════◆════╗ ", "╚═════════╝ "]


def test_leaving_bar(look: Look) -> None:
    """The lines of a bar that is about to leave are broken."""
    lifted = look(10, GLYPHS, (0, LYING_DARK), reach=(3, 1), marks=((Mark.GHOST, 0),))
    assert lifted == ["╔┅┅┅┅◆┅┅┅┅╗ ", "╚┅┅┅┅┅┅┅┅┅╝ "]
    lifted = look(10, GLYPHS, (0, STANDING_LIGHT), reach=(1, 3), marks=((Mark.GHOST, 0),), unicode=False)
    assert lifted == ["+~+ ", ": : ", ":o: ", ": : ", ": : ", "+~+ "]


@pytest.mark.parametrize("cells", [(0,), (0, 1, 2)])
def test_mark_of_a_bar(look: Look, cells: tuple[int, ...]) -> None:
    """A mark at its first cell or at all of its cells is drawn once, on the edge of the bar."""
    assert look(10, GLYPHS, (0, LYING_DARK), reach=(3, 1), marks=((Mark.LAST, *cells),))[1] == "╚══ ─── ══╝ "
    assert look(10, GLYPHS, (0, LYING_DARK), reach=(3, 1), marks=((Mark.COUNTED, *cells),))[1] == "╚═══ ✓ ═══╝ "


def test_pick_of_a_bar(look: Look) -> None:
    """A bar that may be chosen is marked below, or inside when it stands."""
    assert look(10, GLYPHS, (0, LYING_DARK), reach=(3, 1), picks=(0,))[1] == "╚══ ^^^ ══╝ "
    assert look(10, GLYPHS, (0, STANDING_LIGHT), reach=(1, 3), picks=(0,))[4] == "│^│ "


def test_mark_of_another_cell(look: Look) -> None:
    """A mark at one cell that a bar happens to cover is drawn at that cell."""
    assert look(10, GLYPHS, (0, LYING_LIGHT), reach=(4, 1), marks=((Mark.FROM, 2),))[1] == "└────── ─ ─ ──┘ "


def test_counter_on_a_bar(look: Look) -> None:
    """A counter hides the part of the bar it stands on, and the mark below it is the counter's."""
    drawn = look(10, GLYPHS, (0, LYING_LIGHT), (1, COUNTER), reach=(4, 1), marks=((Mark.LAST, 1),), score=53)
    assert drawn == ["┌───(53)●─────┐ ", "└── ─── ──────┘ "]


def test_mark_of_a_bar_under_a_counter(look: Look) -> None:
    """What is said about all cells of a bar is not said again about the counter on it."""
    marks = ((Mark.COUNTED, 0, 1, 2, 3),)
    drawn = look(10, GLYPHS, (0, LYING_LIGHT, COUNTER), reach=(4, 1), marks=marks, score=53)
    assert drawn == ["(53)───●●─────┐ ", "└───── ✓ ─────┘ "]


def test_flat_cells(look: Look) -> None:
    """Where a cell has one line, a bar is a stick with ends, and a mark stands beside one of them."""
    assert look(12, GLYPHS, (0, LYING_LIGHT), reach=(4, 1)) == ["│────●●───│ "]
    assert look(12, GLYPHS, (0, LYING_DARK), reach=(3, 1), picks=(0,)) == ["║[══◆══║ "]
    assert look(12, GLYPHS, (0, STANDING_DARK), reach=(1, 4)) == [" ═ ", " ◆ ", " ◆ ", " ═ "]
    assert look(12, GLYPHS, (0, STANDING_LIGHT), reach=(1, 3), picks=(0,)) == [" ─ ", " ● ", "[─ "]


def test_unknown_large_shape(look: Look) -> None:
    """Something large of unknown shape is a box with its first letter."""
    assert look(10, GLYPHS, (0, WHALE), reach=(3, 1)) == ["┌────w────┐ ", "└─────────┘ "]
