"""Mapello: put a disc down, turn over the runs it closes, take the bonuses.

A set of cells is kept *eightfold*: one int that holds the board eight times, once for each direction, with the cells in
such an order that a step in that direction is a step to the next bit. One shift then steps in all directions at once,
and one addition runs along whole rows of discs: a carry that enters a row of ones leaves it at the first zero.
Every line of the board begins and ends on the rim, where no disc stands, so nothing runs over into the next line.

The lowest of the eight boards has the cells in their usual order. So `eightfold & EVERYWHERE` is the *plain* set, with
bit n for cell n, and a plain set can be intersected with an eightfold one as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
    """A position. Whatever is in none of its sets is wall."""

    # Eightfold sets.
    black: int
    white: int
    jokers: int
    free: int  # cells without a disc where one may be put, with or without a bonus
    bonuses: int  # plain: the free cells that hold a bonus
    points: tuple[int, int]  # for bonuses taken, by seat
    turn: Seat | None  # None when the game is over
    outcome: Outcome | None = None


def _order() -> Iterator[int]:
    """The cells in the order of an eightfold set."""
    for direction in grid.ALL_DIRECTIONS:
        for line in _GRID.lines(direction):
            yield from line


_ORDER = tuple(_order())
assert _ORDER[: _GRID.size] == tuple(range(_GRID.size)), "the lowest board is the plain one"

_BITS = tuple(1 << place for place in range(len(_ORDER)))
_CELLS = tuple(
    grid.mask([place for place, met in enumerate(_ORDER) if met == cell]) for cell in range(_GRID.size)
)


def eightfold(cells: int) -> int:
    """The eightfold form of a plain set."""
    found = 0
    for cell in grid.bits(cells):
        found |= _CELLS[cell]
    return found


# By `bit_length()` of an eightfold set, which tells its highest bit: that bit alone, the move to its cell, and the set
# of all other cells.
_HIGHEST = (0, *_BITS)
_MOVES: tuple[Move, ...] = ((), *((cell,) for cell in _ORDER))
_OTHERS = (0, *(sum(_BITS) ^ _CELLS[cell] for cell in _ORDER))


def _runs(cell: int) -> dict[int, int]:
    """What is between `cell` and the end of a run, by the `bit_length()` of that end."""
    found = {}
    for place in grid.bits(_CELLS[cell]):
        run = 0
        end = place + 1
        while RIM & _CELLS[_ORDER[end - 1]] == 0:
            found[end + 1] = run
            run |= _CELLS[_ORDER[end]]
            end += 1
    return found


_RUNS = {cell: _runs(cell) for cell in grid.bits(INNER)}


def position(
    black: int,
    white: int,
    jokers: int,
    walls: int,
    bonuses: int,
    points: tuple[int, int] = (0, 0),
    turn: Seat = BLACK,
) -> State:
    """The position with these plain sets; a side that cannot move is skipped, and the game may be over."""
    free = INNER & ~(black | white | walls)
    return _settled(
        eightfold(black), eightfold(white), eightfold(jokers), eightfold(free), bonuses, points, turn
    )


def walls(state: State) -> int:
    """The plain set of all walls, those of the rim included."""
    return EVERYWHERE & ~(state.black | state.white | state.jokers | state.free)


def _reach(own: int, enemy: int, jokers: int, free: int) -> int:
    """Where a disc can be put: behind every run of enemies that an own disc or a joker ends.

    A cell is in the answer once for every direction in which it turns something, and not in all eight boards.
    """
    return ((own | jokers) << 1 & enemy) + enemy & free


def _reachable(state: State) -> int:
    if state.turn is None:
        return 0
    if state.turn == BLACK:
        return _reach(state.black, state.white, state.jokers, state.free)
    return _reach(state.white, state.black, state.jokers, state.free)


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


def _turned(own: int, enemy: int, jokers: int, cell: int) -> int:
    """The eightfold set of the discs that are turned over by an own disc on `cell`."""
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
    black, white, bonuses, points, turn = state.black, state.white, state.bonuses, state.points, state.turn
    here = _CELLS[cell]
    if turn:
        over = _turned(white, black, state.jokers, cell)
        white |= over | here
        black ^= over
    else:
        over = _turned(black, white, state.jokers, cell)
        black |= over | here
        white ^= over
    if taken := bonuses & here:
        bonuses ^= taken
        points = (points[0], points[1] + BONUS) if turn else (points[0] + BONUS, points[1])
    return _settled(
        black, white, state.jokers, state.free ^ here, bonuses, points, WHITE if turn == BLACK else BLACK
    )


def _settled(
    black: int, white: int, jokers: int, free: int, bonuses: int, points: tuple[int, int], turn: Seat
) -> State:
    """The position in which it would be the turn of `turn`: of the other side if `turn` cannot move, or over."""
    own, enemy = (white, black) if turn else (black, white)
    if _reach(own, enemy, jokers, free):
        return State(black, white, jokers, free, bonuses, points, turn)
    if _reach(enemy, own, jokers, free):
        return State(black, white, jokers, free, bonuses, points, 1 - turn)
    scores = _scores(black, white, points)
    if scores[BLACK] == scores[WHITE]:
        outcome = Outcome(None, EQUAL, scores)
    else:
        outcome = Outcome(BLACK if scores[BLACK] > scores[WHITE] else WHITE, SCORE, scores)
    return State(black, white, jokers, free, bonuses, points, None, outcome)


def steps(state: State, picks: Sequence[int]) -> list[int]:
    """One pick is a whole turn: the cell of the new disc."""
    return [] if picks else sorted(cell for (cell,) in moves(state))


def scores(state: State) -> tuple[int, int]:
    """Discs and bonus points together, by seat."""
    return _scores(state.black, state.white, state.points)


def _scores(black: int, white: int, points: tuple[int, int]) -> tuple[int, int]:
    return black.bit_count() // 8 + points[BLACK], white.bit_count() // 8 + points[WHITE]
