"""Matches of random moves, as a room would tell them."""

from __future__ import annotations

from functools import cache
from random import Random

from msgspec import Struct

from parlour import games
from parlour.games.match import random_match
from parlour.protocol.messages import Moved
from parlour.protocol.scene import BoardSpec, Scene, diff, scene_hash
from parlour.protocol.tables import OptionValue, Result

LONGEST = 60
EPOCH = 1


class Told(Struct, frozen=True):
    """A match from its beginning, with everything a client gets to see of the board."""

    game: str
    options: dict[str, OptionValue]
    seed: int
    board: BoardSpec
    scenes: tuple[Scene, ...]  # the first one, then the one after each move
    moves: tuple[Moved, ...]  # numbered from 1
    result: Result | None  # None: cut off before the end


@cache
def tell(key: str, seed: int, room: str, longest: int = LONGEST) -> Told:
    """The random match of that seed, or as much of it as may be told."""
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
    return Told(
        game=key,
        options=dict(options),
        seed=seed,
        board=game.board(options),
        scenes=tuple(scenes),
        moves=tuple(moved),
        result=Result(outcome.winner, outcome.reason, outcome.scores) if outcome is not None and ended else None,
    )
