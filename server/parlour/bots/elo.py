"""Strength from results, on the Elo scale: 400 points are odds of ten to one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log, log10, sqrt

from msgspec import Struct

POINTS = 400
SURE = 1.96  # standard errors on either side of a figure for a 95 % confidence interval


class Tally(Struct, frozen=True):
    """The results of one player against another."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.losses + self.draws

    @property
    def score(self) -> float:
        """One point for a win, half a point for a draw."""
        return self.wins + self.draws / 2


def difference(tally: Tally) -> tuple[float, float]:
    """Return by how many points the first player is stronger, and the error of that figure.

    Half a win and half a loss are added, so that a clean sweep also gives a number, as a rough lower bound.
    """
    games = tally.games + 1
    share = (tally.score + 0.5) / games
    spread = (
        (tally.wins + 0.5) * (1 - share) ** 2 + (tally.losses + 0.5) * share**2 + tally.draws * (0.5 - share) ** 2
    ) / games
    slope = POINTS / log(10) / (share * (1 - share))
    return POINTS * log10(share / (1 - share)), SURE * slope * sqrt(spread / games)


def strengths(players: Sequence[str], results: Mapping[tuple[str, str], Tally]) -> dict[str, tuple[float, float]]:
    """Return the points of each player that best explain all results, around an average of 0, each with its error.

    This is the model of Bradley and Terry. A draw is half a win, and each pair that met has one more game, a draw, so
    that a player without a win is not infinitely weak.
    """
    met = {pair: (tally.score + 0.5, tally.games + 1) for pair, tally in results.items()}
    worth = dict.fromkeys(players, 1.0)
    for _ in range(10_000):
        changed = {}
        for player in players:
            won = sum(
                score if player == one else games - score
                for (one, two), (score, games) in met.items()
                if player in (one, two)
            )
            weight = sum(
                games / (worth[one] + worth[two]) for (one, two), (_, games) in met.items() if player in (one, two)
            )
            changed[player] = won / weight if weight else 1.0
        middle = sum(map(log, changed.values())) / len(players)
        changed = {player: value / 2.718281828459045**middle for player, value in changed.items()}
        still = all(abs(log(changed[player] / worth[player])) < 1e-9 for player in players)
        worth = changed
        if still:
            break
    return {player: (POINTS * log10(worth[player]), _error(player, worth, met)) for player in players}


def _error(player: str, worth: Mapping[str, float], met: Mapping[tuple[str, str], tuple[float, float]]) -> float:
    """Return the error of a player's points, from how sharply the likelihood falls when they alone change."""
    sharpness = 0.0
    for (one, two), (_, games) in met.items():
        if player in (one, two):
            share = worth[one] / (worth[one] + worth[two])
            sharpness += games * share * (1 - share)
    return SURE * POINTS / log(10) / sqrt(sharpness) if sharpness else float("inf")
