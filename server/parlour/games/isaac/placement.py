"""Isaac's first phase: where the bars in hand fit.

The bars that fit into a row or column depend only on its free cells. So the placements along each line are computed
once per pattern of free cells and cached.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from parlour.games import grid
from parlour.games.api import Move, Seat
from parlour.games.isaac.bars import BARS, CELLS, COLUMNS, LENGTHS, ROWS, SIZE, Hand, number

EVERYWHERE = (1 << CELLS) - 1

# The places of the two hands: one slot for each length.
HANDS = (CELLS, CELLS + len(LENGTHS))

# By length: the cells from which a bar can lie to the right without running over the edge.
_ROOM = {length: grid.mask([cell for cell in range(CELLS) if cell % SIZE + length <= SIZE]) for length in LENGTHS}


def starts(free: int, length: int) -> tuple[int, int]:
    """Return the low ends of all bars of that length that fit: of those that lie, and of those that stand."""
    lying = free & free >> 1 & free >> 2
    standing = free & free >> SIZE & free >> 2 * SIZE
    for step in range(3, length):
        lying &= free >> step
        standing &= free >> SIZE * step
    return lying & _ROOM[length], standing


# Listing the choices of a player needs the same starts again for every end that a bar could have.
_starts = lru_cache(maxsize=len(LENGTHS))(starts)


def fits(occupied: int, hand: Hand) -> bool:
    """Return whether any bar of the hand fits anywhere. Where a longer one fits, the shortest one does."""
    for length, left in enumerate(hand, LENGTHS[0]):
        if left:
            lying, standing = starts(EVERYWHERE ^ occupied, length)
            return lying != 0 or standing != 0
    return False


# By seat and the number of the bar: the move that places it.
_MOVES: tuple[dict[int, Move], ...] = tuple(
    {bar.number: (first + bar.length - LENGTHS[0], bar.low, bar.high) for bar in BARS.values()} for first in HANDS
)


class _Line(dict[int, tuple[tuple[Move, ...], ...]]):
    """A cache of the placements along one line, by the set of its free cells and then by the lengths in hand.

    It holds at most the 1024 patterns of free cells. Those that differ only in cells where no bar fits share one value.
    """

    def __init__(self, moves: dict[int, Move], upright: bool) -> None:
        self.moves = moves
        self.upright = upright

    def __missing__(self, free: int) -> tuple[tuple[Move, ...], ...]:
        shortest = starts(free, LENGTHS[0])[self.upright]
        step = SIZE if self.upright else 1
        usable = shortest | shortest << step | shortest << 2 * step
        self[free] = found = self._placements(free) if usable == free else self[usable]
        return found

    def _placements(self, free: int) -> tuple[tuple[Move, ...], ...]:
        found: list[tuple[Move, ...]] = [()]
        for length in LENGTHS:
            low_ends = grid.bits(starts(free, length)[self.upright])
            fitting = tuple([self.moves[number(low, length, self.upright)] for low in low_ends])
            found += [shorter + fitting for shorter in found]
        return tuple(found)


# By seat: the cells and the placements of every row and column.
LINES = tuple(
    tuple(
        (grid.mask(line), _Line(moves, upright))
        for upright, lines in ((False, ROWS), (True, COLUMNS))
        for line in lines
    )
    for moves in _MOVES
)


@cache
def _lengths(hand: Hand) -> int:
    """Return which lengths are in hand, as an index for `_Line`: the number of each makes no difference."""
    return sum(1 << index for index, left in enumerate(hand) if left)


def moves(seat: Seat, occupied: int, hand: Hand) -> list[Move]:
    """Return every placement: the slot of its length, the low end, the high end."""
    free = EVERYWHERE ^ occupied
    lengths = _lengths(hand)
    found: list[Move] = []
    for cells, line in LINES[seat]:
        found += line[free & cells][lengths]
    return found


def count(seat: Seat, occupied: int, hand: Hand) -> int:
    """Return the number of placements, without listing them."""
    free = EVERYWHERE ^ occupied
    lengths = _lengths(hand)
    found = 0
    for cells, line in LINES[seat]:
        found += len(line[free & cells][lengths])
    return found


def steps(seat: Seat, occupied: int, hand: Hand, picks: Sequence[int]) -> list[int]:
    """Return the lengths in hand, then the cells for one end, either of the two, then for the other."""
    free = EVERYWHERE ^ occupied
    if not picks:
        return [
            HANDS[seat] + index for index, length in enumerate(LENGTHS) if hand[index] and any(_starts(free, length))
        ]
    if len(picks) >= 3:
        return []
    length = picks[0] - HANDS[seat] + LENGTHS[0]
    across, up = length - 1, SIZE * (length - 1)  # from the low end to the high end
    lying, standing = _starts(free, length)
    if len(picks) == 1:
        return list(grid.bits(lying | lying << across | standing | standing << up))
    end = 1 << picks[1]
    above = (lying & end) << across | (standing & end) << up
    below = (lying << across & end) >> across | (standing << up & end) >> up
    return list(grid.bits(above | below))
