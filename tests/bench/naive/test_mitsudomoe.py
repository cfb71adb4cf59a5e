"""The naive implementation of Mitsudomoe."""

from __future__ import annotations

import pytest

from bench.naive import mitsudomoe

START = ".,.,.,bB,bB/.,.,.,.,bB/.,.,.,.,./wW,.,.,.,./wW,wW,.,.,. w 5,5"


def test_a_turn_moves_a_ring_and_a_ball() -> None:
    """The ring comes from the supply, and the ball steps onto it and leaves its own ring behind."""
    after = mitsudomoe.play(mitsudomoe.parse(START), "+a3 a2-a3")

    assert mitsudomoe.print(after) == ".,.,.,bB,bB/.,.,.,.,bB/wW,.,.,.,./w,.,.,.,./wW,wW,.,.,. b 4,5"


def test_three_balls_at_the_goal_win() -> None:
    """White's last ball steps into Black's home."""
    position = mitsudomoe.parse(".,.,.,wW,wW/.,.,.,wW,w/bB,.,.,.,./.,bB,.,.,./.,.,bB,.,. w 3,3")
    after = mitsudomoe.play(position, "+c3 d4-e4")

    assert mitsudomoe.winner(position) is None
    assert mitsudomoe.winner(after) == "white"
    assert mitsudomoe.turns(after) == []


def test_an_illegal_turn_is_an_error() -> None:
    """A ball only steps onto a ring of its own colour."""
    with pytest.raises(ValueError, match=r"is not legal"):
        mitsudomoe.play(mitsudomoe.parse(START), "+a3 b1-c1")
