"""The bars of Isaac: every place on the board where one can be, with everything that can be precomputed.

A set of bars is an int, like a set of cells: bit `bar.number` stands for the bar. Ten numbers belong to each
cell, one for each length and direction of a bar that has its low end (left or bottom) there.
"""

from __future__ import annotations

from msgspec import Struct

from parlour.games import grid

SIZE = 10
CELLS = SIZE * SIZE
BOARD = grid.grid(SIZE, SIZE)

LENGTHS = (3, 4, 5, 6, 7)
VALUES = {3: 1, 4: 2, 5: 3, 6: 4, 7: 6}

# The number of bars of each length that a side has, in the order of `LENGTHS`.
Hand = tuple[int, int, int, int, int]
FULL_HAND: Hand = (5, 4, 3, 2, 1)


class Bar(Struct, frozen=True):
    """A bar at one place of the board."""

    number: int
    bit: int  # the set that holds this bar alone
    name: str  # `c4-g4`
    low: int
    high: int
    length: int
    value: int
    upright: bool
    cells: int  # the set of cells it covers
    line: int  # the set of cells of its whole row or column
    shift: int  # the shift of that line in a tally
    touched: int  # the tally of this bar alone


def _tally(cells: tuple[int, ...]) -> int:
    """Return a tally, which counts the pieces on each of the 20 lines. Tallies of several pieces can be added.

    It has eight bits for each line, rows first: four for bars (no line has room for 16), four for counters.
    """
    rows, columns = {cell // SIZE for cell in cells}, {cell % SIZE for cell in cells}
    return sum(1 << 8 * row for row in rows) + sum(1 << 8 * (SIZE + column) for column in columns)


def _bar(line: tuple[int, ...], upright: bool, start: int, length: int) -> Bar:
    cells = line[start : start + length]
    low, high = cells[0], cells[-1]
    return Bar(
        number=number(low, length, upright),
        bit=1 << number(low, length, upright),
        name=f"{BOARD.names[low]}-{BOARD.names[high]}",
        low=low,
        high=high,
        length=length,
        value=VALUES[length],
        upright=upright,
        cells=grid.mask(cells),
        line=grid.mask(line),
        shift=8 * (SIZE + low % SIZE if upright else low // SIZE),
        touched=_tally(cells),
    )


def number(low: int, length: int, upright: bool) -> int:
    """Return the number of the bar with that low end."""
    return 10 * low + 5 * upright + length - 3


ROWS = tuple(BOARD.lines(grid.EAST))
COLUMNS = tuple(BOARD.lines(grid.NORTH))

BARS = {
    bar.number: bar
    for upright, lines in ((False, ROWS), (True, COLUMNS))
    for line in lines
    for length in LENGTHS
    for bar in (_bar(line, upright, start, length) for start in range(SIZE - length + 1))
}
BY_NAME = {bar.name: bar for bar in BARS.values()}

# By length: the set of bars of at least that length. Index 0 means any length.
AT_LEAST = tuple(grid.mask([bar.number for bar in BARS.values() if bar.length >= length]) for length in range(8))

# By cell: the set of bars that do not cover it.
CLEAR_OF = tuple(grid.mask([bar.number for bar in BARS.values() if not bar.cells >> cell & 1]) for cell in range(CELLS))

# By cell: the tally of a counter that stands there.
STANDING = tuple(_tally((cell,)) << 4 for cell in range(CELLS))


def listed(bars: int) -> list[Bar]:
    """Return the bars of a set, by rising low ends."""
    return [BARS[bit] for bit in grid.bits(bars)]
