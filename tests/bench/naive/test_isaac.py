"""The naive implementation of Isaac."""

from __future__ import annotations

import pytest

from bench.naive import isaac

START = ". d p 54321,54321 0,0 0,0 -"


def test_every_bar_fits_on_the_empty_board() -> None:
    """A bar of length n has 10 × (11 − n) places in each direction: 600 for the lengths 3 to 7."""
    assert len(isaac.turns(isaac.parse(START))) == 600


def test_a_placed_bar_leaves_the_hand() -> None:
    """The bar is on the board, its length is taken from Dark's hand, and Light is to move."""
    after = isaac.play(isaac.parse(START), "a1-c1")

    assert isaac.print(after) == "Da1-c1 l p 44321,54321 0,0 0,0 -"
    assert isaac.winner(after) is None


def test_an_illegal_turn_is_an_error() -> None:
    """A bar of two cells does not exist."""
    with pytest.raises(ValueError, match="a1-b1 is not legal"):
        isaac.play(isaac.parse(START), "a1-b1")
