"""Mapello as a naive program: a list of lists, and a walk in eight directions from every cell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Turn = tuple[int, int]  # row and column

SIZE = 10
AROUND = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
DISCS = {"b": "X", "w": "O"}


@dataclass
class Position:
    """A row of the board is a list of characters as in the position text; row 0 is the bottom row."""

    board: list[list[str]]
    side: str  # "b", "w", or "-" when the game is over
    bonus: dict[str, int]


def parse(text: str, **options: object) -> Position:
    """Return the position with that text, which already reflects the options."""
    rows, side, points = text.split(" ")
    black, white = points.split(",")
    board = [list(row) for row in reversed(rows.split("/"))]
    position = Position(board, side, {"b": int(black), "w": int(white)})
    _skip_if_stuck(position)
    return position


def print(position: Position) -> str:
    """Return the position as one line of text."""
    rows = "/".join("".join(row) for row in reversed(position.board))
    return f"{rows} {position.side} {position.bonus['b']},{position.bonus['w']}"


def turns(position: Position) -> list[Turn]:
    """Return all legal turns, in no particular order."""
    return list(_turns(position))


def make(position: Position, turn: Turn) -> Position:
    """Return the position after a legal turn."""
    row, column = turn
    side = position.side
    board = [line[:] for line in position.board]
    bonus = dict(position.bonus)
    if board[row][column] == "*":
        bonus[side] += 3
    board[row][column] = DISCS[side]
    for down, right in AROUND:
        for turned_row, turned_column in _run(position, row, column, down, right):
            board[turned_row][turned_column] = DISCS[side]
    after = Position(board, _enemy(side), bonus)
    _skip_if_stuck(after)
    return after


def write(turn: Turn) -> str:
    """Return the text of a turn."""
    row, column = turn
    return f"{chr(ord('a') + column)}{row + 1}"


def moves(position: Position) -> list[str]:
    """Return the texts of all legal turns, in no particular order."""
    return [write(turn) for turn in turns(position)]


def play(position: Position, text: str) -> Position:
    """Return the position after the legal turn with that text."""
    for turn in turns(position):
        if write(turn) == text:
            return make(position, turn)
    raise ValueError(f"{text} is not legal in {print(position)}")


def winner(position: Position) -> str | None:
    """Return the winner or "draw", or None if the game is not over."""
    if position.side != "-":
        return None
    black, white = scores(position)
    if black == white:
        return "draw"
    return "black" if black > white else "white"


def scores(position: Position) -> list[int]:
    """Return the points of Black and White."""
    return [sum(row.count(DISCS[side]) for row in position.board) + position.bonus[side] for side in "bw"]


def _turns(position: Position) -> Iterator[Turn]:
    if position.side == "-":
        return
    for row in range(SIZE):
        for column in range(SIZE):
            if position.board[row][column] in ".*":
                for down, right in AROUND:
                    if _run(position, row, column, down, right):
                        yield (row, column)
                        break


def _run(position: Position, row: int, column: int, down: int, right: int) -> list[tuple[int, int]]:
    """Return the enemy discs that a disc placed on a cell flips in one direction."""
    enemy = DISCS[_enemy(position.side)]
    run = []
    row += down
    column += right
    while _inside(row, column) and position.board[row][column] == enemy:
        run.append((row, column))
        row += down
        column += right
    if _inside(row, column) and position.board[row][column] in (DISCS[position.side], "J"):
        return run
    return []


def _skip_if_stuck(position: Position) -> None:
    if position.side == "-" or next(_turns(position), None) is not None:
        return
    position.side = _enemy(position.side)
    if next(_turns(position), None) is None:
        position.side = "-"


def _enemy(side: str) -> str:
    return "w" if side == "b" else "b"


def _inside(row: int, column: int) -> bool:
    return 0 <= row < SIZE and 0 <= column < SIZE
