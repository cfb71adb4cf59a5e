"""How to play Isaac's first phase well: place bars on lines that many bars of either side will cross.

A bar scores its value for every other bar on its line, so each new bar serves all bars, of either side, on the lines it
touches. The worth of a placement is the points it will score, what it adds to one's own bars, and what it denies: no
other bar can use the cells it takes. The weights come from some thousand games whose second phase was searched, and are
in tenths of a point.
"""

from __future__ import annotations

from heapq import nlargest
from itertools import accumulate

from parlour.games.api import Move, Seat
from parlour.games.isaac import placement
from parlour.games.isaac.bars import BARS, COLUMNS, LENGTHS, ROWS, SIZE, VALUES, Bar, number
from parlour.games.isaac.placement import EVERYWHERE, HANDS
from parlour.games.isaac.rules import LIGHT, State

# By length: what a point that a bar promises is worth in the end, if it stands and if it lies. Bars of 3 are lifted
# while the board is full, but each turn spent on them costs the long ones more.
_STANDING = (0.0, 3.0, 5.4, 4.0, 1.8)
_LYING = (-0.5, 1.8, 5.0, 3.6, 2.0)
# By rows from one's own end of the board: what a lying bar gains because one's own counter will pass.
_ROW = (3.0, 3.2, 2.8, 2.2, 1.4, -0.6, -1.5, -1.0, -0.8, 1.6)
# By length: what a free cell of a bar's line is worth, where another bar may be placed.
_ROOM = (0.0, 0.5, 2.2, 1.5, 1.2)
# By the number of bars on the board: how much of that is still likely.
_HOPE = (*[1.0] * 11, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, *[0.0] * 11)
# By length: what a bar in hand is worth.
_HAND = (-10, -4, 12, 5, 4)

_LINES = 2 * SIZE
_CELLS_OF = tuple(sum(1 << cell for cell in line) for line in (*ROWS, *COLUMNS))


def _promise(bar: Bar, seat: Seat) -> float:
    """Return what each other bar on its line adds to the worth of a bar."""
    if bar.upright:
        return bar.value * _STANDING[bar.length - LENGTHS[0]]
    row = bar.shift // 8
    return bar.value * (_LYING[bar.length - LENGTHS[0]] + _ROW[row if seat == LIGHT else SIZE - 1 - row])


# By the number of the bar: what another bar on its line is worth (also by seat), what a free cell is worth, the line.
_PROMISE = tuple({bar.number: _promise(bar, seat) for bar in BARS.values()} for seat in (0, 1))
_SPACE = {bar.number: bar.value * _ROOM[bar.length - LENGTHS[0]] for bar in BARS.values()}
_LINE_OF = {bar.number: bar.shift // 8 for bar in BARS.values()}


def _by_length(seat: Seat) -> list[tuple[int, int, float, list[float]]]:
    """Return, by length: the length, its worth in hand, and what a free cell and, by line, another bar adds to it."""
    return [
        (
            length,
            _HAND[index],
            VALUES[length] * _ROOM[index],
            [_promise(BARS[number(SIZE * row, length, False)], seat) for row in range(SIZE)]
            + [_promise(BARS[number(column, length, True)], seat) for column in range(SIZE)],
        )
        for index, length in enumerate(LENGTHS)
    ]


def _spans(seat: Seat) -> dict[Move, tuple[int, int, int]]:
    """Return for each placement its index in `_worth_along`, the first line that it crosses, and the end of these."""
    found: dict[Move, tuple[int, int, int]] = {}
    for bar in BARS.values():
        index = bar.length - LENGTHS[0]
        first = bar.low // SIZE if bar.upright else SIZE + bar.low % SIZE
        move = (HANDS[seat] + index, bar.low, bar.high)
        found[move] = (_LINES * index + bar.shift // 8, first, first + bar.length)
    return found


_BY_LENGTH = tuple(_by_length(seat) for seat in (0, 1))
_SPANS = tuple(_spans(seat) for seat in (0, 1))


def value(state: State) -> int:
    """Return how good a position of the first phase is for the seat to move, in tenths of a point."""
    seat = state.turn
    assert seat is not None
    free, tally = EVERYWHERE ^ state.occupied, state.tally
    hope = _HOPE[(state.bars[0] | state.bars[1]).bit_count()]
    room = [(free & cells).bit_count() * hope for cells in _CELLS_OF]
    sums = [0.0, 0.0]
    for side in (0, 1):
        bars, promise = state.bars[side], _PROMISE[side]
        total = 0.0
        while bars:
            bar = bars.bit_length() - 1
            bars ^= 1 << bar
            line = _LINE_OF[bar]
            total += promise[bar] * ((tally >> 8 * line & 15) - 1) + _SPACE[bar] * room[line]
        for left, worth in zip(state.hands[side], _HAND, strict=True):
            total += left * worth
        sums[side] = total
    return round(sums[seat] - sums[1 - seat])


def candidates(state: State, width: int) -> list[Move]:
    """Return the best placements by `value`, without looking any further.

    The worth of a placement is a sum of what the bar brings on its own line, which is the same for all bars of a length
    on that line, and of what it does to each line it crosses. The crossed lines are consecutive, so their part is the
    difference of two running totals.
    """
    seat = state.turn
    assert seat is not None
    hope = _HOPE[(state.bars[0] | state.bars[1]).bit_count() + 1]
    served, taken = _line_effects(state, seat, hope)
    along = _worth_along(state, seat, hope, served, taken)
    crossed = list(accumulate((serves - takes for serves, takes in zip(served, taken, strict=True)), initial=0.0))
    found = [
        (along[kind] + crossed[end] - crossed[first], move)
        for move in placement.moves(seat, state.occupied, state.hands[seat])
        for kind, first, end in [_SPANS[seat][move]]
    ]
    return [move for _, move in nlargest(width, found)]


def _line_effects(state: State, seat: Seat, hope: float) -> tuple[list[float], list[float]]:
    """Return, by line, what one more bar on it is worth to the bars along it, and what each cell taken costs them."""
    served, taken = [0.0] * _LINES, [0.0] * _LINES
    for side, sign in ((seat, 1), (1 - seat, -1)):
        bars, promise = state.bars[side], _PROMISE[side]
        while bars:
            bar = bars.bit_length() - 1
            bars ^= 1 << bar
            line = _LINE_OF[bar]
            served[line] += sign * promise[bar]
            taken[line] += sign * _SPACE[bar] * hope
    return served, taken


def _worth_along(state: State, seat: Seat, hope: float, served: list[float], taken: list[float]) -> list[float]:
    """Return what a new bar brings on its own line: for each length, by line."""
    free = EVERYWHERE ^ state.occupied
    met = [state.tally >> 8 * line & 15 for line in range(_LINES)]
    room = [(free & cells).bit_count() for cells in _CELLS_OF]
    return [
        served[line] - taken[line] * length + promise * met[line] + space * hope * (room[line] - length) - kept
        for length, kept, space, promises in _BY_LENGTH[seat]
        for line, promise in enumerate(promises)
    ]
