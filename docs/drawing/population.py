"""Many players of known strength who play each other for ratings, and a picture of what becomes of the ratings.

Chance comes from a seed and through `random()` alone, so the same games are played on every machine.
"""

from __future__ import annotations

from math import sqrt
from random import Random

from docs.drawing.paper import Paper, Point, path
from msgspec import Struct

from parlour.server.rating import Rating, after_game

SEED = 7
PLAYERS = 200
ROUNDS = 60  # in each of which everybody plays one game
APART = 6 * 3600 * 1000  # milliseconds from one round to the next
BEGAN = 1_700_000_000_000

MIDDLE, SPREAD = 1500.0, 250.0  # of the true strengths
NEAR = 200.0  # opponents are of about the same rating
DRAWS = 0.2  # of the games between two equals that nobody wins


class Round(Struct, frozen=True):
    """How good the ratings are after a round."""

    error: float  # the mean distance of a rating from the true strength
    claimed: float  # what the deviations say about it
    within: float  # how many ratings are no more than two deviations off
    sure: float  # how many are sure


class Population(Struct, frozen=True):
    """What was found out about everybody."""

    strengths: tuple[float, ...]
    ratings: tuple[Rating, ...]
    rounds: tuple[Round, ...]

    @property
    def correlation(self) -> float:
        """Of the order of the ratings with that of the strengths: 1 if it is the same, 0 if there is no connection."""
        orders = [_ranks(self.strengths), _ranks([rating.rating for rating in self.ratings])]
        number = len(self.ratings)
        apart: int = sum((one - other) ** 2 for one, other in zip(*orders, strict=True))
        return 1 - 6 * apart / (number * (number * number - 1))


def simulated(seed: int, players: int = PLAYERS, rounds: int = ROUNDS) -> Population:
    """A population that has played so many rounds."""
    chance = Random(seed)
    strengths = [MIDDLE + SPREAD * _normal(chance) for _ in range(players)]
    ratings = [Rating()] * players
    told = []
    for number in range(rounds):
        now = BEGAN + number * APART
        order = sorted(range(players), key=lambda player: ratings[player].rating + NEAR * (chance.random() - 0.5))
        for one, other in zip(order[::2], order[1::2], strict=True):
            winner = _winner(strengths[one] - strengths[other], chance)
            ratings[one], ratings[other] = after_game(ratings[one], ratings[other], winner, now)
        told.append(_round(strengths, ratings, now))
    return Population(tuple(strengths), tuple(ratings), tuple(told))


def _winner(better: float, chance: Random) -> int | None:
    """Who wins if the first one is so much stronger; on average as often as the scale of ratings says."""
    expected = 1 / (1 + 10 ** (-better / 400))
    draw = 4 * DRAWS * expected * (1 - expected)
    drawn = chance.random()
    return 0 if drawn < expected - draw / 2 else None if drawn < expected + draw / 2 else 1


def _normal(chance: Random) -> float:
    """Nearly normal: a sum of twelve has the same result everywhere, which a logarithm might not."""
    return sum(chance.random() for _ in range(12)) - 6


def _round(strengths: list[float], ratings: list[Rating], now: int) -> Round:
    errors = [abs(rating.rating - strength) for rating, strength in zip(ratings, strengths, strict=True)]
    number = len(ratings)
    return Round(
        sum(errors) / number,
        # The mean distance of a normal distribution is this part of its deviation.
        sum(rating.deviation for rating in ratings) / number * sqrt(2 / 3.141592653589793),
        sum(error <= 2 * rating.deviation for error, rating in zip(errors, ratings, strict=True)) / number,
        sum(rating.sure(now) for rating in ratings) / number,
    )


def _ranks(values: list[float] | tuple[float, ...]) -> list[int]:
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0] * len(values)
    for rank, index in enumerate(order):
        ranks[index] = rank
    return ranks


# -- the picture

SIZE, GAP, SIDE = 300.0, 70.0, 56.0  # of each of the two plots, between them, and around them
LOW, HIGH, STEP = 600, 2400, 400  # ratings
WORST = 300  # points of error


