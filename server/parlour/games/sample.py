"""A position that shows what a game looks like, for pictures of it."""

from __future__ import annotations

from random import Random
from typing import Any

from parlour.games.api import Game
from parlour.games.perft import random_move
from parlour.protocol.scene import BoardSpec, Scene

PLIES = 14  # of a game whose board is empty at first
SEED = 3


def sample(game: Game[Any]) -> tuple[BoardSpec, Scene]:
    """Return the board and the first position of a game, or a later one if the board is empty at first."""
    options = game.options({})
    board, state = game.board(options), game.initial(options)
    scene = game.scene(state)
    if any(stack[0] < board.cells for stack in scene.pieces):
        return board, scene
    rng = Random(SEED)
    for _ in range(PLIES):
        if game.to_move(state) is None:
            break
        state = game.apply(state, random_move(game, state, rng))
    return board, game.scene(state)
