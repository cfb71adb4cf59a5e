"""Games between two levels, from openings that favour neither side."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec import Struct

from parlour.bots.alphabeta import Tables
from parlour.bots.levels import assess, think
from parlour.bots.search import Budget, chance
from parlour.games.api import REPETITION, Game
from parlour.games.options import Options
from parlour.games.perft import random_move

Clock = Callable[[], float]

# Random moves at the start make every game different; an even number, so that the same side moves first.
OPENING_PLIES = (4, 6)
# Every opening is played twice with the sides swapped, so one that favours a side says nothing about the levels. Two
# searches, a short and a longer one, must find the chance to win no further from one half than this. In some games the
# first move is an advantage that only one opening in twenty evens out: hence the number of tries.
EVEN = 0.05
TRIES = 60
BUDGETS = Budget(400), Budget(4_000)


class Played(Struct, frozen=True):
    """The result of one game, by seat. The caller knows which level had which seat."""

    winner: int | None
    reason: str
    plies: int
    seconds: tuple[float, float]  # used for thinking, by seat
    turns: tuple[int, int]  # moves by seat, not counting the opening


def opening(game: Game[Any], options: Options, rng: Random) -> list[Any]:
    """Return the positions of a random opening that favours neither side, as far as two searches can tell."""
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
    """Return how far the chance to win is from one half, as found by each budget until one finds it uneven."""
    found = 0.0
    for budget in BUDGETS:
        found = max(found, abs(chance(assess(game, state, budget).score, game) - 0.5))
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
    """Play a game to the end; `levels` and the `scales` of their budgets are by seat.

    Repetition is a draw in games whose rules say so.
    """
    states = list(start)
    tables = Tables(), Tables()
    seconds, turns = [0.0, 0.0], [0, 0]
    while True:
        state = states[-1]
        ended = game.outcome(state)
        if ended is not None:
            return Played(ended.winner, ended.reason, len(states) - 1, _pair(seconds), _pair(turns))
        repetition = game.info.repetition
        if repetition is not None and states.count(state) >= repetition:
            return Played(None, REPETITION, len(states) - 1, _pair(seconds), _pair(turns))
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
        seconds[seat] += now() - began
        turns[seat] += 1
        states.append(game.apply(state, game.check(state, found.move)))


def _pair(values: list[Any]) -> tuple[Any, Any]:
    return values[0], values[1]
