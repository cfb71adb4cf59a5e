"""Cells as position texts have them."""

from __future__ import annotations

from parlour.games.cell_editor import CellDraft, in_rows, with_cell


def test_rows_are_written_from_the_top_down() -> None:
    """Cells are counted from the bottom left; those of a row may be separated."""
    assert in_rows("abcdef", 3) == "def/abc"
    assert in_rows(("a", "bc", ".", "d"), 2, ",") == ".,d/a,bc"


def test_one_cell_is_changed() -> None:
    """The others and the turn stay."""
    assert with_cell(CellDraft(("a", "b", "c"), 1), 1, "x") == CellDraft(("a", "x", "c"), 1)
