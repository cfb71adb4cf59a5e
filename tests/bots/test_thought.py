"""Scores and chances."""

from __future__ import annotations

import pytest

from parlour import games
from parlour.bots.thought import FORCED, WIN, chance, settled
from parlour.games.api import Outcome


@pytest.mark.parametrize("key", games.keys())
def test_one_scale_ahead_is_three_of_four(key: str) -> None:
    """Even is one half, a game's scale is three quarters, and what is forced is certain."""
    game = games.find(key)
    assert game.insight is not None

    assert chance(0, game) == 0.5
    assert chance(game.insight.scale, game) == pytest.approx(0.75)
    assert (chance(WIN - 7, game), chance(7 - WIN, game)) == (1.0, 0.0)


@pytest.mark.parametrize("key", games.keys())
def test_chances_of_both_sides_make_one(key: str) -> None:
    """What one side hopes for, the other fears."""
    game = games.find(key)
    for score in (1, 40, 1_000, FORCED - 1, WIN):
        assert chance(score, game) + chance(-score, game) == pytest.approx(1.0)


def test_an_early_win_is_worth_more() -> None:
    """Winning soon is better than late, losing late better than soon, and a draw is in the middle."""
    won, drawn = Outcome(0, "goal"), Outcome(None, "equal")

    assert settled(won, 0, 1) > settled(won, 0, 3) > settled(drawn, 0, 3) == 0
    assert settled(won, 1, 1) == -settled(won, 0, 1)
