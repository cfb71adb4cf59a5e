"""What a search may spend, and what it found."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log
from typing import Any

from msgspec import Struct

from parlour.games.api import Game, Move, Outcome, Seat

# The score of having won. A win that is forced in n plies is worth n less, a loss in n plies n more than `-WIN`.
WIN = 1_000_000
# Above this, and below its negative, a score stands for a forced result; judgement stays within.
FORCED = WIN - 10_000
# The scale of scores in games that have no insight of their own.
PLAIN_SCALE = 100

# Three to one: what the odds are of a seat that is better by one scale.
LOG_3 = log(3)
# exp() knows no more.
MOST = 700.0

Clock = Callable[[], float]  # seconds since whenever


class Budget(Struct, frozen=True):
    """How long to think. What is used up first ends it."""

    nodes: int  # positions looked at
    seconds: float | None = None


class Thought(Struct, frozen=True):
    """A move and why. The score is for the seat to move, in the game's own units or near `WIN`."""

    move: Move
    score: int
    line: tuple[Move, ...]  # what is expected to be played, beginning with the move
    nodes: int  # positions looked at
    depth: int  # plies that were searched completely


def chance(score: int, game: Game[Any]) -> float:
    """How likely a seat with that score is to win, from 0 to 1."""
    if abs(score) >= FORCED:
        return 1.0 if score > 0 else 0.0
    scale = PLAIN_SCALE if game.insight is None else game.insight.scale
    return 1 / (1 + exp(min(-LOG_3 * score / scale, MOST)))


def settled(ended: Outcome, seat: Seat, plies: int) -> int:
    """The score of a game that ends so after that many plies, for `seat`."""
    if ended.winner is None:
        return 0
    return WIN - plies if ended.winner == seat else plies - WIN
