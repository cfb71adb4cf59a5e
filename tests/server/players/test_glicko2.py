"""Glicko-2: the published example, and properties of every game."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.server.players.glicko2 import (
    ESTABLISHED_DEVIATION,
    MAX_DEVIATION,
    MAX_RATING,
    MIN_DEVIATION,
    MIN_RATING,
    PERIOD,
    Rating,
    after_game,
    rate,
)  # fmt: skip

NOON = 1_700_000_000_000
YEAR = 365 * 24 * 3600 * 1000

ratings = st.builds(
    Rating,
    rating=st.floats(MIN_RATING, MAX_RATING),
    deviation=st.floats(MIN_DEVIATION, MAX_DEVIATION),
    volatility=st.floats(0.01, 0.2),
    at=st.integers(NOON - 20 * YEAR, NOON),
)
winners = st.sampled_from([0, 1, None])


def test_the_example_of_the_paper() -> None:
    """A player rated 1500 beats one opponent and loses to two stronger ones, as in Glickman's worked example."""
    opponents = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = rate(Rating(1500, 200, 0.06), opponents)
    # The paper rounds intermediate results, hence the tolerance.
    assert after.rating == pytest.approx(1464.06, abs=0.011)
    assert after.deviation == pytest.approx(151.52, abs=0.005)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_new_player() -> None:
    """Every player begins at 1500 with a provisional rating."""
    new = Rating()
    assert (new.rating, new.deviation, new.volatility, new.games) == (1500, 350, 0.06, 0)
    assert new.is_provisional(NOON)
    assert new.established_until == 0
    assert new.aged(NOON) == new


@given(ratings, ratings, winners)
def test_the_winner_gains(first: Rating, second: Rating, winner: int | None) -> None:
    """The winner does not lose points, the loser does not gain any, and both stay within bounds."""
    one, two = after_game(first, second, winner, NOON)
    if winner is not None:
        won, lost = ((first, one), (second, two))[:: 1 if winner == 0 else -1]
        assert won[1].rating >= won[0].rating
        assert lost[1].rating <= lost[0].rating
    for rating in (one, two):
        assert MIN_RATING <= rating.rating <= MAX_RATING
        assert MIN_DEVIATION <= rating.deviation <= MAX_DEVIATION
        assert 0 < rating.volatility < 1
        assert rating.at == NOON


@given(ratings, ratings, winners)
def test_a_game_is_fair_to_both_seats(first: Rating, second: Rating, winner: int | None) -> None:
    """The same game seen from the other seat gives the same ratings."""
    other = None if winner is None else 1 - winner
    assert after_game(first, second, winner, NOON) == after_game(second, first, other, NOON)[::-1]


@given(ratings, ratings, winners)
def test_a_game_reduces_the_deviation(first: Rating, second: Rating, winner: int | None) -> None:
    """After a game the deviation is not larger than just before it, unless the volatility has grown."""
    one, _ = after_game(first, second, winner, NOON)
    if one.volatility <= first.volatility:
        assert one.deviation <= max(first.aged(NOON).deviation, MIN_DEVIATION) + 1e-9


@given(ratings, st.integers(0, 3 * YEAR), st.integers(0, 3 * YEAR))
def test_time_increases_the_deviation(rating: Rating, soon: int, later: int) -> None:
    """The deviation grows with time, in one step as in two, and never beyond that of a new player."""
    first = rating.aged(rating.at + soon)
    second = rating.aged(rating.at + soon + later)
    assert rating.deviation <= first.deviation <= second.deviation <= MAX_DEVIATION
    assert first.rating == second.rating == rating.rating


def test_a_part_of_a_period_counts() -> None:
    """A whole period adds as much variance as four quarters."""
    rating = Rating(1600, 60, 0.06, at=NOON)
    day = rating.aged(NOON + PERIOD // 4).deviation ** 2 - 60**2
    assert rating.aged(NOON + PERIOD).deviation ** 2 - 60**2 == pytest.approx(4 * day)
    assert rating.aged(NOON + PERIOD).deviation ** 2 - 60**2 == pytest.approx((0.06 * 173.7178) ** 2)


def test_established_for_about_a_year() -> None:
    """The rating of a frequent player becomes provisional about a year after the last game."""
    rating = Rating(1800, MIN_DEVIATION, 0.06, at=NOON)
    until = rating.established_until
    assert (until - NOON) / YEAR == pytest.approx(1, abs=0.01)
    assert not rating.is_provisional(until)
    assert rating.is_provisional(until + 60_000)
    assert rating.aged(until).deviation == pytest.approx(ESTABLISHED_DEVIATION, abs=0.001)


def test_games_are_counted() -> None:
    """Wins, losses and draws of both seats are counted."""
    first, second = Rating(), Rating()
    for winner in (0, 0, 1, None):
        first, second = after_game(first, second, winner, NOON)
    assert (first.won, first.lost, first.drawn, first.games) == (2, 1, 1, 4)
    assert (second.won, second.lost, second.drawn, second.games) == (1, 2, 1, 4)


def test_a_clock_that_was_set_back() -> None:
    """A game that seems to end before the previous one counts as if it ended at the same time."""
    rating = Rating(1600, 60, 0.06, at=NOON)
    early, _ = after_game(rating, Rating(), 0, NOON - 1000)
    same, _ = after_game(rating, Rating(), 0, NOON)
    assert early == same
