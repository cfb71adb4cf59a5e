"""The budget of a search, its result, and the meaning of its scores."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log
from typing import Any

from msgspec import Struct

from parlour.games.api import Game, Move, Outcome, Seat

# The score of having won. A win that is forced in n plies is worth n less, a loss in n plies n more than `-WIN`.
WIN = 1_000_000
# A score above this, or below its negative, stands for a forced result; judged scores stay within.
FORCED = WIN - 10_000
# The scale of scores in games without an insight.
PLAIN_SCALE = 100

# A seat that is ahead by one scale has odds of three to one.
LOG_3 = log(3)
# exp() overflows soon after this.
MOST = 700.0

Clock = Callable[[], float]  # seconds since an arbitrary moment


class Budget(Struct, frozen=True):
    """The limits of a search. The first one that is reached ends it."""

    nodes: int  # positions searched
    seconds: float | None = None


class SearchResult(Struct, frozen=True):
    """The best move and its score for the seat to move, in the units of the game's insight or near `WIN`."""

    move: Move
    score: int
    line: tuple[Move, ...]  # the moves expected to be played, starting with the best move
    nodes: int  # positions searched
    depth: int  # plies that were searched completely


def chance(score: int, game: Game[Any]) -> float:
    """Return how likely a seat with that score is to win, from 0 to 1."""
    if abs(score) >= FORCED:
        return 1.0 if score > 0 else 0.0
    scale = PLAIN_SCALE if game.insight is None else game.insight.scale
    return 1 / (1 + exp(min(-LOG_3 * score / scale, MOST)))


def settled(ended: Outcome, seat: Seat, plies: int) -> int:
    """Return the score for `seat` of a game that ends with this outcome after that many plies."""
    if ended.winner is None:
        return 0
    return WIN - plies if ended.winner == seat else plies - WIN
