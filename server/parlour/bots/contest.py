"""Games between two levels: from openings that favour nobody, each played twice with the sides changed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec import Struct

from parlour.bots.alphabeta import Tables
from parlour.bots.levels import assess, think
from parlour.bots.thought import Budget, chance
from parlour.games.api import REPETITION, Game
from parlour.games.options import Options
from parlour.games.perft import random_move

Clock = Callable[[], float]

# Random moves at the beginning, so that no two games are the same; an even number, so that the same side begins.
OPENING_PLIES = (4, 6)
# An opening that one side wins is won once by each level and tells nothing about them. So its chances may be no further
# from one half than this, at a glance and at a second look. In some games to begin is an advantage that only one
# beginning in twenty takes away: hence the number of tries.
EVEN = 0.05
TRIES = 60
LOOKS = Budget(400), Budget(4_000)


class Played(Struct, frozen=True):
    """One game. Seats are as in the rules; who had which is the caller's business."""

    winner: int | None
    reason: str
    plies: int
    thought: tuple[float, float]  # seconds by seat
    turns: tuple[int, int]  # moves by seat, without those of the opening


def opening(game: Game[Any], options: Options, rng: Random) -> list[Any]:
    """The positions of a random beginning that favours nobody, as far as two looks can tell; the last one counts."""
    best: list[Any] = [game.initial(options)]
    nearest = 1.0
    for _ in range(TRIES):
        states = _random_start(game, options, rng)
        if states is None:
            continue
        uneven = _uneven(game, states[-1])
        if uneven < nearest:
            best, nearest = states, uneven
        if uneven <= EVEN:
            break
    return best


def _random_start(game: Game[Any], options: Options, rng: Random) -> list[Any] | None:
    states = [game.initial(options)]
    for _ in range(rng.choice(OPENING_PLIES)):
        states.append(game.apply(states[-1], random_move(game, states[-1], rng)))
        if game.to_move(states[-1]) is None:
            return None
    return states


def _uneven(game: Game[Any], state: Any) -> float:
    """How far the chances are from one half; the second look is only for what has passed the first."""
    found = 0.0
    for look in LOOKS:
        found = max(found, abs(chance(assess(game, state, look).score, game) - 0.5))
        if found > EVEN:
            break
    return found


def play(
    game: Game[Any],
    start: list[Any],
    levels: tuple[str, str],
    *,
    seed: int,
    scales: tuple[float, float] = (1.0, 1.0),
    now: Clock,
) -> Played:
    """Play to the end; `levels` and the `scales` of their budgets are by seat, `now` is the clock of both.

    A position that has come too often is a draw, where the game says so.
    """
    states = list(start)
    tables = Tables(), Tables()
    thought, turns = [0.0, 0.0], [0, 0]
    while True:
        state = states[-1]
        ended = game.outcome(state)
        if ended is not None:
            return Played(ended.winner, ended.reason, len(states) - 1, _pair(thought), _pair(turns))
        repetition = game.info.repetition
        if repetition is not None and states.count(state) >= repetition:
            return Played(None, REPETITION, len(states) - 1, _pair(thought), _pair(turns))
        seat = game.to_move(state)
        assert seat is not None
        began = now()
        found = think(
            game,
            state,
            levels[seat],
            seed=seed + len(states),
            scale=scales[seat],
            tables=tables[seat],
            past=states[:-1],
            now=now,
        )
        thought[seat] += now() - began
        turns[seat] += 1
        states.append(game.apply(state, game.check(state, found.move)))


def _pair(values: list[Any]) -> tuple[Any, Any]:
    return values[0], values[1]
