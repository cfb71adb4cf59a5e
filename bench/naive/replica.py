"""Replica as a naive program: a list of lists, and a walk along each line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

# From (row, column) to (row, column); a crowning ends where it starts.
Turn = tuple[int, int, int, int]

FORWARD = {"w": [(0, -1), (-1, 0), (-1, -1)], "b": [(0, 1), (1, 0), (1, 1)]}
AROUND = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
NAMES = {"w": "white", "b": "black"}


@dataclass
class Position:
    """A row of the board is a list of pieces; row 0 is the bottom row."""

    board: list[list[str]]
    side: str  # "w", "b", or "-" when the game is over
    two_kings: bool
    forward_sight: bool
    blocked_by_any: bool
    winner: str | None = None


def parse(text: str, **options: object) -> Position:
    """Return the position with that text."""
    rows, side = text.split(" ")
    position = Position(
        board=[list(row) for row in reversed(rows.split("/"))],
        side=side,
        two_kings=str(options.get("kings")) == "2",
        forward_sight=options.get("sight") == "forward",
        blocked_by_any=options.get("blocked_by") == "any",
    )
    _end_if_stuck(position)
    return position


def print(position: Position) -> str:
    """Return the position as one line of text."""
    rows = "/".join("".join(row) for row in reversed(position.board))
    return f"{rows} {position.side}"


def turns(position: Position) -> list[Turn]:
    """Return all legal turns, in no particular order."""
    return list(_turns(position))


def make(position: Position, turn: Turn) -> Position:
    """Return the position after a legal turn."""
    row, column, to_row, to_column = turn
    side = position.side
    board = [line[:] for line in position.board]
    captured = "."
    if (row, column) == (to_row, to_column):
        board[row][column] = side.upper()
    else:
        captured = board[to_row][to_column]
        board[to_row][to_column] = board[row][column]
        board[row][column] = "."

    after = Position(board, _enemy(side), position.two_kings, position.forward_sight, position.blocked_by_any)
    far = 0 if side == "w" else len(board) - 1
    if board[far][far] == side.upper() or captured == _enemy(side).upper():
        after.side = "-"
        after.winner = NAMES[side]
    _end_if_stuck(after)
    return after


def write(turn: Turn) -> str:
    """Return the text of a turn."""
    row, column, to_row, to_column = turn
    if (row, column) == (to_row, to_column):
        return f"{_cell(row, column)}=K"
    return f"{_cell(row, column)}-{_cell(to_row, to_column)}"


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
    """Return the winner, or None if the game is not over."""
    return position.winner


def scores(position: Position) -> list[int]:
    """Return nothing, because Replica has no points."""
    return []


def _turns(position: Position) -> Iterator[Turn]:
    if position.side == "-":
        return
    for row, line in enumerate(position.board):
        for column, piece in enumerate(line):
            if piece.lower() == position.side:
                yield from _advances(position, row, column)
                if piece == position.side and _may_be_crowned(position, row, column):
                    yield (row, column, row, column)


def _advances(position: Position, row: int, column: int) -> Iterator[Turn]:
    board = position.board
    for down, right in FORWARD[position.side]:
        to_row, to_column = row + down, column + right
        while _inside(board, to_row, to_column) and board[to_row][to_column].lower() == position.side:
            to_row += down
            to_column += right
        if _inside(board, to_row, to_column):
            yield (row, column, to_row, to_column)


def _may_be_crowned(position: Position, row: int, column: int) -> bool:
    board = position.board
    king = position.side.upper()
    if position.two_kings and sum(line.count(king) for line in board) >= 2:
        return False
    # The walk goes from the man to the king, so in the opposite of the king's forward directions.
    towards_king = AROUND
    if position.forward_sight:
        towards_king = [(-down, -right) for down, right in FORWARD[position.side]]
    for down, right in towards_king:
        at_row, at_column = row + down, column + right
        while _inside(board, at_row, at_column) and board[at_row][at_column].lower() != _enemy(position.side):
            if board[at_row][at_column] == king:
                return True
            if position.blocked_by_any and board[at_row][at_column] != ".":
                break
            at_row += down
            at_column += right
    return False


def _end_if_stuck(position: Position) -> None:
    if position.side != "-" and next(_turns(position), None) is None:
        position.winner = NAMES[_enemy(position.side)]
        position.side = "-"


def _enemy(side: str) -> str:
    return "b" if side == "w" else "w"


def _inside(board: list[list[str]], row: int, column: int) -> bool:
    return 0 <= row < len(board) and 0 <= column < len(board)


def _cell(row: int, column: int) -> str:
    return f"{chr(ord('a') + column)}{row + 1}"
