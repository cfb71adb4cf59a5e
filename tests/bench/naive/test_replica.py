"""The naive implementation of Replica."""

from __future__ import annotations

import pytest

from bench.naive import replica

EMPTY = "......../......../......../......../......../......../......../"


def test_a_captured_king_ends_the_game() -> None:
    """White captures Black's only king."""
    position = replica.parse("......../......../......../......../...BW.../......../......../........ w")
    after = replica.play(position, "e4-d4")

    assert replica.winner(position) is None
    assert replica.winner(after) == "white"
    assert replica.turns(after) == []


def test_a_man_in_sight_of_a_king_transforms() -> None:
    """Nothing stands between the man on h1 and the king on c1; an enemy piece would block the view."""
    assert "h1=K" in replica.moves(replica.parse(f"{EMPTY}b.W....w w"))
    assert "h1=K" not in replica.moves(replica.parse(f"{EMPTY}b.W.b..w w"))


def test_a_side_without_moves_loses() -> None:
    """White has no pieces left."""
    assert replica.winner(replica.parse(f"{EMPTY}B....... w")) == "black"


def test_an_illegal_turn_is_an_error() -> None:
    """White's pieces do not move to the right."""
    with pytest.raises(ValueError, match="c1-d1 is not legal"):
        replica.play(replica.parse(f"{EMPTY}b.W....w w"), "c1-d1")
