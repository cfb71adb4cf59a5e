"""Mapello's boards as text: ten rows from the top down.

`#` wall, `J` joker, `*` bonus, `.` empty, `X` black, `O` white.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from msgspec.structs import replace

from parlour.games import grid
from parlour.games.layouts import LayoutPiece, LayoutSpec
from parlour.games.mapello.board import BLACK, BONUS, CENTRE, INNER, JOKER, RIM, SIDE, WALL, WHITE

DEFAULT, RANDOM = "default", "random"
CHOICES = (DEFAULT, RANDOM)

MOST = 8  # jokers, walls inside the rim, bonuses

BARE_ROWS = (
    "##########",
    "#........#",
    "#........#",
    "#........#",
    "#...XO...#",
    "#...OX...#",
    "#........#",
    "#........#",
    "#........#",
    "##########",
)

DEFAULT_ROWS = (
    "####J#####",
    "##.*..*.##",
    "#.....#..#",
    "J*#.....*J",
    "J...XO...#",
    "#...OX..*#",
    "#*.....#.J",
    "J..#.....#",
    "##.*...*##",
    "###J###J##",
)

_PLAYABLE, _FREE, _RIM = (tuple(grid.bits(cells)) for cells in (INNER, INNER & ~CENTRE, RIM))

# What a player may place on the bare board.
LAYOUT = LayoutSpec(
    columns=SIDE,
    rows=SIDE,
    blank="/".join(BARE_ROWS),
    pieces=(
        LayoutPiece("#", "wall", WALL, _FREE, MOST),
        LayoutPiece("*", "bonus", BONUS, _FREE, MOST),
        LayoutPiece("J", "joker", JOKER, _RIM, MOST),
    ),
    fixed=((44, WHITE), (45, BLACK), (54, BLACK), (55, WHITE)),
)

# What the board of a position may hold: discs, too.
POSITION = replace(
    LAYOUT,
    pieces=(
        *LAYOUT.pieces,
        LayoutPiece("X", "black disc", BLACK, _PLAYABLE, len(_PLAYABLE)),
        LayoutPiece("O", "white disc", WHITE, _PLAYABLE, len(_PLAYABLE)),
    ),
    fixed=(),
)


def chosen(board: str, seed: int) -> Sequence[str]:
    """Return the rows of the board that checked options name."""
    if board == DEFAULT:
        return DEFAULT_ROWS
    if board == RANDOM:
        return drawn(seed)
    return board.split("/")


def drawn(seed: int) -> tuple[str, ...]:
    """Return the rows of a random board, with the full number of jokers, walls and bonuses on random free cells."""
    # Records are replayed from the seed, so a seed must always produce the same board. Python guarantees only the
    # sequence of random() across versions, not what sample() or choice() make of it.
    chance = Random(seed)
    rim, inner = list(_RIM), list(_FREE)
    letters = list(_in_cell_order(BARE_ROWS))
    for letter, free in (("J", rim), ("#", inner), ("*", inner)):
        for _ in range(MOST):
            letters[free.pop(int(chance.random() * len(free)))] = letter
    return _rows(letters)


# -- rows of text and sets of cells


def sets(rows: Sequence[str]) -> dict[str, int]:
    """Return the plain set of the cells of each character."""
    found = dict.fromkeys("#J*.XO", 0)
    for cell, letter in enumerate(_in_cell_order(rows)):
        found[letter] |= 1 << cell
    return found


def drawing(cells: Mapping[str, int]) -> tuple[str, ...]:
    """Return the rows with each character on its cells: the inverse of `sets`."""
    letters = [""] * (SIDE * SIDE)
    for letter, where in cells.items():
        for cell in grid.bits(where):
            letters[cell] = letter
    return _rows(letters)


def _in_cell_order(rows: Sequence[str]) -> str:
    return "".join(reversed(rows))


def _rows(letters: Sequence[str]) -> tuple[str, ...]:
    """Return the rows, given the characters in cell order."""
    return tuple("".join(letters[start : start + SIDE]) for start in range((SIDE - 1) * SIDE, -1, -SIDE))
