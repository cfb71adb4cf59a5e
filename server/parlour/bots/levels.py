"""How strong a bot plays: eight levels that every game has, and the styles that a game has of its own.

A level is a share of the expert's nodes, so its strength does not depend on the machine or on what else it does.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import inf
from random import Random
from time import monotonic
from typing import Any

from msgspec import Struct

from parlour.bots import alphabeta, montecarlo
from parlour.bots.alphabeta import Tables
from parlour.bots.thought import WIN, Budget, Clock, Thought, settled
from parlour.games.api import Game, Move
from parlour.games.insight import Style
from parlour.protocol.errors import ErrorCode, Refusal


class Level(Struct, frozen=True):
    """How a bot of one level differs from the expert."""

    title: str
    share: float  # of the nodes of the expert
    depth: int = alphabeta.DEEPEST  # it looks no further ahead
    error: float = 0.0  # how wrongly it judges a move, in units of the game's scale
    attention: float = 1.0  # the share of its turns in which it thinks about the reply


LEVELS: Mapping[str, Level] = {
    "1": Level("Beginner", 0.001, depth=1, error=1.5),
    "2": Level("Novice", 0.002, depth=2, error=1.0, attention=0.5),
    "3": Level("Casual player", 0.003, depth=2, error=0.6),
    "4": Level("Club player", 0.005, depth=3, error=0.35),
    "5": Level("Strong player", 0.008, depth=4, error=0.2),
    "6": Level("Tournament player", 0.015),
    "7": Level("Master", 0.12),
    "8": Level("Expert", 1.0),
}
STRONGEST = "8"

# No level thinks longer, also on a slow machine.
LONGEST = 2.0
# Positions that are looked at where there is only one move: enough for a score.
NO_CHOICE = 1_000
# Positions that the strongest level looks at in a game without insight.
PLAIN_NODES = 40_000


def names(game: Game[Any]) -> tuple[str, ...]:
    """What can be asked for: the levels, weakest first, then the game's own styles."""
    return (*LEVELS, *_styles(game))


def title(game: Game[Any], name: str) -> str:
    """What to call a level in front of people."""
    return _level(game, name).title if name in LEVELS else _checked(game, name).capitalize()


def think(
    game: Game[Any],
    state: Any,
    level: str,
    *,
    seed: int,
    seconds: float | None = None,
    nodes: int | None = None,
    scale: float = 1.0,
    tables: Tables | None = None,
    past: Collection[Any] = (),
    now: Clock = monotonic,
) -> Thought:
    """A move of that level; refuses a level that is not known, or a game that is over.

    The budget is the level's own, times `scale`, or `nodes`. `seconds` ends it earlier; without, a level takes two
    seconds at most, and a given number of nodes as long as it needs. The same seed and number of nodes give the same
    move, as long as the clock does not come first and `tables` start alike. `past` are the positions that came before.
    """
    if game.to_move(state) is None:
        raise Refusal(ErrorCode.GAME_OVER, "The game is over.")
    rng = Random(seed)
    if _checked(game, level) not in LEVELS:
        return _glance(game, state, _styles(game)[level](state, rng))
    how = LEVELS[level]
    longest = inf if nodes is not None and seconds is None else LONGEST
    if nodes is None:
        nodes = round(_expert_nodes(game) * how.share * scale)
        if game.count(state) == 1:
            nodes = min(nodes, NO_CHOICE)
    budget = Budget(max(1, nodes), longest if seconds is None else min(seconds, longest))
    return _search(game, state, how, budget, rng, tables, past, now)


def assess(
    game: Game[Any],
    state: Any,
    budget: Budget,
    *,
    seed: int = 0,
    tables: Tables | None = None,
    past: Collection[Any] = (),
    now: Clock = monotonic,
) -> Thought:
    """What the expert thinks of a position with that budget: for hints and for reviews."""
    if game.to_move(state) is None:
        raise Refusal(ErrorCode.GAME_OVER, "The game is over.")
    return _search(game, state, LEVELS[STRONGEST], budget, Random(seed), tables, past, now)


def _search(
    game: Game[Any],
    state: Any,
    how: Level,
    budget: Budget,
    rng: Random,
    tables: Tables | None,
    past: Collection[Any],
    now: Clock,
) -> Thought:
    if game.insight is None:
        careful = how.error < LEVELS["2"].error
        return montecarlo.search(game, state, budget, rng=rng, careful=careful, past=past, now=now)
    depth = how.depth if rng.random() < how.attention else 1
    error = how.error * game.insight.scale
    return alphabeta.search(game, state, budget, rng=rng, deepest=depth, error=error, tables=tables, past=past, now=now)


def _glance(game: Game[Any], state: Any, move: Move) -> Thought:
    """A move that was chosen without a search, with the value of where it leads."""
    seat = game.to_move(state)
    after = game.apply(state, move)
    ended = game.outcome(after)
    assert seat is not None
    if ended is not None:
        score = settled(ended, seat, 1)
    else:
        score = 0 if game.insight is None else game.insight.value(after)
        score = score if game.to_move(after) == seat else -score
    return Thought(move, max(-WIN, min(WIN, score)), (move,), 1, 1)


def _styles(game: Game[Any]) -> Mapping[str, Style]:
    return {} if game.insight is None else game.insight.styles


def _expert_nodes(game: Game[Any]) -> int:
    return PLAIN_NODES if game.insight is None else game.insight.nodes


def _level(game: Game[Any], name: str) -> Level:
    return LEVELS[_checked(game, name)]


def _checked(game: Game[Any], name: str) -> str:
    if name not in LEVELS and name not in _styles(game):
        raise Refusal(
            ErrorCode.LEVEL_UNKNOWN,
            f"{game.info.name} has no level “{name}”. Levels: {', '.join(names(game))}.",
        )
    return name
