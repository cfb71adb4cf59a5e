"""Counting and walking the tree of a game: perft, random playouts."""

from __future__ import annotations

from random import Random
from typing import Any

from parlour.games.api import Game, Move


def perft(game: Game[Any], state: Any, depth: int) -> int:
    """How many sequences of `depth` moves there are from `state`."""
    if depth == 0:
        return 1
    if depth == 1:
        return game.count(state)
    return sum(perft(game, game.apply(state, move), depth - 1) for move in game.moves(state))


def divide(game: Game[Any], state: Any, depth: int) -> dict[str, int]:
    """`perft` by first move, in the order of the moves' texts: the way to find where two programs differ."""
    counts = {game.write(state, move): perft(game, game.apply(state, move), depth - 1) for move in game.moves(state)}
    return dict(sorted(counts.items()))


def random_move(game: Game[Any], state: Any, rng: Random) -> Move:
    """Any legal turn, every one as likely as any other."""
    return rng.choice(game.moves(state))
