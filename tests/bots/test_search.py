"""Scores, and the chances to win that they stand for."""

from __future__ import annotations

import pytest

from parlour import games
from parlour.bots.search import FORCED, WIN, chance, settled
from parlour.games.api import Outcome


@pytest.mark.parametrize("key", games.keys())
def test_one_scale_ahead_is_three_of_four(key: str) -> None:
    """A score of 0 is one half, a lead of one scale is three quarters, and a forced result is certain."""
    game = games.find(key)
    assert game.insight is not None

    assert chance(0, game) == 0.5
    assert chance(game.insight.scale, game) == pytest.approx(0.75)
    assert (chance(WIN - 7, game), chance(7 - WIN, game)) == (1.0, 0.0)


@pytest.mark.parametrize("key", games.keys())
def test_chances_of_both_sides_make_one(key: str) -> None:
    """A score and its negative are the views of the two sides."""
    game = games.find(key)
    for score in (1, 40, 1_000, FORCED - 1, WIN):
        assert chance(score, game) + chance(-score, game) == pytest.approx(1.0)


def test_an_early_win_is_worth_more() -> None:
    """An early win is better than a late one, a late loss better than an early one, with a draw in between."""
    won, drawn = Outcome(0, "goal"), Outcome(None, "equal")

    assert settled(won, 0, 1) > settled(won, 0, 3) > settled(drawn, 0, 3) == 0
    assert settled(won, 1, 1) == -settled(won, 0, 1)
