"""Glicko-2: the published example, and what must be true of every game."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.server.rating import (
    HIGHEST,
    LOWEST,
    NARROWEST,
    PERIOD,
    SURE,
    WIDEST,
    Rating,
    after_game,
    rate,
)  # fmt: skip

NOON = 1_700_000_000_000
YEAR = 365 * 24 * 3600 * 1000

ratings = st.builds(
    Rating,
    rating=st.floats(LOWEST, HIGHEST),
    deviation=st.floats(NARROWEST, WIDEST),
    volatility=st.floats(0.01, 0.2),
    at=st.integers(NOON - 20 * YEAR, NOON),
)
winners = st.sampled_from([0, 1, None])


def test_the_example_of_the_paper() -> None:
    """A player of 1500 who beats one opponent and loses to two stronger ones, as Glickman works it out by hand."""
    opponents = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = rate(Rating(1500, 200, 0.06), opponents)
    # The paper rounds on the way, which makes a hundredth.
    assert after.rating == pytest.approx(1464.06, abs=0.011)
    assert after.deviation == pytest.approx(151.52, abs=0.005)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_newcomer() -> None:
    """Everybody begins at 1500, and nobody is sure of that."""
    new = Rating()
    assert (new.rating, new.deviation, new.volatility, new.games) == (1500, 350, 0.06, 0)
    assert not new.sure(NOON)
    assert new.sure_until == 0
    assert new.on(NOON) == new


@given(ratings, ratings, winners)
def test_who_wins_rises(first: Rating, second: Rating, winner: int | None) -> None:
    """The winner does not fall, the loser does not rise, and both stay within bounds."""
    one, two = after_game(first, second, winner, NOON)
    if winner is not None:
        won, lost = ((first, one), (second, two))[:: 1 if winner == 0 else -1]
        assert won[1].rating >= won[0].rating
        assert lost[1].rating <= lost[0].rating
    for rating in (one, two):
        assert LOWEST <= rating.rating <= HIGHEST
        assert NARROWEST <= rating.deviation <= WIDEST
        assert 0 < rating.volatility < 1
        assert rating.at == NOON


@given(ratings, ratings, winners)
def test_a_game_is_fair_to_both_seats(first: Rating, second: Rating, winner: int | None) -> None:
    """The same game seen from the other seat gives the same ratings."""
    other = None if winner is None else 1 - winner
    assert after_game(first, second, winner, NOON) == after_game(second, first, other, NOON)[::-1]


@given(ratings, ratings, winners)
def test_a_game_teaches_something(first: Rating, second: Rating, winner: int | None) -> None:
    """After a game more is known about a player than just before it, if more can be known."""
    one, _ = after_game(first, second, winner, NOON)
    if one.volatility <= first.volatility:
        assert one.deviation <= max(first.on(NOON).deviation, NARROWEST) + 1e-9


@given(ratings, st.integers(0, 3 * YEAR), st.integers(0, 3 * YEAR))
def test_time_makes_unsure(rating: Rating, soon: int, later: int) -> None:
    """The deviation grows with the time, in one step as in two, and never beyond that of a newcomer."""
    first = rating.on(rating.at + soon)
    second = rating.on(rating.at + soon + later)
    assert rating.deviation <= first.deviation <= second.deviation <= WIDEST
    assert first.rating == second.rating == rating.rating


def test_a_part_of_a_period_counts() -> None:
    """A whole one does as much as four times its quarter."""
    rating = Rating(1600, 60, 0.06, at=NOON)
    day = rating.on(NOON + PERIOD // 4).deviation ** 2 - 60**2
    assert rating.on(NOON + PERIOD).deviation ** 2 - 60**2 == pytest.approx(4 * day)
    assert rating.on(NOON + PERIOD).deviation ** 2 - 60**2 == pytest.approx((0.06 * 173.7178) ** 2)


def test_sure_for_about_a_year() -> None:
    """Who has played a lot is on the leaderboard for about a year after the last game, and not a moment longer."""
    rating = Rating(1800, NARROWEST, 0.06, at=NOON)
    until = rating.sure_until
    assert (until - NOON) / YEAR == pytest.approx(1, abs=0.01)
    assert rating.sure(until)
    assert not rating.sure(until + 60_000)
    assert rating.on(until).deviation == pytest.approx(SURE, abs=0.001)


def test_games_are_counted() -> None:
    """Wins, losses and draws of both seats."""
    first, second = Rating(), Rating()
    for winner in (0, 0, 1, None):
        first, second = after_game(first, second, winner, NOON)
    assert (first.won, first.lost, first.drawn, first.games) == (2, 1, 1, 4)
    assert (second.won, second.lost, second.drawn, second.games) == (1, 2, 1, 4)


def test_a_clock_that_was_set_back() -> None:
    """A game that seems to end before the last one counts like one at the same time."""
    rating = Rating(1600, 60, 0.06, at=NOON)
    early, _ = after_game(rating, Rating(), 0, NOON - 1000)
    same, _ = after_game(rating, Rating(), 0, NOON)
    assert early == same
