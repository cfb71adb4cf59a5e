"""How to play Isaac's second phase well: points, bars that promise more points, and counters that double them.

The weights come from some thousand searched positions and are in tenths of a point.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from parlour.games.api import Move, Seat
from parlour.games.isaac import rules, scoring
from parlour.games.isaac.bars import AT_LEAST, BARS, CELLS, CLEAR_OF, SIZE
from parlour.games.isaac.rules import DARK, LIGHT, State
from parlour.games.isaac.scoring import GOAL, WALK

POINT = 10


class Weights(Struct, frozen=True):
    """The worth of each point that a bar would score if it were lifted now, not counting the counters."""

    by_length: Mapping[int, float]
    best: tuple[float, float, float]  # added for the best bar of a side, the second and the third
    blocked: float  # instead of both, for a bar under a counter
    doubled: float  # added where a counter stands on the line
    passing: float  # instead of that, for the other counter in a row: it will soon have left
    twice: float  # added where both stand
    ahead: tuple[float, float]  # added for the next row that one's own counter will reach, and the one after it
    bar: float  # for each bar, whatever it scores
    turn: float  # for the right to move


# With many bars left, and with few.
MANY = Weights({3: 0.9, 4: 1.7, 5: 3.1, 6: 2.3, 7: 0.0}, (3.9, 5.8, 5.5), 4.0, 3.6, 1.9, 0.0, (3.0, 2.6), -4.8, 60.0)
FEW = Weights({3: 2.9, 4: 3.3, 5: 3.1, 6: 2.3, 7: 1.2}, (5.7, 4.9, 4.4), 4.3, 6.4, 2.0, 11.0, (3.2, 2.0), 4.4, 17.0)
# The number of bars of both sides that can still be lifted, from which on they are many.
_MANY = 13

# How many walks are tried with a bar, and how many points they may give away.
_WALKS = 3
_GIVEN_AWAY = 12
# Relative to a point that is taken: the worth of a point that a counter doubles or blocks, and the cost of lifting a
# bar of value 1, after which shorter ones have to stay.
_DOUBLING = 0.4
_HASTE = 1.5


def value(state: State) -> int:
    """Return how good a position of the second phase is for the seat to move, in tenths of a point."""
    seat = state.turn
    assert seat is not None
    mine = state.bars[seat] & AT_LEAST[state.longest[seat]]
    theirs = 0 if state.out[1 - seat] else state.bars[1 - seat] & AT_LEAST[state.longest[1 - seat]]
    weights = MANY if (mine | theirs).bit_count() >= _MANY else FEW
    ahead = state.scores[seat] - state.scores[1 - seat]
    promised = _promised(state, seat, mine, weights) - _promised(state, 1 - seat, theirs, weights)
    return round(POINT * ahead + promised + (weights.turn if theirs else 0.0))


def _promised(state: State, seat: Seat, bars: int, weights: Weights) -> float:
    """Return what these bars of a seat are worth."""
    if not bars:
        return 0.0
    dark, light = CELLS - 1 - state.scores[DARK], state.scores[LIGHT]
    extra = _by_line(light, dark, 1, weights) if seat == LIGHT else _by_line(dark, light, -1, weights)
    clear = bars & CLEAR_OF[dark] & CLEAR_OF[light]
    total = weights.bar * bars.bit_count()
    tally, by_length = state.tally, weights.by_length
    gains: list[int] = []
    while bars:
        bar = BARS[bars.bit_length() - 1]
        bars ^= bar.bit
        points = bar.value * ((tally >> bar.shift & 15) - 1)
        if not clear & bar.bit:
            total += weights.blocked * points
            continue
        total += points * (by_length[bar.length] + extra[bar.shift >> 3])
        gains.append(points)
    gains.sort(reverse=True)
    return total + sum(more * points for more, points in zip(weights.best, gains, strict=False))


def _by_line(own: int, other: int, step: int, weights: Weights) -> list[float]:
    """Return, by line, what the counters on those cells add to each point.

    `step` is the direction of one's own counter, in rows.
    """
    extra = [0.0] * (2 * SIZE)
    row, column = divmod(own, SIZE)
    other_row, other_column = divmod(other, SIZE)
    for rows, more in enumerate(weights.ahead, 1):
        if 0 <= row + rows * step < SIZE:
            extra[row + rows * step] += more
    extra[row] += weights.doubled
    extra[other_row] += weights.twice if other_row == row else weights.passing
    extra[SIZE + column] += weights.doubled
    extra[SIZE + other_column] += weights.twice if other_column == column else weights.doubled
    return extra


def candidates(state: State, width: int) -> list[Move]:
    """Return every bar that may be lifted, with the walks that end on the best cells."""
    seat = state.turn
    assert seat is not None
    own, tally = state.scores[seat], state.tally
    meeting = CELLS - 1 - sum(state.scores)  # the number of squares that leads onto the other counter
    worth = [0] * (2 * SIZE)  # by line: the points there for one's own side, less those for the other
    for side, sign in ((seat, 1), (1 - seat, -1)):
        bars = state.bars[side] & AT_LEAST[state.longest[side]]
        while bars:
            bar = BARS[bars.bit_length() - 1]
            bars ^= bar.bit
            worth[bar.shift >> 3] += sign * bar.value * ((tally >> bar.shift & 15) - 1)
    enemy = state.bars[1 - seat] & AT_LEAST[state.longest[1 - seat]]
    found: list[tuple[float, Move]] = []
    for bar, points in scoring.gains(rules.removable(state, seat), tally, state.scores):
        haste = _HASTE * bar.value
        if own + points >= GOAL:
            found.append((float(CELLS), (bar.low, WALK + points)))
            continue
        walks: list[tuple[float, int]] = []
        for squares in range(points, max(-1, points - _GIVEN_AWAY - 1), -1):
            if squares == meeting:
                continue
            cell = own + squares if seat == LIGHT else CELLS - 1 - own - squares
            good = squares + _DOUBLING * (worth[cell // SIZE] + worth[SIZE + cell % SIZE])
            hidden = enemy & ~CLEAR_OF[cell]
            if hidden:
                under = BARS[hidden.bit_length() - 1]
                # The bar cannot be lifted, and a counter on its line is of no use to it.
                good += 2 * _DOUBLING * under.value * ((tally >> under.shift & 15) - 1)
            walks.append((good, squares))
        walks.sort(reverse=True)
        found += [(good - haste, (bar.low, WALK + squares)) for good, squares in walks[:_WALKS]]
    found.sort(reverse=True)
    return [move for _, move in found[:width]]