def picture() -> str:
    """The one in docs/ratings.md."""
    return draw(simulated(SEED), f"The ratings of {PLAYERS} simulated players whose strength is known")


def draw(population: Population, title: str) -> str:
    """Two plots: true strength against rating, and the error over the rounds."""
    paper = Paper()
    paper.box((0, 0), (2 * SIZE + GAP + 1.6 * SIDE, SIZE + 1.9 * SIDE), 8, "card", "card-line")
    _scatter(paper, (SIDE, 0.7 * SIDE), population)
    _errors(paper, (SIDE + SIZE + GAP, 0.7 * SIDE), population)
    return paper.svg((2 * SIZE + GAP + 1.6 * SIDE, SIZE + 1.9 * SIDE), 760, title)


def _scatter(paper: Paper, at: Point, population: Population) -> None:
    left, top = at

    def place(strength: float, rating: float) -> Point:
        scale = SIZE / (HIGH - LOW)
        return left + (strength - LOW) * scale, top + SIZE - (rating - LOW) * scale

    _frame(paper, at, f"After {len(population.rounds)} games each", "true strength", "rating")
    for mark in range(LOW + STEP // 2, HIGH, STEP):
        x, y = place(mark, mark)
        _mark_x(paper, x, top, str(mark))
        _mark_y(paper, left, y, str(mark))
    paper.put("path", None, "gold", d=path(place(LOW, LOW), place(HIGH, HIGH), closed=False), stroke_width=2)
    for strength, rating in zip(population.strengths, population.ratings, strict=True):
        paper.circle(place(strength, rating.rating), 2.6, "pick", fill_opacity=0.75)


def _errors(paper: Paper, at: Point, population: Population) -> None:
    left, top = at
    rounds = population.rounds

    def place(number: float, error: float) -> Point:
        return left + number / len(rounds) * SIZE, top + SIZE - error / WORST * SIZE

    _frame(paper, at, "Mean distance from the true strength", "games played by each", "points")
    for mark in range(0, len(rounds) + 1, 10):
        _mark_x(paper, place(mark, 0)[0], top, str(mark))
    for mark in range(0, WORST + 1, 50):
        _mark_y(paper, left, place(0, mark)[1], str(mark))
    lines = (
        ("last", "what the deviations claim", [told.claimed for told in rounds]),
        ("pick", "what it is", [told.error for told in rounds]),
    )
    for number, (colour, words, values) in enumerate(lines):
        points = [place(played, value) for played, value in enumerate(values, 1)]
        paper.put("path", None, colour, d=path(*points, closed=False), stroke_width=2.4)
        y = top + 26 + 20 * number
        start = (left + SIZE - 190, y - 4)
        paper.put("path", None, colour, d=path(start, (start[0] + 22, y - 4), closed=False), stroke_width=2.4)
        paper.write((start[0] + 30, y), words, 12, "ink-2", "start")


def _frame(paper: Paper, at: Point, title: str, across: str, up: str) -> None:
    left, top = at
    paper.put("rect", None, "card-line", x=left, y=top, width=SIZE, height=SIZE)
    paper.write((left + SIZE / 2, top - 14), title, 14, "ink")
    paper.write((left + SIZE / 2, top + SIZE + 38), across, 12, "ink-2")
    turned = f"rotate(-90 {left - 38:.0f} {top + SIZE / 2:.0f})"
    paper.write((left - 38, top + SIZE / 2), up, 12, "ink-2", transform=turned)


def _mark_x(paper: Paper, x: float, top: float, text: str) -> None:
    paper.put("path", None, "card-line", d=path((x, top), (x, top + SIZE), closed=False))
    paper.write((x, top + SIZE + 18), text, 11, "ink-2")


def _mark_y(paper: Paper, left: float, y: float, text: str) -> None:
    paper.put("path", None, "card-line", d=path((left, y), (left + SIZE, y), closed=False))
    paper.write((left - 7, y + 4), text, 11, "ink-2", "end")
