"""A player for any game: tries moves by playing random games after them, the promising ones most often."""

from __future__ import annotations

from math import inf, log, sqrt
from random import Random
from typing import Any

from parlour.games.api import Game, Move, Outcome, Seat
from parlour.games.perft import random_move

# A random game that is not over by then counts as even: it tells little about the move that began it.
LONGEST_PLAYOUT = 80


def choose(game: Game[Any], state: Any, budget: int, rng: Random) -> Move:
    """A move found by playing out at most about `budget` random moves. The same arguments give the same move."""
    seat = game.to_move(state)
    assert seat is not None
    moves = list(game.moves(state))
    rng.shuffle(moves)
    after = [game.apply(state, move) for move in moves]
    for move, position in zip(moves, after, strict=True):
        ended = game.outcome(position)
        if ended is not None and ended.winner == seat:
            return move
    tries, won = [0] * len(moves), [0.0] * len(moves)
    trial = 0
    while budget > 0:
        trial += 1
        arm = max(range(len(moves)), key=lambda i: _promise(won[i], tries[i], trial))
        result, length = _playout(game, after[arm], seat, rng)
        won[arm] += result
        tries[arm] += 1
        budget -= length + 1
    return moves[max(range(len(moves)), key=lambda i: (tries[i], won[i]))]


def _promise(won: float, tries: int, trial: int) -> float:
    """How much another try is worth: the share of wins so far, and more for what was hardly tried (UCB1)."""
    return inf if tries == 0 else won / tries + sqrt(log(trial) / tries)


def _playout(game: Game[Any], state: Any, seat: Seat, rng: Random) -> tuple[float, int]:
    """What a random game from here brings to `seat`, and how many moves it took."""
    for length in range(LONGEST_PLAYOUT):
        ended = game.outcome(state)
        if ended is not None:
            return _worth(ended, seat), length
        state = game.apply(state, random_move(game, state, rng))
    return 0.5, LONGEST_PLAYOUT


def _worth(ended: Outcome, seat: Seat) -> float:
    if ended.winner is None:
        return 0.5
    return 1.0 if ended.winner == seat else 0.0
