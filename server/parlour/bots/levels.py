"""The strength of bots: eight levels for every game, and the named styles of a game.

A level searches a share of the expert's nodes, so its strength does not depend on the machine or its load.
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
from parlour.bots.search import WIN, Budget, Clock, SearchResult, settled
from parlour.games.api import Game, Move
from parlour.games.insight import Style
from parlour.protocol.errors import ErrorCode, Refusal


class Level(Struct, frozen=True):
    """How a level differs from the expert."""

    title: str
    summary: str  # for players
    share: float  # of the nodes of the expert
    depth: int = alphabeta.DEEPEST  # in plies; it looks no further ahead
    error: float = 0.0  # standard deviation of its judgement of a move, in units of the game's scale
    attention: float = 1.0  # the share of its turns in which it considers the reply


LEVELS: Mapping[str, Level] = {
    "1": Level("Beginner", "Sees little more than its next move, and often misjudges it.", 0.001, depth=1, error=1.5),
    "2": Level(
        "Novice", "Often overlooks your reply and makes many mistakes.", 0.002, depth=2, error=1.0, attention=0.5
    ),
    "3": Level("Casual player", "Sees your reply, but makes mistakes.", 0.003, depth=2, error=0.6),
    "4": Level("Club player", "Looks a few moves ahead and makes some mistakes.", 0.005, depth=3, error=0.35),
    "5": Level("Strong player", "Looks a few moves ahead and makes few mistakes.", 0.008, depth=4, error=0.2),
    "6": Level("Tournament player", "Makes no deliberate mistakes and thinks for a moment.", 0.015),
    "7": Level("Master", "Searches eight times as many positions as level 6.", 0.12),
    "8": Level("Expert", "Searches as many positions as it can in about a second.", 1.0),
}
STRONGEST = "8"

# No level thinks longer, even on a slow machine.
LONGEST = 2.0
# Positions to search if there is only one move: enough for a score.
NO_CHOICE = 1_000
# Positions that the strongest level searches in a game without an insight.
PLAIN_NODES = 40_000


def names(game: Game[Any]) -> tuple[str, ...]:
    """Return the names of the levels, weakest first, then those of the game's styles."""
    return (*LEVELS, *_styles(game))


def title(game: Game[Any], name: str) -> str:
    """Return the name of a level for players."""
    return LEVELS[name].title if name in LEVELS else resolve(game, name).capitalize()


def summary(game: Game[Any], name: str) -> str:
    """Return a description of a level for players."""
    return LEVELS[name].summary if name in LEVELS else _styles(game)[resolve(game, name)].summary


def alias(game: Game[Any], name: str) -> str:
    """Return the other name of a level, or an empty text."""
    return _styles(game)[name].alias if name in _styles(game) else ""


def resolve(game: Game[Any], name: str) -> str:
    """Return the name of the level that is known by that name or alias; refuse an unknown one."""
    if name in LEVELS or name in _styles(game):
        return name
    for key, style in _styles(game).items():
        if name and name == style.alias:
            return key
    raise Refusal(
        ErrorCode.LEVEL_UNKNOWN,
        f"{game.info.name} has no level “{name}”. Levels: {', '.join(names(game))}.",
    )


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
) -> SearchResult:
    """Return a move of that level; refuse an unknown level, or a game that is over.

    The budget is the level's own, times `scale`, or `nodes`. `seconds` may end it earlier; without it, a level takes at
    most two seconds, and a given number of nodes as long as it needs. The same seed and number of nodes give the same
    move, unless the clock ends the search or `tables` differ. `past` are the earlier positions of the game.
    """
    if game.to_move(state) is None:
        raise Refusal(ErrorCode.GAME_OVER, "The game is over.")
    rng = Random(seed)
    level = resolve(game, level)
    if level not in LEVELS:
        return _chosen_by_style(game, state, _styles(game)[level].choose(game, state, rng))
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
) -> SearchResult:
    """Return the expert's findings within that budget, for hints and reviews."""
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
) -> SearchResult:
    if game.insight is None:
        careful = how.error < LEVELS["2"].error
        return montecarlo.search(game, state, budget, rng=rng, careful=careful, past=past, now=now)
    depth = how.depth if rng.random() < how.attention else 1
    error = how.error * game.insight.scale
    return alphabeta.search(game, state, budget, rng=rng, deepest=depth, error=error, tables=tables, past=past, now=now)


def _chosen_by_style(game: Game[Any], state: Any, move: Move) -> SearchResult:
    """Return a move that was chosen without a search, with the value of the position it leads to."""
    seat = game.to_move(state)
    after = game.apply(state, move)
    ended = game.outcome(after)
    assert seat is not None
    if ended is not None:
        score = settled(ended, seat, 1)
    else:
        score = 0 if game.insight is None else game.insight.value(after)
        score = score if game.to_move(after) == seat else -score
    return SearchResult(move, max(-WIN, min(WIN, score)), (move,), 1, 1)


def _styles(game: Game[Any]) -> Mapping[str, Style]:
    return {} if game.insight is None else game.insight.styles


def _expert_nodes(game: Game[Any]) -> int:
    return PLAIN_NODES if game.insight is None else game.insight.nodes
