"""Replica's named playing styles: random, greedy and minimax."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import inf, nextafter
from random import Random

from parlour.games import grid
from parlour.games.api import Game, Move, Seat
from parlour.games.insight import Style
from parlour.games.perft import random_move
from parlour.games.replica.board import BLACK, board
from parlour.games.replica.rules import State


def greedy(game: Game[State], state: State, rng: Random) -> Move:
    """Return the move with the best value after one ply; ties are decided at random."""
    return _best(game, state, 1, rng)


def minimax(game: Game[State], state: State, rng: Random) -> Move:
    """Return the move with the best value after three plies of best play; ties are decided at random."""
    return _best(game, state, 3, rng)


STYLES: Mapping[str, Style] = {
    "random": Style(random_move, "Plays any legal move."),
    "greedy": Style(
        greedy,
        "Looks one move ahead. It loves to threaten enemy kings, and otherwise brings its pieces closer to the far "
        "corner; among equals it picks at random.",
    ),
    "minimax": Style(minimax, "Wants the same as greedy, but looks three moves ahead, expecting the best answer."),
}


def value(state: State, seat: Seat) -> float:
    """Return what the position is worth to `seat`: threats to take a king, and the distance to the far corner.

    A finished game is worth plus or minus infinity.
    """
    if state.outcome is not None:
        return inf if state.outcome.winner == seat else -inf
    own, enemy = (state.black, state.white) if seat == BLACK else (state.white, state.black)
    threats = sum((enemy & state.kings) >> target & 1 for _, target in board(state.size).advances[seat][own])
    distances = _distances(state.size, seat)
    return 100 * threats + 10 / (1 + sum(distances[cell] for cell in grid.bits(own)))


@cache
def _distances(size: int, seat: Seat) -> tuple[int, ...]:
    """Return how many moves a chess king needs from each cell to the far corner."""
    cells = [max(divmod(cell, size)) for cell in range(size * size)]
    return tuple(cells[::-1] if seat == BLACK else cells)


def _best(game: Game[State], state: State, depth: int, rng: Random) -> Move:
    assert state.turn is not None
    best = -inf
    chosen: list[Move] = []
    for move in game.moves(state):
        # The window starts just below the best so far, so that equal moves are recognised as equal.
        worth = _worth(game, game.apply(state, move), depth - 1, state.turn, nextafter(best, -inf), inf)
        if worth > best:
            best, chosen = worth, []
        if worth == best:
            chosen.append(move)
    return rng.choice(chosen)


def _worth(game: Game[State], state: State, depth: int, seat: Seat, alpha: float, beta: float) -> float:
    """Return the value for `seat` after `depth` more plies; it may be inexact outside alpha and beta."""
    if depth == 0 or state.turn is None:
        return value(state, seat)
    maximise = state.turn == seat
    best = -inf if maximise else inf
    for move in game.moves(state):
        worth = _worth(game, game.apply(state, move), depth - 1, seat, alpha, beta)
        if maximise:
            best = max(best, worth)
            alpha = max(alpha, best)
        else:
            best = min(best, worth)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best
