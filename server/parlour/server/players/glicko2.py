"""Ratings by Glicko-2 (https://www.glicko.net/glicko/glicko2.pdf). Pure: the time is an argument.

A rating is an estimate with an error: in 19 of 20 cases the true strength is within two deviations of it. Every game
is a separate rating period, so a rating changes with every game. While a player does not play, the deviation grows as
if rating periods without games had passed; fractions of a period count too.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, pi, sqrt

from msgspec import Struct
from msgspec.structs import replace

START = 1500.0
# The deviation of a new player, and the smallest one, which frequent players reach. With a smaller minimum, ratings
# would be further from the true strength than their deviation claims (see docs/ratings.md).
MAX_DEVIATION, MIN_DEVIATION = 350.0, 60.0
START_VOLATILITY = 0.06
MIN_RATING, MAX_RATING = 100.0, 4000.0
ESTABLISHED_DEVIATION = 110.0  # a rating with a larger deviation is provisional, and not listed on leaderboards
TAU = 0.5  # limits how fast the volatility changes

# Milliseconds. In a year without games, the deviation grows from the minimum to just above ESTABLISHED_DEVIATION.
PERIOD = 112 * 3600 * 1000

_SCALE = 173.7178  # from Glicko to Glicko-2
_PRECISION = 1e-6

WIN, DRAW, LOSS = 1.0, 0.5, 0.0


class Rating(Struct, frozen=True, array_like=True):
    """A player's rating in one game, immediately after the last rated game."""

    rating: float = START
    deviation: float = MAX_DEVIATION
    volatility: float = START_VOLATILITY
    at: int = 0  # when that game ended, in milliseconds since 1970; 0: no rated game yet
    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def games(self) -> int:
        return self.won + self.lost + self.drawn

    def aged(self, now: int) -> Rating:
        """Return the rating at a later time: the deviation has grown since the last game."""
        return replace(self, deviation=_grown_deviation(self, _periods(self, now)))

    def is_provisional(self, now: int) -> bool:
        """Return whether the rating is based on too few games, or on games too long ago."""
        return self.aged(now).deviation > ESTABLISHED_DEVIATION

    def shown(self, now: int) -> tuple[int | None, bool]:
        """Return the rating to show and whether it is provisional; None before the first rated game."""
        return (round(self.rating), self.is_provisional(now)) if self.games else (None, False)

    @property
    def established_until(self) -> int:
        """The time at which the rating becomes provisional without further games; 0: it already is."""
        if self.deviation > ESTABLISHED_DEVIATION:
            return 0
        periods = (ESTABLISHED_DEVIATION**2 - self.deviation**2) / (self.volatility * _SCALE) ** 2
        return self.at + int(periods * PERIOD)


def after_game(first: Rating, second: Rating, winner: int | None, now: int) -> tuple[Rating, Rating]:
    """Return the ratings of the two seats after a game that ended now. `winner` is a seat, or None for a draw."""
    score = DRAW if winner is None else WIN if winner == 0 else LOSS
    one, two = first.aged(now), second.aged(now)
    return _after(first, two, score, now), _after(second, one, 1.0 - score, now)


def _after(player: Rating, opponent: Rating, score: float, now: int) -> Rating:
    rated = rate(player, [(opponent, score)], _periods(player, now))
    return replace(
        rated,
        rating=min(max(rated.rating, MIN_RATING), MAX_RATING),
        deviation=min(max(rated.deviation, MIN_DEVIATION), MAX_DEVIATION),
        at=max(now, player.at),
        won=player.won + (score == WIN),
        lost=player.lost + (score == LOSS),
        drawn=player.drawn + (score == DRAW),
    )


def rate(player: Rating, results: Sequence[tuple[Rating, float]], periods: float = 1.0) -> Rating:
    """Return the rating after some games, following the steps of Glickman's paper.

    Each result is the opponent's rating before the game, and 1, 0.5 or 0 for a win, a draw or a loss. `periods` is the
    time since the last game, in rating periods, during which the deviation has grown.
    """
    mu, phi = (player.rating - START) / _SCALE, player.deviation / _SCALE
    inverse, gain = 0.0, 0.0
    for opponent, score in results:
        g = 1 / sqrt(1 + 3 * (opponent.deviation / _SCALE / pi) ** 2)
        expected = 1 / (1 + exp(-g * (mu - (opponent.rating - START) / _SCALE)))
        inverse += g * g * expected * (1 - expected)
        gain += g * (score - expected)
    sigma = _volatility(player.volatility, phi, 1 / inverse, gain / inverse)
    spread = phi * phi + sigma * sigma * periods
    left = 1 / (1 / spread + inverse)
    return replace(player, rating=START + _SCALE * (mu + left * gain), deviation=_SCALE * sqrt(left), volatility=sigma)


def _volatility(sigma: float, phi: float, variance: float, delta: float) -> float:
    """Step 5 of the paper: find the root of a function with the Illinois algorithm."""
    start = log(sigma * sigma)

    def slope(x: float) -> float:
        grown = phi * phi + variance + exp(x)
        return exp(x) * (delta * delta - grown) / (2 * grown * grown) - (x - start) / TAU**2

    surprise = delta * delta - phi * phi - variance
    low, high = start, log(surprise) if surprise > 0 else start - TAU
    while surprise <= 0 and slope(high) < 0:
        high -= TAU
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > _PRECISION:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)


def _periods(player: Rating, now: int) -> float:
    return max(0, now - player.at) / PERIOD if player.at else 0.0


def _grown_deviation(player: Rating, periods: float) -> float:
    drift = player.volatility * _SCALE
    return min(MAX_DEVIATION, sqrt(player.deviation**2 + drift * drift * periods))
