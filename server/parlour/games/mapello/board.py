"""The board of Mapello, and sets of cells that look in all eight directions at once.

A *plain* set of cells is an int with bit n for cell n. An *eightfold* set holds the board eight times, once for each
direction, with the cells in such an order that a step in that direction is a step to the next bit. One shift then steps
in all directions at once, and one addition runs along whole rows of discs: a carry that enters a row of ones leaves it
at the first zero. Every line of the board starts and ends on the rim, where no disc stands, so no carry runs over into
the next line.

The lowest of the eight boards has the cells in their usual order. So `eightfold & EVERYWHERE` is the plain set, and a
plain set can be intersected with an eightfold one as it is.
"""

from __future__ import annotations

from parlour.games import grid

BLACK, WHITE = 0, 1
# What can be on a cell, in the order of the glyphs: discs are numbered like the seats.
WALL, JOKER, BONUS = 2, 3, 4

SIDE = 10
GRID = grid.grid(SIDE, SIDE)

# Plain sets.
EVERYWHERE = (1 << GRID.size) - 1
INNER = grid.mask([row * SIDE + column for row in range(1, SIDE - 1) for column in range(1, SIDE - 1)])
RIM = EVERYWHERE ^ INNER
CENTRE = grid.mask([44, 45, 54, 55])

# The cells in the order of the bits of an eightfold set.
ORDER = tuple(cell for direction in grid.ALL_DIRECTIONS for line in GRID.lines(direction) for cell in line)
assert ORDER[: GRID.size] == tuple(range(GRID.size)), "the lowest board is the plain one"


def _eightfold_cells() -> tuple[int, ...]:
    cells = [0] * GRID.size
    for place, cell in enumerate(ORDER):
        cells[cell] |= 1 << place
    return tuple(cells)


# By cell: the eightfold set of that cell alone.
CELLS = _eightfold_cells()


def eightfold(cells: int) -> int:
    """Return the eightfold form of a plain set."""
    found = 0
    for cell in grid.bits(cells):
        found |= CELLS[cell]
    return found


def _runs(cell: int) -> dict[int, int]:
    """Return the cells between `cell` and each end that a run beside it can have, by the `bit_length()` of that end."""
    found = {}
    for place in grid.bits(CELLS[cell]):
        run, end = 0, place + 1
        while INNER >> ORDER[end] & 1:
            run |= CELLS[ORDER[end]]
            end += 1
            found[end + 1] = run
    return found


_RUNS = {cell: _runs(cell) for cell in grid.bits(INNER)}


def reach(own: int, enemy: int, jokers: int, free: int) -> int:
    """Return where a disc can be placed: behind every run of enemy discs that ends at an own disc or a joker.

    All sets are eightfold. The result has one bit for each run, in the board of the run's direction, so it is not a
    whole eightfold set.
    """
    return ((own | jokers) << 1 & enemy) + enemy & free


def turned(own: int, enemy: int, jokers: int, cell: int) -> int:
    """Return the eightfold set of the enemy discs that an own disc on `cell` turns over."""
    ends = (CELLS[cell] << 1 & enemy) + enemy & (own | jokers)
    runs = _RUNS[cell]
    found = 0
    while ends:
        end = ends.bit_length()
        found |= runs[end]
        ends ^= 1 << end - 1
    return found
