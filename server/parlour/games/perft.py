"""The game tree: perft counts, and random ways through it."""

from __future__ import annotations

from random import Random
from typing import Any

from parlour.games.api import Game, Move, S
from parlour.games.match import Match
from parlour.games.options import Options


def perft(game: Game[Any], state: Any, depth: int) -> int:
    """Return the number of sequences of `depth` moves from `state`."""
    if depth == 0:
        return 1
    if depth == 1:
        return game.count(state)
    return sum(perft(game, game.apply(state, move), depth - 1) for move in game.moves(state))


def divide(game: Game[Any], state: Any, depth: int) -> dict[str, int]:
    """Return `perft` by first move, sorted by the text of the move, to find where two programs differ."""
    counts = {game.write(state, move): perft(game, game.apply(state, move), depth - 1) for move in game.moves(state)}
    return dict(sorted(counts.items()))


def random_move(game: Game[Any], state: Any, rng: Random) -> Move:
    """Return a legal turn, each with the same probability."""
    return rng.choice(game.moves(state))


def random_match(game: Game[S], options: Options, rng: Random) -> Match[S]:
    """Return a whole match of random moves."""
    match = Match(game, options)
    while match.outcome is None:
        match.play(random_move(game, match.state, rng))
    return match
