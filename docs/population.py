"""Simulate a population of players of known strength who play rated games, to see how well ratings find it out.

All randomness comes from a seed and through `Random.random()` alone, so every machine simulates the same games.
"""

from __future__ import annotations

from math import pi, sqrt
from random import Random

from msgspec import Struct

from parlour.server.players.glicko2 import Rating, after_game

SEED = 7
PLAYERS = 200
ROUNDS = 60  # every player plays one game in each round
INTERVAL = 6 * 3600 * 1000  # milliseconds from one round to the next
START = 1_700_000_000_000

MEAN, DEVIATION = 1500.0, 250.0  # of the true strengths
NEAR = 200.0  # points within which opponents are paired, roughly
DRAWS = 0.2  # the share of draws between equal players


class Round(Struct, frozen=True):
    """How good the ratings are after a round."""

    error: float  # the mean distance of a rating from the true strength
    predicted: float  # the same, as the rating deviations predict it
    within: float  # the share of ratings at most two deviations off
    sure: float  # the share of ratings that are no longer provisional


class Population(Struct, frozen=True):
    """A simulated population after its last round."""

    strengths: tuple[float, ...]
    ratings: tuple[Rating, ...]
    rounds: tuple[Round, ...]

    @property
    def correlation(self) -> float:
        """Spearman's rank correlation between strengths and ratings: 1 if both rank the players alike."""
        ranks = _ranks(self.strengths), _ranks([rating.rating for rating in self.ratings])
        size = len(self.ratings)
        squares: int = sum((strength - rating) ** 2 for strength, rating in zip(*ranks, strict=True))
        return 1 - 6 * squares / (size * (size * size - 1))


def simulate(seed: int, players: int = PLAYERS, rounds: int = ROUNDS) -> Population:
    """Return a population that has played the given number of rounds."""
    random = Random(seed)
    strengths = [MEAN + DEVIATION * _normal(random) for _ in range(players)]
    ratings = [Rating()] * players
    played = []
    for number in range(rounds):
        now = START + number * INTERVAL
        order = sorted(range(players), key=lambda player: ratings[player].rating + NEAR * (random.random() - 0.5))
        for one, other in zip(order[::2], order[1::2], strict=True):
            winner = _winner(strengths[one] - strengths[other], random)
            ratings[one], ratings[other] = after_game(ratings[one], ratings[other], winner, now)
        played.append(_measure(strengths, ratings, now))
    return Population(tuple(strengths), tuple(ratings), tuple(played))


def _winner(advantage: float, random: Random) -> int | None:
    """Return a random result, with the average that the rating scale expects of this difference in strength."""
    expected = 1 / (1 + 10 ** (-advantage / 400))
    draw = 4 * DRAWS * expected * (1 - expected)
    drawn = random.random()
    return 0 if drawn < expected - draw / 2 else None if drawn < expected + draw / 2 else 1


def _normal(random: Random) -> float:
    """Return a nearly normal number. Unlike a logarithm, a sum is the same on every machine."""
    return sum(random.random() for _ in range(12)) - 6


def _measure(strengths: list[float], ratings: list[Rating], now: int) -> Round:
    errors = [abs(rating.rating - strength) for rating, strength in zip(ratings, strengths, strict=True)]
    size = len(ratings)
    return Round(
        sum(errors) / size,
        # The mean absolute value of a normal variable is sqrt(2 / pi) of its standard deviation.
        sum(rating.deviation for rating in ratings) / size * sqrt(2 / pi),
        sum(error <= 2 * rating.deviation for error, rating in zip(errors, ratings, strict=True)) / size,
        sum(not rating.is_provisional(now) for rating in ratings) / size,
    )


def _ranks(values: list[float] | tuple[float, ...]) -> list[int]:
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0] * len(values)
    for rank, index in enumerate(order):
        ranks[index] = rank
    return ranks
