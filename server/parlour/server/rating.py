"""How strong a player is, by Glicko-2: https://www.glicko.net/glicko/glicko2.pdf. Pure: time is an argument.

A rating is a guess with an error: the true strength is within two deviations of it in 19 of 20 cases. Every game is a
rating period of its own, so a rating changes with every game; and the deviation grows with the time in which a player
did not play, as if so many periods had gone by without a game, whole or in part.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, pi, sqrt

from msgspec import Struct
from msgspec.structs import replace

START = 1500.0
# Deviations of somebody unknown, and of somebody who plays all day. With less than this one, ratings of players whose
# strength is known are further off than they claim (see docs/ratings.md).
WIDEST, NARROWEST = 350.0, 60.0
STEADY = 0.06  # the volatility of somebody unknown
LOWEST, HIGHEST = 100.0, 4000.0
SURE = 110.0  # a rating with no more deviation than this counts on leaderboards
TAU = 0.5  # how fast volatility may change

# Milliseconds. Whoever does not play for a year goes from the narrowest deviation to one that is just not sure.
PERIOD = 112 * 3600 * 1000

_SCALE = 173.7178  # from Glicko to Glicko-2
_EXACT = 1e-6

WIN, DRAW, LOSS = 1.0, 0.5, 0.0


class Rating(Struct, frozen=True, array_like=True):
    """What is known about the strength of a player in one game, right after the last game that counted."""

    rating: float = START
    deviation: float = WIDEST
    volatility: float = STEADY
    at: int = 0  # when that game ended, in milliseconds since 1970; 0: there was none
    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def games(self) -> int:
        return self.won + self.lost + self.drawn

    def on(self, now: int) -> Rating:
        """The same rating at a later time: less is known about somebody who did not play."""
        return replace(self, deviation=_grown(self, _periods(self, now)))

    def sure(self, now: int) -> bool:
        """Whether the rating rests on enough games that are not too long ago."""
        return self.on(now).deviation <= SURE

    def shown(self, now: int) -> tuple[int | None, bool]:
        """As others see it, and whether it is sure; None of somebody who has played no rated game yet."""
        return (round(self.rating), self.sure(now)) if self.games else (None, True)

    @property
    def sure_until(self) -> int:
        """The time up to which the rating is sure if nothing more is played; 0: it is not."""
        if self.deviation > SURE:
            return 0
        periods = (SURE**2 - self.deviation**2) / (self.volatility * _SCALE) ** 2
        return self.at + int(periods * PERIOD)


def after_game(first: Rating, second: Rating, winner: int | None, now: int) -> tuple[Rating, Rating]:
    """The ratings of the two seats after a game that ended now; no winner is a draw."""
    score = DRAW if winner is None else WIN if winner == 0 else LOSS
    one, two = first.on(now), second.on(now)
    return _counted(first, two, score, now), _counted(second, one, 1.0 - score, now)


def _counted(player: Rating, opponent: Rating, score: float, now: int) -> Rating:
    rated = rate(player, [(opponent, score)], _periods(player, now))
    return replace(
        rated,
        rating=min(max(rated.rating, LOWEST), HIGHEST),
        deviation=min(max(rated.deviation, NARROWEST), WIDEST),
        at=max(now, player.at),
        won=player.won + (score == WIN),
        lost=player.lost + (score == LOSS),
        drawn=player.drawn + (score == DRAW),
    )


def rate(player: Rating, results: Sequence[tuple[Rating, float]], periods: float = 1.0) -> Rating:
    """The rating after some games, by the steps of Glickman's paper.

    Each result is an opponent as he was before, and 1, 0.5 or 0 for a win, a draw or a loss. `periods` is the time
    that has gone by since the last game, and makes the deviation grow.
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
    """Step 5: where a function crosses zero, which is found by the Illinois method."""
    start = log(sigma * sigma)

    def slope(x: float) -> float:
        grown = phi * phi + variance + exp(x)
        return exp(x) * (delta * delta - grown) / (2 * grown * grown) - (x - start) / TAU**2

    surprise = delta * delta - phi * phi - variance
    low, high = start, log(surprise) if surprise > 0 else start - TAU
    while surprise <= 0 and slope(high) < 0:
        high -= TAU
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > _EXACT:
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


def _grown(player: Rating, periods: float) -> float:
    drift = player.volatility * _SCALE
    return min(WIDEST, sqrt(player.deviation**2 + drift * drift * periods))
