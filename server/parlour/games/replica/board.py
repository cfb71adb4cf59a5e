"""The tables of Replica's boards: which advances there are, and what kings see.

How a side can advance depends only on where its own pieces are, and what a king sees only on what blocks its lines.
Both are computed once per pattern of occupied cells and cached: for whole boards, because a search meets the same
pieces again and again while the other side moves, and for a few lines at a time, because these recur in every game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from typing import TypeVar

from parlour.games import grid
from parlour.games.api import Move, Seat

WHITE, BLACK = 0, 1

FORWARD = {
    WHITE: (grid.WEST, grid.SOUTH, grid.SOUTH_WEST),
    BLACK: (grid.EAST, grid.NORTH, grid.NORTH_EAST),
}

T = TypeVar("T")


class Patterns(dict[int, T]):
    """A cache of values that depend on which of some cells are occupied."""

    def __init__(self, learn: Callable[[int], T], limit: int = 1 << 12) -> None:
        self.learn = learn
        self.limit = limit  # a full cache is cleared, so that no input can exhaust the memory

    def __missing__(self, occupied: int) -> T:
        if len(self) >= self.limit:
            self.clear()
        found = self[occupied] = self.learn(occupied)
        return found


@cache
def _advance(start: int, target: int) -> Move:
    """Return the one value for this move, which the patterns of all boards share."""
    return start, target


def _advances(lines: Sequence[tuple[int, ...]], friends: int) -> tuple[Move, ...]:
    """Return the advances along lines that run forward: each piece goes to the first cell beyond its friends."""
    found: list[Move] = []
    for line in lines:
        target: int | None = None
        for cell in reversed(line):
            if friends >> cell & 1:
                if target is not None:
                    found.append(_advance(cell, target))
            else:
                target = cell
    return tuple(found)


def _advances_of_all(parts: Sequence[tuple[int, Patterns[tuple[Move, ...]]]], friends: int) -> tuple[Move, ...]:
    """Return the advances on the whole board, from those of its parts."""
    found: list[Move] = []
    for cells, patterns in parts:
        found += patterns[friends & cells]
    return tuple(found)


def _bundles(lines: Iterable[tuple[int, ...]]) -> list[list[tuple[int, ...]]]:
    """Group lines into bundles of at most 16 cells, so that a whole board takes fewer lookups."""
    bundles: list[list[tuple[int, ...]]] = []
    free = 0
    for line in lines:
        if len(line) > free:
            bundles.append([])
            free = 16
        bundles[-1].append(line)
        free -= len(line)
    return bundles


def _seen(ray: tuple[int, ...], blockers: int) -> int:
    """Return the cells that a king sees along a ray, up to the first blocked one and including it."""
    seen = 0
    for cell in ray:
        seen |= 1 << cell
        if blockers >> cell & 1:
            break
    return seen


def _seen_by_all(parts: Sequence[tuple[int, Patterns[int]]], blockers: int) -> int:
    """Return what a king sees in all directions, from what it sees in each."""
    seen = 0
    for ray, patterns in parts:
        seen |= patterns[blockers & ray]
    return seen


class Board:
    """The tables of one board size."""

    def __init__(self, size: int) -> None:
        self.cells = grid.grid(size, size)
        self.everywhere = (1 << size * size) - 1
        # The corners where a king wins: the bottom left for White, the top right for Black.
        self.goals = (1, 1 << size * size - 1)
        self.advances = tuple(self._advances(seat) for seat in (WHITE, BLACK))
        self.crownings: tuple[Move, ...] = tuple((cell, cell) for cell in range(size * size))
        # By seat and cell of the king, for each value of the option `sight`.
        everywhere = tuple(self._sight(grid.ALL_DIRECTIONS, cell) for cell in range(self.cells.size))
        self.sights = (everywhere, everywhere)
        self.forward_sights = tuple(
            tuple(self._sight(FORWARD[seat], cell) for cell in range(self.cells.size)) for seat in (WHITE, BLACK)
        )

    def _advances(self, seat: Seat) -> Patterns[tuple[Move, ...]]:
        """Return all advances of a side, by where its pieces are."""
        parts = [
            (grid.mask([cell for line in lines for cell in line]), Patterns(partial(_advances, lines)))
            for direction in FORWARD[seat]
            for lines in _bundles(self.cells.lines(direction))
        ]
        return Patterns(partial(_advances_of_all, parts))

    def _sight(self, directions: Sequence[grid.Direction], cell: int) -> tuple[int, Patterns[int]]:
        """Return the cells in line with `cell`, and what a king there sees of them, by what blocks its sight."""
        rays = [self.cells.ray(cell, direction) for direction in directions]
        parts = [(grid.mask(ray), Patterns(partial(_seen, ray))) for ray in rays if ray]
        return grid.mask([met for ray in rays for met in ray]), Patterns(partial(_seen_by_all, parts))


@cache
def board(size: int) -> Board:
    return Board(size)
