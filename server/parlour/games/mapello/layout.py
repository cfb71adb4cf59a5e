"""The map: ten rows of text, from the top one down, and what may stand where.

`#` wall, `J` joker, `*` bonus, `.` empty, `X` black, `O` white.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from parlour.games import grid
from parlour.games.mapello import rules
from parlour.games.mapello.rules import CENTRE, INNER, RIM, SIDE, State
from parlour.protocol.errors import ErrorCode, Refusal

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

_NAMES = grid.grid(SIDE, SIDE).names
_LETTERS = "#J*.XO"
_LIMITED = {"J": "joker", "#": "inner wall", "*": "bonus"}
_ROW_END = re.compile(r"/|\r\n|\n|\r")


def settled(board: str) -> str:
    """The name of a board, or a layout with its rows joined by `/`; refuses a layout that breaks a rule.

    The rows given may be joined by `/` or by line breaks.
    """
    if board in CHOICES:
        return board
    rows = _ROW_END.split(board.strip())
    if fault := misshapen(rows) or misplaced(rows) or _begun(rows):
        raise Refusal(ErrorCode.LAYOUT_INVALID, fault)
    return "/".join(rows)


def initial(board: str, seed: int) -> State:
    """The first position on a settled board."""
    cells = sets(_chosen(board, seed))
    return rules.position(cells["X"], cells["O"], jokers=cells["J"], walls=cells["#"], bonuses=cells["*"])


def _chosen(board: str, seed: int) -> Sequence[str]:
    if board == DEFAULT:
        return DEFAULT_ROWS
    if board == RANDOM:
        return drawn(seed)
    return board.split("/")


def drawn(seed: int) -> tuple[str, ...]:
    """The rows of a random board: as many jokers, walls and bonuses as may be, on any free cells."""
    # A game is replayed from its seed, so a seed must mean the same board for ever. Of all that Python's
    # generator offers, only the sequence of random() is promised to stay the same in every version.
    chance = Random(seed)
    rim, inner = list(grid.bits(RIM)), list(grid.bits(INNER & ~CENTRE))
    letters = list(_in_cell_order(BARE_ROWS))
    for letter, free in (("J", rim), ("#", inner), ("*", inner)):
        for _ in range(MOST):
            letters[free.pop(int(chance.random() * len(free)))] = letter
    return _rows(letters)


# -- what can be wrong: each tells the first fault from the top, or nothing


def misshapen(rows: Sequence[str]) -> str:
    """What is wrong with the size or the characters."""
    if len(rows) != SIDE:
        return f"A Mapello board has {SIDE} rows, not {len(rows)}."
    for number, row in _numbered(rows):
        if len(row) != SIDE:
            return f"Row {number} should have {SIDE} cells, not {len(row)}."
        for letter in row:
            if letter not in _LETTERS:
                shown = f"“{letter}”" if letter.isprintable() else f"the character U+{ord(letter):04X}"
                return f"Row {number} has {shown}; cells are written {' '.join(_LETTERS)}."
    return ""


def misplaced(rows: Sequence[str]) -> str:
    """What stands where it cannot, or is there too often."""
    met = dict.fromkeys(_LIMITED, 0)
    for cell, letter in _cells(rows):
        if RIM >> cell & 1:
            if letter not in "#J":
                return f"{_seen(cell, letter)}, which is rim; only # or J can be there."
            if letter == "#":
                continue
        elif letter == "J":
            return f"{_seen(cell, letter)}; jokers stand on the rim only."
        elif CENTRE >> cell & 1 and letter not in "XO":
            return f"{_seen(cell, letter)}; the four cells in the centre always have discs."
        if letter in met:
            met[letter] += 1
            if met[letter] > MOST:
                many = f"the ninth {_LIMITED[letter]} from the top; a board has at most {MOST}"
                return f"{_seen(cell, letter)}, {many}."
    return ""


def _begun(rows: Sequence[str]) -> str:
    """What is wrong with the discs for a game that has not begun."""
    for (cell, letter), (_, first) in zip(_cells(rows), _cells(BARE_ROWS), strict=True):
        if first in "XO" and letter != first:
            return f"{_seen(cell, letter)}; a game begins with {first} there."
        if letter in "XO" and letter != first:
            return f"{_seen(cell, letter)}; a game begins with discs in the centre only."
    return ""


def _seen(cell: int, letter: str) -> str:
    return f"Row {cell // SIDE + 1} has “{letter}” on {_NAMES[cell]}"


# -- rows of text and sets of cells


def sets(rows: Sequence[str]) -> dict[str, int]:
    """For each character the plain set of its cells."""
    found = dict.fromkeys(_LETTERS, 0)
    for cell, letter in enumerate(_in_cell_order(rows)):
        found[letter] |= 1 << cell
    return found


def drawing(cells: Mapping[str, int]) -> tuple[str, ...]:
    """The rows with each character on its cells: the opposite of `sets`."""
    letters = [""] * len(_NAMES)
    for letter, where in cells.items():
        for cell in grid.bits(where):
            letters[cell] = letter
    return _rows(letters)


def _in_cell_order(rows: Sequence[str]) -> str:
    return "".join(reversed(rows))


def _rows(letters: Sequence[str]) -> tuple[str, ...]:
    """The rows, of characters in the order of the cells."""
    return tuple("".join(letters[start : start + SIDE]) for start in range((SIDE - 1) * SIDE, -1, -SIDE))


def _numbered(rows: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The rows with the numbers that players know them by."""
    return zip(range(SIDE, 0, -1), rows, strict=True)


def _cells(rows: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Every cell and its character, from the top left."""
    for number, row in _numbered(rows):
        yield from enumerate(row, (number - 1) * SIDE)
