"""The simple ways to play Replica: random, greedy, minimax."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import inf, nextafter
from random import Random

from parlour.games import grid
from parlour.games.api import Move, Seat
from parlour.games.insight import Style
from parlour.games.replica import rules
from parlour.games.replica.rules import BLACK, State


def random(state: State, rng: Random) -> Move:
    """Any move."""
    return rng.choice(rules.moves(state))


def greedy(state: State, rng: Random) -> Move:
    """What gives the best value after one move; any of those that are equal."""
    return _best(state, 1, rng)


def minimax(state: State, rng: Random) -> Move:
    """What gives the best value after three moves, if both sides play for it; any of those that are equal."""
    return _best(state, 3, rng)


STYLES: Mapping[str, Style] = {"random": random, "greedy": greedy, "minimax": minimax}


def value(state: State, seat: Seat) -> float:
    """What the position is worth to `seat`: threats to take a king, and the way that is left to the far corner.

    A position that is over is worth everything or nothing at all.
    """
    if state.outcome is not None:
        return inf if state.outcome.winner == seat else -inf
    own, enemy = (state.black, state.white) if seat == BLACK else (state.white, state.black)
    threats = sum((enemy & state.kings) >> target & 1 for _, target in rules.board(state.size).advances[seat][own])
    distances = _distances(state.size, seat)
    return 100 * threats + 10 / (1 + sum(distances[cell] for cell in grid.bits(own)))


@cache
def _distances(size: int, seat: Seat) -> tuple[int, ...]:
    """How many moves a chess king needs from each cell to the far corner."""
    cells = [max(divmod(cell, size)) for cell in range(size * size)]
    return tuple(cells[::-1] if seat == BLACK else cells)


def _best(state: State, depth: int, rng: Random) -> Move:
    assert state.turn is not None
    best = -inf
    chosen: list[Move] = []
    for move in rules.moves(state):
        # Just below the best so far, so that equals are seen to be equal.
        worth = _worth(rules.apply(state, move), depth - 1, state.turn, nextafter(best, -inf), inf)
        if worth > best:
            best, chosen = worth, []
        if worth == best:
            chosen.append(move)
    return rng.choice(chosen)


def _worth(state: State, depth: int, seat: Seat, alpha: float, beta: float) -> float:
    """The value for `seat` after `depth` more moves; whatever is not between alpha and beta may be inexact."""
    if depth == 0 or state.turn is None:
        return value(state, seat)
    maximise = state.turn == seat
    best = -inf if maximise else inf
    for move in rules.moves(state):
        worth = _worth(rules.apply(state, move), depth - 1, seat, alpha, beta)
        if maximise:
            best = max(best, worth)
            alpha = max(alpha, best)
        else:
            best = min(best, worth)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best
