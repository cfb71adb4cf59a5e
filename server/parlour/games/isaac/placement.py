"""Isaac's first phase: where the bars in hand fit.

What fits into a row or column depends only on its free cells. So the placements along each line are worked out once per
pattern of free cells and remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from parlour.games import grid
from parlour.games.api import Move, Seat
from parlour.games.isaac.bars import BARS, CELLS, COLUMNS, LENGTHS, ROWS, SIZE, Hand, number

EVERYWHERE = (1 << CELLS) - 1

# The places of the two hands: one slot for each length.
HANDS = (CELLS, CELLS + len(LENGTHS))

# By length: the cells from which a bar that lies down does not run over the right edge.
_ROOM = {
    length: grid.mask([cell for cell in range(CELLS) if cell % SIZE + length <= SIZE]) for length in LENGTHS
}


def starts(free: int, length: int) -> tuple[int, int]:
    """The low ends of all bars of that length that fit on free cells: those that lie down, those that stand up."""
    lying = standing = free
    for step in range(1, length):
        lying &= free >> step
        standing &= free >> SIZE * step
    return lying & _ROOM[length], standing


def fits(occupied: int, hand: Hand) -> bool:
    """Whether any bar of the hand fits anywhere. Where a longer one fits, the shortest one does."""
    for left, length in zip(hand, LENGTHS, strict=True):
        if left:
            lying, standing = starts(EVERYWHERE ^ occupied, length)
            return bool(lying or standing)
    return False


class _Line(dict[int, tuple[Move, ...]]):
    """The placements along one line, by the set of its free cells. Learns what it is asked for."""

    def __init__(self, seat: Seat, lengths: tuple[int, ...], upright: bool) -> None:
        self.seat = seat
        self.lengths = lengths
        self.upright = upright

    def __missing__(self, free: int) -> tuple[Move, ...]:
        found: list[Move] = []
        for length in self.lengths:
            slot = HANDS[self.seat] + length - LENGTHS[0]
            for low in grid.bits(starts(free, length)[self.upright]):
                found.append((slot, low, BARS[number(low, length, self.upright)].high))
        self[free] = tuple(found)
        return self[free]


@lru_cache(maxsize=None)
def _lines(seat: Seat, lengths: tuple[int, ...]) -> tuple[tuple[int, _Line], ...]:
    """The cells and the placements of every row and column."""
    rows = [(grid.mask(line), _Line(seat, lengths, False)) for line in ROWS]
    columns = [(grid.mask(line), _Line(seat, lengths, True)) for line in COLUMNS]
    return (*rows, *columns)


@lru_cache(maxsize=None)
def _lines_for(seat: Seat, hand: Hand) -> tuple[tuple[int, _Line], ...]:
    """The same for what is in hand: how many there are of a length makes no difference."""
    return _lines(seat, tuple(length for left, length in zip(hand, LENGTHS, strict=True) if left))


def moves(seat: Seat, occupied: int, hand: Hand) -> list[Move]:
    """Every placement: the slot of its length, the low end, the high end."""
    free = EVERYWHERE ^ occupied
    found: list[Move] = []
    for cells, line in _lines_for(seat, hand):
        found += line[free & cells]
    return found


def count(seat: Seat, occupied: int, hand: Hand) -> int:
    """How many placements there are, without listing them."""
    free = EVERYWHERE ^ occupied
    return sum([len(line[free & cells]) for cells, line in _lines_for(seat, hand)])


def steps(seat: Seat, occupied: int, hand: Hand, picks: Sequence[int]) -> list[int]:
    """First the length, then one end, whichever comes to mind first, then the other."""
    free = EVERYWHERE ^ occupied
    if not picks:
        return [
            HANDS[seat] + index
            for index, length in enumerate(LENGTHS)
            if hand[index] and any(starts(free, length))
        ]
    if len(picks) == 3:
        return []
    length = LENGTHS[picks[0] - HANDS[seat]]
    across, up = length - 1, SIZE * (length - 1)  # from the low end to the high end
    lying, standing = starts(free, length)
    if len(picks) == 1:
        return list(grid.bits(lying | lying << across | standing | standing << up))
    end = 1 << picks[1]
    above = (lying & end) << across | (standing & end) << up
    below = (lying << across & end) >> across | (standing << up & end) >> up
    return list(grid.bits(above | below))
