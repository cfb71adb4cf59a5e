"""The map: ten rows of text, from the top one down, and what may stand where.

`#` wall, `J` joker, `*` bonus, `.` empty, `X` black, `O` white.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from parlour.games import grid
from parlour.games.mapello.rules import CENTRE, EVERYWHERE, INNER, RIM, SIDE, State, position
from parlour.protocol.errors import ErrorCode, Refusal

DEFAULT, RANDOM = "default", "random"
CHOICES = (DEFAULT, RANDOM)

MOST = 8  # jokers, walls inside the rim, bonuses

BARE = "##########/#........#/#........#/#........#/#...XO...#/#...OX...#/#........#/#........#/#........#/##########"
_DEFAULT = "####J#####/##.*..*.##/#.....#..#/J*#.....*J/J...XO...#/#...OX..*#/#*.....#.J/J..#.....#/##.*...*##/###J###J##"

_NAMES = grid.grid(SIDE, SIDE).names
_LETTERS = "#J*.XO"
_BREAK = re.compile(r"/|\r\n|\n|\r")


def initial(board: str, seed: int) -> State:
    """The first position on a settled board."""
    text = {DEFAULT: _DEFAULT, RANDOM: ""}.get(board, board) or drawn(seed)
    cells = sets(text.split("/"))
    return position(cells["X"], cells["O"], cells["J"], cells["#"], cells["*"])


def drawn(seed: int) -> str:
    """The random board of that seed: as many jokers, walls and bonuses as may be, each cell as likely as any other."""
    # A game is replayed from its seed, so a seed must mean the same board for ever. Of all that Python's generator
    # offers, only the numbers from random() are promised to stay the same from version to version.
    chance = Random(seed)
    letters = list(_letters(BARE.split("/")))
    rim, inner = list(grid.bits(RIM)), list(grid.bits(INNER & ~CENTRE))
    for letter, cells in (("J", rim), ("#", inner), ("*", inner)):
        for _ in range(MOST):
            letters[cells.pop(int(chance.random() * len(cells)))] = letter
    return "/".join(_rows(letters))


def settled(board: str) -> str:
    """The name of a board, or a layout with its rows joined by `/`; refuses a layout that breaks a rule.

    The rows given may be joined by `/` or by line breaks.
    """
    if board in CHOICES:
        return board
    rows = _BREAK.split(board.strip())
    if fault := misshapen(rows) or misplaced(rows) or _discs_fault(rows):
        raise Refusal(ErrorCode.LAYOUT_INVALID, fault)
    return "/".join(rows)


# -- checks, shared with position texts: each tells the first fault from the top, or nothing


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
    """What stands on the rim or inside it and should not, or too often."""
    met = {"J": 0, "#": 0, "*": 0}
    names = {"J": "joker", "#": "wall inside the rim", "*": "bonus"}
    for number, row in _numbered(rows):
        for column, letter in enumerate(row):
            cell = (number - 1) * SIDE + column
            if RIM >> cell & 1:
                if letter not in "#J":
                    return f"Row {number} has “{letter}” on {_NAMES[cell]}, which is rim: only # or J can be there."
                if letter == "#":
                    continue
            elif letter == "J":
                return f"Row {number} has a joker on {_NAMES[cell]}; jokers stand on the rim only."
            if letter in met:
                met[letter] += 1
                if met[letter] > MOST:
                    return f"Row {number} has one {names[letter]} too many; a board has at most {MOST}."
    return ""


def _discs_fault(rows: Sequence[str]) -> str:
    """What is wrong with the discs for a game that has not begun."""
    for (number, row), bare in zip(_numbered(rows), BARE.split("/"), strict=True):
        for column, (letter, wanted) in enumerate(zip(row, bare, strict=True)):
            name = _NAMES[(number - 1) * SIDE + column]
            if wanted in "XO" and letter != wanted:
                return f"Row {number} has “{letter}” on {name}; a game begins with {wanted} there."
            if letter in "XO" and wanted not in "XO":
                return f"Row {number} has a disc on {name}; a game begins with the four discs in the centre only."
    return ""


# -- rows of text and sets of cells


def sets(rows: Sequence[str]) -> dict[str, int]:
    """The plain set of the cells of each character."""
    found = dict.fromkeys(_LETTERS, 0)
    for cell, letter in enumerate(_letters(rows)):
        found[letter] |= 1 << cell
    return found


def text(cells: dict[str, int]) -> str:
    """The rows, joined, with each character on its cells. The opposite of `sets`."""
    letters = [""] * EVERYWHERE.bit_count()
    for letter, where in cells.items():
        for cell in grid.bits(where):
            letters[cell] = letter
    return "/".join(_rows(letters))


def _letters(rows: Sequence[str]) -> str:
    """One character a cell, in the order of the cells."""
    return "".join(reversed(rows))


def _rows(letters: Sequence[str]) -> list[str]:
    return ["".join(letters[start : start + SIDE]) for start in range((SIDE - 1) * SIDE, -1, -SIDE)]


def _numbered(rows: Sequence[str]) -> list[tuple[int, str]]:
    """The rows with the numbers that players know them by."""
    return list(zip(range(SIDE, 0, -1), rows, strict=True))
