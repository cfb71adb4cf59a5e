"""The names by which players type what they pick."""

from __future__ import annotations

from parlour.protocol.scene import BoardSpec, SeatSpec
from parlour.protocol.types import Pick
from parlour.terminal.ui.pick_names import find_pick, split_names

BOARD = BoardSpec("any", 8, 8, "felt", (SeatSpec("White", "light"), SeatSpec("Black", "dark")), (), "")


def test_a_pick_is_found_by_its_name_or_label() -> None:
    """Letter case does not matter, the last word of a label is enough, and an unknown name finds nothing."""
    picks = (Pick(9), Pick(10, label="turns 3"))
    assert find_pick(BOARD, picks, "B2") is picks[0]
    assert find_pick(BOARD, picks, "3") is picks[1]
    assert find_pick(BOARD, picks, "a1") is None


def test_a_line_is_split_into_names() -> None:
    """Commas and spaces separate names; a line with a long word is a whole move."""
    assert split_names("e7, d6") == ["e7", "d6"]
    assert split_names("c9-e9:c4-c7-c9") == []
