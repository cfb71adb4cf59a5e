"""Mapello: put a disc down, turn over the runs it closes, take the bonuses.

A set of cells is kept *eightfold*: one int that holds the board eight times, once for each direction, with
the cells in such an order that a step in that direction is a step to the next bit. One shift then steps in
all directions at once, and one addition runs along whole rows of discs: a carry that enters a row of ones
leaves it at the first zero. Every line of the board begins and ends on the rim, where no disc stands, so
nothing runs over into the next line.

The lowest of the eight boards has the cells in their usual order. So `eightfold & EVERYWHERE` is the
*plain* set, with bit n for cell n, and a plain set can be intersected with an eightfold one as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from parlour.games import grid
from parlour.games.api import Move, Outcome, Seat

BLACK, WHITE = 0, 1

SIDE = 10
BONUS = 3  # points

# How a game can end.
SCORE, EQUAL = "score", "equal"

_GRID = grid.grid(SIDE, SIDE)

# Plain sets.
EVERYWHERE = (1 << _GRID.size) - 1
INNER = grid.mask([row * SIDE + column for row in range(1, SIDE - 1) for column in range(1, SIDE - 1)])
RIM = EVERYWHERE ^ INNER
CENTRE = grid.mask([44, 45, 54, 55])


class State(Struct, frozen=True):
    """A position. A cell that is in none of the first four sets, which are eightfold, is wall."""

    black: int
    white: int
    jokers: int
    free: int  # where a disc may be put, with or without a bonus
    bonuses: int  # plain: the free cells with a bonus
    points: tuple[int, int]  # for bonuses taken, by seat
    turn: Seat | None  # None when the game is over
    outcome: Outcome | None = None


# The cells in the order of the bits of an eightfold set.
_ORDER = tuple(cell for direction in grid.ALL_DIRECTIONS for line in _GRID.lines(direction) for cell in line)
assert _ORDER[: _GRID.size] == tuple(range(_GRID.size)), "the lowest board is the plain one"


def _eightfold_cells() -> tuple[int, ...]:
    cells = [0] * _GRID.size
    for place, cell in enumerate(_ORDER):
        cells[cell] |= 1 << place
    return tuple(cells)


_CELLS = _eightfold_cells()
_ALL = (1 << len(_ORDER)) - 1

# By the `bit_length()` of an eightfold set, which tells its highest bit: that bit alone, the move to its
# cell, and the set of all other cells.
_HIGHEST = (0, *(1 << place for place in range(len(_ORDER))))
_MOVES: tuple[Move, ...] = ((), *((cell,) for cell in _ORDER))
_OTHERS = (0, *(_ALL ^ _CELLS[cell] for cell in _ORDER))


def _runs(cell: int) -> dict[int, int]:
    """What is between `cell` and each end a run beside it can have, by the `bit_length()` of that end."""
    found = {}
    for place in grid.bits(_CELLS[cell]):
        run, end = 0, place + 1
        while INNER >> _ORDER[end] & 1:
            run |= _CELLS[_ORDER[end]]
            end += 1
            found[end + 1] = run
    return found


_RUNS = {cell: _runs(cell) for cell in grid.bits(INNER)}


def _eightfold(cells: int) -> int:
    """The eightfold form of a plain set."""
    found = 0
    for cell in grid.bits(cells):
        found |= _CELLS[cell]
    return found


def position(
    black: int,
    white: int,
    *,
    jokers: int,
    walls: int,
    bonuses: int,
    points: tuple[int, int] = (0, 0),
    turn: Seat = BLACK,
) -> State:
    """The position with these plain sets; a side that cannot move is skipped, and the game may be over."""
    free = _eightfold(INNER & ~(black | white | walls))
    return _settled(State(_eightfold(black), _eightfold(white), _eightfold(jokers), free, bonuses, points, turn))


def walls(state: State) -> int:
    """The plain set of all walls, those of the rim included."""
    return EVERYWHERE & ~(state.black | state.white | state.jokers | state.free)


def reach(own: int, enemy: int, jokers: int, free: int) -> int:
    """Where a disc can be put: behind every run of enemies that an own disc or a joker ends.

    The answer has one bit for each run, in the board of the run's direction: it is not a whole eightfold set.
    """
    return ((own | jokers) << 1 & enemy) + enemy & free


def _reachable(state: State) -> int:
    if state.turn is None:
        return 0
    if state.turn == BLACK:
        return reach(state.black, state.white, state.jokers, state.free)
    return reach(state.white, state.black, state.jokers, state.free)


def moves(state: State) -> list[Move]:
    reached = _reachable(state)
    found = []
    while reached:
        highest = reached.bit_length()
        found.append(_MOVES[highest])
        reached &= _OTHERS[highest]
    return found


def count(state: State) -> int:
    """How many moves there are, without listing them."""
    reached = _reachable(state)
    found = 0
    while reached:
        found += 1
        reached &= _OTHERS[reached.bit_length()]
    return found


def steps(state: State, picks: Sequence[int]) -> list[int]:
    """One pick is a whole turn: the cell of the new disc."""
    return [] if picks else sorted(cell for (cell,) in moves(state))


def _turned(own: int, enemy: int, jokers: int, cell: int) -> int:
    """The eightfold set of the enemies that an own disc on `cell` turns over."""
    ends = (_CELLS[cell] << 1 & enemy) + enemy & (own | jokers)
    runs = _RUNS[cell]
    found = 0
    while ends:
        end = ends.bit_length()
        found |= runs[end]
        ends ^= _HIGHEST[end]
    return found


def turned(state: State, cell: int) -> int:
    """The plain set of the discs that a move to `cell` turns over."""
    own, enemy = (state.white, state.black) if state.turn else (state.black, state.white)
    return _turned(own, enemy, state.jokers, cell) & EVERYWHERE


def apply(state: State, move: Move) -> State:
    (cell,) = move
    black, white, jokers, bonuses, points = (
        state.black,
        state.white,
        state.jokers,
        state.bonuses,
        state.points,
    )
    here = _CELLS[cell]
    taken = bonuses & here
    if state.turn == BLACK:
        over = _turned(black, white, jokers, cell)
        black |= over | here
        white ^= over
        if taken:
            points = points[BLACK] + BONUS, points[WHITE]
        following = WHITE
    else:
        over = _turned(white, black, jokers, cell)
        white |= over | here
        black ^= over
        if taken:
            points = points[BLACK], points[WHITE] + BONUS
        following = BLACK
    return _settled(State(black, white, jokers, state.free ^ here, bonuses ^ taken, points, following))


def _settled(state: State) -> State:
    """The position with the turn of a side that can move, or as it is at the end of the game."""
    black, white, jokers, free = state.black, state.white, state.jokers, state.free
    own, enemy = (white, black) if state.turn else (black, white)
    if reach(own, enemy, jokers, free):
        return state
    if reach(enemy, own, jokers, free):
        skipped_to, outcome = (BLACK if state.turn else WHITE), None
    else:
        skipped_to, outcome = None, _outcome(scores(state))
    return State(black, white, jokers, free, state.bonuses, state.points, skipped_to, outcome)


def scores(state: State) -> tuple[int, int]:
    """Discs and bonus points together, by seat."""
    black, white = state.points
    return state.black.bit_count() // 8 + black, state.white.bit_count() // 8 + white


def _outcome(final: tuple[int, int]) -> Outcome:
    if final[BLACK] == final[WHITE]:
        return Outcome(None, EQUAL, final)
    return Outcome(BLACK if final[BLACK] > final[WHITE] else WHITE, SCORE, final)
