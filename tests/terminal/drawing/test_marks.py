"""Marks are seen without colours."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest

from parlour.protocol.scene import Glyph, Mark
from parlour.protocol.types import Pick

Look = Callable[..., list[str]]

DISC = (Glyph("White disc", "disc", 0), Glyph("Black disc", "disc", 1))
# What each mark is about is cell 0, seen from where it matters.
PLACES = {Mark.STEP: (0, 9), Mark.SIGHT: (9, 0)}
ON_PIECES = [mark for mark in Mark if mark is not Mark.LINE]
ON_EMPTY = [mark for mark in Mark if mark is not Mark.GHOST]


@pytest.mark.parametrize("unicode", [True, False])
@pytest.mark.parametrize("size", [5, 8, 10, 12])
def test_every_mark_is_seen_at_a_piece(look: Look, size: int, unicode: bool) -> None:
    """At a piece every mark looks different from all others and from none."""
    looks = {
        mark.name: look(size, DISC, (0, 0), marks=((mark, *PLACES.get(mark, (0,))),), unicode=unicode)
        for mark in ON_PIECES
    }
    looks["none"] = look(size, DISC, (0, 0), unicode=unicode)
    looks["pick"] = look(size, DISC, (0, 0), picks=(0,), unicode=unicode)
    for one, other in combinations(looks, 2):
        assert looks[one] != looks[other], f"{one} and {other}"


@pytest.mark.parametrize("unicode", [True, False])
@pytest.mark.parametrize("size", [5, 8, 10, 12])
def test_every_mark_is_seen_at_an_empty_cell(look: Look, size: int, unicode: bool) -> None:
    """At an empty cell, too, every mark looks different."""
    looks = {
        mark.name: look(size, DISC, marks=((mark, *PLACES.get(mark, (0,))),), unicode=unicode) for mark in ON_EMPTY
    }
    looks["none"] = look(size, DISC, unicode=unicode)
    looks["pick"] = look(size, DISC, picks=(0,), unicode=unicode)
    for one, other in combinations(looks, 2):
        assert looks[one] != looks[other], f"{one} and {other}"


@pytest.mark.parametrize(
    ("mark", "unicode", "ascii"),
    [
        (Mark.LAST, "───", "---"),
        (Mark.FROM, "─ ─", "- -"),
        (Mark.TURNED, "~~~", "~~~"),
        (Mark.GONE, " × ", " x "),
        (Mark.CHOSEN, "═══", "==="),
        (Mark.STEP, "→b2", ">b2"),
        (Mark.COUNTED, " ✓ ", " v "),
        (Mark.SIGHT, '"""', '"""'),
    ],
)
def test_marks_under_a_piece(look: Look, mark: Mark, unicode: str, ascii: str) -> None:  # noqa: A002
    """Where there is a line below a piece, the mark is written there."""
    marks = ((mark, *PLACES.get(mark, (0,))),)
    assert look(8, DISC, (0, 0), marks=marks) == [" (●) ", f" {unicode} "]
    assert look(8, DISC, (0, 0), marks=marks, unicode=False) == [" (o) ", f" {ascii} "]


def test_end_of_a_step_is_chosen(look: Look) -> None:
    """Where a step leads to looks like a chosen place."""
    step = look(8, DISC, (9, 0), cell=9, marks=((Mark.STEP, 0, 9),))
    assert step == look(8, DISC, (9, 0), cell=9, marks=((Mark.CHOSEN, 9),))


def test_what_lies_ahead_hides_what_happened(look: Look) -> None:
    """Where there is room for one mark, a pick comes before the last turn; else both are seen."""
    last = ((Mark.LAST, 0),)
    assert look(8, DISC, (0, 0), marks=last, picks=(0,))[1] == " ^^^ "
    assert look(8, DISC, marks=last, picks=(0,)) == [" [ ] ", " ─── "]
    assert look(12, DISC, marks=last, picks=(0,)) == ["[ ]"]


def test_unknown_marks_are_left_out(look: Look) -> None:
    """A kind of mark that was invented later does no harm."""
    assert look(8, DISC, (0, 0), marks=((99, 0),)) == look(8, DISC, (0, 0))


def test_chips(look: Look) -> None:
    """A pick with a cell to be drawn on shows its label there, below the piece that stands there."""
    chip = Pick(100, "+7", "", 0)
    assert look(10, DISC, picks=(chip,)) == ["+7  ", "    "]
    assert look(10, DISC, (0, 1), picks=(chip,)) == ["<◆> ", "+7  "]
    assert look(12, DISC, picks=(Pick(144, "+12", "", 0),)) == ["+12"]


@pytest.mark.parametrize("scale", [0, 1, 2])
@pytest.mark.parametrize("piece", [(), ((0, 0),), ((0, 1),)])
@pytest.mark.parametrize("picks", [(), (0,)])
def test_a_pointer_is_seen_in_every_size(
    look: Look, scale: int, piece: tuple[tuple[int, int], ...], picks: tuple[int, ...]
) -> None:
    """The character of a pointer stands at its place, also where that place may be picked."""
    shown = look(8, DISC, *piece, picks=picks, scale=scale, pointers={0: "7"})
    assert "7" in "".join(shown)
    assert shown != look(8, DISC, *piece, scale=scale, pointers={0: "7"}) or not picks
