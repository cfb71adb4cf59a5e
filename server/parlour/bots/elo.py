"""What results say about strength: the usual scale, on which 400 points are odds of ten to one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log, log10, sqrt

from msgspec import Struct

POINTS = 400
SURE = 1.96  # standard errors around a figure that hold the truth 19 times in 20


class Tally(Struct, frozen=True):
    """Games of one player against another."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.losses + self.draws

    @property
    def score(self) -> float:
        """A win is a point, a draw half of one."""
        return self.wins + self.draws / 2


def difference(tally: Tally) -> tuple[float, float]:
    """How many points the first is stronger, and the error of that.

    Half a game of each kind is added, so that a clean sweep gives a number too: "at least about so much".
    """
    games = tally.games + 1
    share = (tally.score + 0.5) / games
    spread = (
        (tally.wins + 0.5) * (1 - share) ** 2 + (tally.losses + 0.5) * share**2 + tally.draws * (0.5 - share) ** 2
    ) / games
    slope = POINTS / log(10) / (share * (1 - share))
    return POINTS * log10(share / (1 - share)), SURE * slope * sqrt(spread / games)


def strengths(players: Sequence[str], results: Mapping[tuple[str, str], Tally]) -> dict[str, tuple[float, float]]:
    """The points of each player that explain all results best, around an average of 0, each with its error.

    Bradley and Terry's model. A draw is half a win, and each pair that met has one more game, a draw, so that whoever
    has lost every game is not infinitely weak.
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
    """From how sharply the likelihood falls when this player alone is moved."""
    sharpness = 0.0
    for (one, two), (_, games) in met.items():
        if player in (one, two):
            share = worth[one] / (worth[one] + worth[two])
            sharpness += games * share * (1 - share)
    return SURE * POINTS / log(10) / sqrt(sharpness) if sharpness else float("inf")
