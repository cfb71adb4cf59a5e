"""The board of Mitsudomoe: five by five cells, two home corners, and where balls can go on it.

Nothing in here knows about rings. A set of cells is an int with one bit per cell.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from parlour.games import grid
from parlour.games.api import Seat

WHITE, BLACK = 0, 1

GRID = grid.grid(5, 5)
EVERYWHERE = (1 << GRID.size) - 1

HOMES = (grid.mask([0, 1, 5]), grid.mask([24, 23, 19]))
GOALS = (HOMES[BLACK], HOMES[WHITE])

_RAYS = tuple(
    {ray[0]: ray for direction in grid.ALL_DIRECTIONS if (ray := GRID.ray(cell, direction))}
    for cell in range(GRID.size)
)

NEIGHBOURS = tuple(grid.mask(list(rays)) for rays in _RAYS)


def _between(start: int, end: int) -> int:
    for ray in _RAYS[start].values():
        if end in ray:
            return grid.mask(ray[: ray.index(end)])
    return 0


# The cells that lie between two cells of a line; none for cells that are neighbours or not on a line.
BETWEEN = tuple(tuple(_between(start, end) for end in range(GRID.size)) for start in range(GRID.size))


def _subsets(first: int, size: int) -> tuple[tuple[int, ...], ...]:
    """Return the cells of every subset of `size` cells from `first` on, by the subset's bits."""
    found: list[tuple[int, ...]] = [()]
    for cell in range(first, first + size):
        found += [(*cells, cell) for cells in found]
    return tuple(found)


# A table of all sets of 25 cells would be too large, so there is one for each half of the board.
_HALF = 13
_LOW, _HIGH = _subsets(0, _HALF), _subsets(_HALF, GRID.size - _HALF)
_LOW_BITS = (1 << _HALF) - 1


def cells(found: int) -> tuple[int, ...]:
    """Return the cells of a set, in rising order."""
    return _LOW[found & _LOW_BITS] + _HIGH[found >> _HALF]


# From, to.
Walk = tuple[int, int]
# From, to, the set of enemy balls that have to be relocated.
Vault = tuple[int, int, int]


@lru_cache(maxsize=1 << 6)
def ball_steps(seat: Seat, own: int, enemy: int, original: bool = False) -> tuple[tuple[Walk, ...], tuple[Vault, ...]]:
    """Return every ball step of a seat if each cell without a ball showed one of its rings.

    A step that jumps no enemy ball is a walk, even if it jumps own balls. Whether the balls of a vault can be relocated
    is not checked. Balls that have arrived neither move nor are vaulted, except in the original rules. Cached, because
    it is needed again for every ring that could move first.
    """
    balls = own | enemy
    arrived = 0 if original else enemy & GOALS[1 - seat]
    walks: list[Walk] = []
    vaults: list[Vault] = []
    for ball in cells(own if original else own & ~GOALS[seat]):
        near = NEIGHBOURS[ball]
        walks += [(ball, landing) for landing in cells(near & ~balls)]
        for first in cells(near & balls):
            for landing in _RAYS[ball][first]:
                if not balls >> landing & 1:
                    jumped = BETWEEN[ball][landing] & enemy
                    if not jumped:
                        walks.append((ball, landing))
                    elif not jumped & arrived:
                        vaults.append((ball, landing, jumped))
                    break
    return tuple(walks), tuple(vaults)


def relocations(free: int, jumped: int, original: bool = False) -> list[tuple[int, ...]]:
    """Return every set of cells on which jumped balls can end: free cells and those they left, but not only the latter.

    As soon as one ball ends on a free cell, all can move: each of the others goes to the cell that the one before it
    has just left. In the original rules all end on cells that were free before the vault.
    """
    stood = cells(jumped)
    if original:
        return list(combinations(cells(free), len(stood)))
    return [final for final in combinations(cells(free | jumped), len(stood)) if final != stood]
