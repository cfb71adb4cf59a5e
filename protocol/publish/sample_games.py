"""Random games as a server would send them."""

from __future__ import annotations

from functools import cache
from random import Random

from msgspec import Struct

from parlour import games
from parlour.games.perft import random_match
from parlour.protocol.messages import Moved
from parlour.protocol.scene import BoardSpec, Scene, diff, scene_hash
from parlour.protocol.types import OptionValue, Result

LONGEST = 60
EPOCH = 1


class SampleGame(Struct, frozen=True):
    """A game with everything that a client sees of the board."""

    game: str
    options: dict[str, OptionValue]
    seed: int
    board: BoardSpec
    scenes: tuple[Scene, ...]  # the initial scene, then the scene after each move
    moves: tuple[Moved, ...]  # numbered from 1
    result: Result | None  # None: truncated


@cache
def sample_game(key: str, seed: int, room: str, longest: int = LONGEST) -> SampleGame:
    """Return the random game with this seed, truncated after `longest` moves."""
    game = games.find(key)
    options = game.options({})
    match = random_match(game, options, Random(seed))
    states = match.states[: longest + 1]
    scenes = [game.scene(states[0])]
    moved = []
    for before, move, after in zip(states, match.moves, states[1:], strict=False):
        scene = game.scene_after(before, move, after)
        change = diff(scenes[-1], scene)
        seq = len(scenes)
        moved.append(Moved(room, EPOCH, seq, scene_hash(scene), game.write(before, move), None, change))
        scenes.append(scene)
    outcome = match.outcome
    ended = outcome is not None and len(states) == len(match.states)
    return SampleGame(
        game=key,
        options=dict(options),
        seed=seed,
        board=game.board(options),
        scenes=tuple(scenes),
        moves=tuple(moved),
        result=Result(outcome.winner, outcome.reason, outcome.scores) if outcome is not None and ended else None,
    )
