"""Strength from results."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.bots.elo import Tally, difference, strengths

tallies = st.builds(Tally, st.integers(0, 200), st.integers(0, 200), st.integers(0, 200))


def test_three_to_one_is_191_points() -> None:
    """On the Elo scale 400 points are odds of ten to one."""
    points, _ = difference(Tally(wins=30_000, losses=10_000))

    assert points == pytest.approx(190.8, abs=0.2)


@given(tallies)
def test_the_other_side_sees_the_opposite(tally: Tally) -> None:
    """One player is stronger by as much as the other is weaker, with the same error."""
    points, error = difference(tally)
    other, same = difference(Tally(tally.losses, tally.wins, tally.draws))

    assert points == pytest.approx(-other)
    assert error == pytest.approx(same)


def test_more_games_are_more_sure() -> None:
    """Four times as many games halve the error."""
    _, few = difference(Tally(60, 40))
    _, many = difference(Tally(240, 160))

    assert few / many == pytest.approx(2, rel=0.02)


def test_known_strengths_are_found() -> None:
    """From a round robin of players with known strengths, each strength is found within its error or close to it."""
    true = {"a": -200.0, "b": -50.0, "c": 50.0, "d": 200.0}
    rng = Random(1)
    results = {}
    for one, two in [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]:
        share = 1 / (1 + 10 ** ((true[two] - true[one]) / 400))
        wins = sum(rng.random() < share for _ in range(500))
        results[one, two] = Tally(wins, 500 - wins)

    found = strengths(list(true), results)

    for player, points in true.items():
        assert abs(found[player][0] - points) < 1.5 * found[player][1]


def test_a_player_without_a_win_has_a_rating() -> None:
    """It is low, but finite."""
    found = strengths(["a", "b"], {("a", "b"): Tally(wins=0, losses=20)})

    assert -1500 < found["a"][0] < -200 < 200 < found["b"][0]
