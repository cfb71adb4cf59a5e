"""A position of Mitsudomoe, and how it changes when a ring is moved."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from parlour.games.api import Outcome, Seat
from parlour.games.mitsudomoe.board import GRID, HOMES, WHITE, cells

RINGS, BALLS = 8, 3  # of each side
FULL_SUPPLY = RINGS - BALLS  # before the first turn; rings never return to the supply

# The supply slots are the places after the cells: White's, then Black's.
FIRST_SLOT = GRID.size

# The rings of a cell are one number: a leading 1, then from bottom to top the seat of each ring as one bit.
NO_RINGS = 1

Pair = tuple[int, int]  # by seat


class State(Struct, frozen=True):
    """Sets of cells are ints with one bit per cell."""

    stacks: tuple[int, ...]  # the rings of each cell, see `NO_RINGS`
    tops: Pair  # where the topmost ring is a seat's; follows from the stacks, kept because it is needed so often
    balls: Pair  # each on a topmost ring of its own seat
    supply: Pair
    turn: Seat | None  # None when the game is over
    passive: bool  # option: a side that leaves its own home full of balls loses
    outcome: Outcome | None = None
    original: bool = False  # option: the rules of the original program


def first_position(passive: bool, original: bool = False) -> State:
    stacks = [NO_RINGS] * GRID.size
    for seat, home in enumerate(HOMES):
        for cell in cells(home):
            stacks[cell] = NO_RINGS << 1 | seat
    return State(tuple(stacks), HOMES, HOMES, (FULL_SUPPLY, FULL_SUPPLY), WHITE, passive, None, original)


def tops(stacks: Sequence[int]) -> Pair:
    """Return where the topmost ring is White's, and where it is Black's."""
    found = [0, 0]
    for cell, rings in enumerate(stacks):
        if rings != NO_RINGS:
            found[rings & 1] |= 1 << cell
    return found[0], found[1]


def with_ring(state: State, source: int, target: int) -> tuple[tuple[int, ...], Pair, Pair]:
    """Return stacks, tops and supply after a ring step of the side to move."""
    turn = state.turn
    assert turn is not None
    stacks, supply = list(state.stacks), state.supply
    if source >= FIRST_SLOT:
        white, black = supply
        supply = (white, black - 1) if turn else (white - 1, black)
    else:
        stacks[source] >>= 1
    stacks[target] = stacks[target] << 1 | turn
    return tuple(stacks), tops_with_ring(state, source, target), supply


def tops_with_ring(state: State, source: int, target: int) -> Pair:
    """Return only the tops after a ring step, which is all that the ball steps depend on."""
    turn, shown = state.turn, list(state.tops)
    assert turn is not None
    if source < FIRST_SLOT:
        below = state.stacks[source] >> 1
        shown[turn] ^= 1 << source
        if below != NO_RINGS:
            shown[below & 1] |= 1 << source
    shown[turn] |= 1 << target
    shown[1 - turn] &= ~(1 << target)
    return shown[0], shown[1]
