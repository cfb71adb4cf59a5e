"""Mitsudomoe as a naive program: it tries every ring step on a copy of the board, then every ball step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations

Cell = tuple[int, int]  # row and column
Board = list[list[str]]  # a cell is its stack from bottom to top, "" when empty; row 0 is the bottom row

# The ball's source and target, and where vaulted enemy balls end up.
BallStep = tuple[Cell, Cell, tuple[Cell, ...]]

# The ring's source (None: the supply) and target, and the ball step; None: there is none, so the mover loses.
Turn = tuple[Cell | None, Cell, BallStep | None]

SIZE = 5
AROUND = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
HOMES = {"w": [(0, 0), (0, 1), (1, 0)], "b": [(4, 4), (4, 3), (3, 4)]}
NAMES = {"w": "white", "b": "black"}


@dataclass
class Position:
    """The pieces on the board and in the supply."""

    board: Board
    side: str  # "w", "b", or "-" when the game is over
    supply: dict[str, int]
    passive: bool
    original: bool
    winner: str | None = None


def parse(text: str, **options: object) -> Position:
    """Return the position with that text."""
    rows, side, supply = text.split(" ")
    white, black = supply.split(",")
    position = Position(
        board=[["" if cell == "." else cell for cell in row.split(",")] for row in reversed(rows.split("/"))],
        side=side,
        supply={"w": int(white), "b": int(black)},
        passive=bool(options.get("passive", True)),
        original=options.get("rules") == "original",
    )
    _end_if_stuck(position)
    return position


def print(position: Position) -> str:
    """Return the position as one line of text."""
    rows = "/".join(",".join(cell or "." for cell in row) for row in reversed(position.board))
    return f"{rows} {position.side} {position.supply['w']},{position.supply['b']}"


def turns(position: Position) -> list[Turn]:
    """Return all legal turns, in no particular order."""
    return list(_turns(position))


def make(position: Position, turn: Turn) -> Position:
    """Return the position after a legal turn."""
    ring_from, ring_to, ball_step = turn
    side = position.side
    supply = dict(position.supply)
    if ring_from is None:
        supply[side] -= 1
    board = _with_ring_moved(position.board, side, ring_from, ring_to)
    if ball_step is None:
        return Position(board, "-", supply, position.passive, position.original, NAMES[_enemy(side)])
    ball_from, ball_to, relocated = ball_step
    if relocated:
        for cell in _line_of_balls(board, ball_from, _direction(ball_from, ball_to)):
            if _top(board, cell) == _enemy(side).upper():
                _lift(board, cell)
    _lift(board, ball_from)
    _put(board, ball_to, side.upper())
    for cell in relocated:
        _put(board, cell, _enemy(side).upper())

    after = Position(board, _enemy(side), supply, position.passive, position.original)
    if all(_top(board, goal) == side.upper() for goal in HOMES[_enemy(side)]):
        after.winner = NAMES[side]
        after.side = "-"
    elif position.passive and not position.original and all(_has_ball(board, home) for home in HOMES[side]):
        after.winner = NAMES[_enemy(side)]
        after.side = "-"
    _end_if_stuck(after)
    return after


def write(turn: Turn) -> str:
    """Return the text of a turn."""
    ring_from, ring_to, ball_step = turn
    ring = f"+{_name(ring_to)}" if ring_from is None else f"{_name(ring_from)}-{_name(ring_to)}"
    if ball_step is None:
        return ring
    ball_from, ball_to, relocated = ball_step
    text = f"{ring} {_name(ball_from)}-{_name(ball_to)}"
    if relocated:
        text += " =" + ",".join(sorted(_name(cell) for cell in relocated))
    return text


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
    """Return the winner, or None if the game is not over. A position does not know about repetition."""
    return position.winner


def scores(position: Position) -> list[int]:
    """Return nothing, because Mitsudomoe has no points."""
    return []


def _turns(position: Position) -> Iterator[Turn]:
    if position.side == "-":
        return
    for ring_from, ring_to in _ring_steps(position):
        board = _with_ring_moved(position.board, position.side, ring_from, ring_to)
        found = False
        for ball_step in _ball_steps(board, position.side, position.original):
            yield (ring_from, ring_to, ball_step)
            found = True
        if position.original and not found:
            yield (ring_from, ring_to, None)


def _ring_steps(position: Position) -> Iterator[tuple[Cell | None, Cell]]:
    board, side = position.board, position.side
    cells = [(row, column) for row in range(SIZE) for column in range(SIZE)]
    sources: list[Cell | None] = [cell for cell in cells if _top(board, cell) == side]
    if position.supply[side] > 0:
        sources.append(None)
    for source in sources:
        for target in cells:
            if target != source and not _has_ball(board, target):
                yield (source, target)


def _ball_steps(board: Board, side: str, original: bool) -> Iterator[BallStep]:
    for row in range(SIZE):
        for column in range(SIZE):
            ball = (row, column)
            if _top(board, ball) == side.upper() and (original or ball not in HOMES[_enemy(side)]):
                for direction in AROUND:
                    yield from _ball_steps_towards(board, side, ball, direction, original)


def _ball_steps_towards(board: Board, side: str, ball: Cell, direction: Cell, original: bool) -> Iterator[BallStep]:
    """Yield the step to the adjacent cell, or the vaults over the line of balls that starts there."""
    line = _line_of_balls(board, ball, direction)
    landing = (ball[0] + direction[0] * (len(line) + 1), ball[1] + direction[1] * (len(line) + 1))
    if not _inside(landing) or _top(board, landing) != side:
        return
    enemies = [cell for cell in line if _top(board, cell) == _enemy(side).upper()]
    if not enemies:
        yield (ball, landing, ())
    elif original:
        # The targets are listed before the vault, and each of them is used at most once.
        shown = [(row, column) for row in range(SIZE) for column in range(SIZE)]
        targets = [cell for cell in shown if _top(board, cell) == _enemy(side)]
        for final in combinations(targets, len(enemies)):
            yield (ball, landing, final)
    elif not any(cell in HOMES[side] for cell in enemies):
        after_landing = [row[:] for row in board]
        _lift(after_landing, ball)
        _put(after_landing, landing, side.upper())
        for final in _relocations(after_landing, _enemy(side), enemies):
            yield (ball, landing, final)


def _relocations(board: Board, colour: str, balls: list[Cell]) -> set[tuple[Cell, ...]]:
    """Return the sets of cells on which balls can end up that are relocated one by one, in any order."""
    finals: set[tuple[Cell, ...]] = set()
    for order in permutations(balls):
        _relocate_in_order(board, colour, list(order), [], finals)
    return finals


def _relocate_in_order(
    board: Board, colour: str, balls: list[Cell], placed: list[Cell], finals: set[tuple[Cell, ...]]
) -> None:
    if not balls:
        finals.add(tuple(sorted(placed)))
        return
    first, *rest = balls
    for row in range(SIZE):
        for column in range(SIZE):
            if board[row][column].endswith(colour):
                after = [line[:] for line in board]
                _lift(after, first)
                _put(after, (row, column), colour.upper())
                _relocate_in_order(after, colour, rest, [*placed, (row, column)], finals)


def _with_ring_moved(board: Board, side: str, source: Cell | None, target: Cell) -> Board:
    board = [row[:] for row in board]
    if source is not None:
        _lift(board, source)
    _put(board, target, side)
    return board


def _line_of_balls(board: Board, start: Cell, direction: Cell) -> list[Cell]:
    """Return the consecutive cells with balls that follow `start` in a direction."""
    line = []
    cell = (start[0] + direction[0], start[1] + direction[1])
    while _inside(cell) and _has_ball(board, cell):
        line.append(cell)
        cell = (cell[0] + direction[0], cell[1] + direction[1])
    return line


def _end_if_stuck(position: Position) -> None:
    if position.side != "-" and next(_turns(position), None) is None:
        position.winner = NAMES[_enemy(position.side)]
        position.side = "-"


def _direction(start: Cell, end: Cell) -> Cell:
    def sign(number: int) -> int:
        return (number > 0) - (number < 0)

    return (sign(end[0] - start[0]), sign(end[1] - start[1]))


def _top(board: Board, cell: Cell) -> str:
    return board[cell[0]][cell[1]][-1:]


def _has_ball(board: Board, cell: Cell) -> bool:
    return _top(board, cell) in ("W", "B")


def _put(board: Board, cell: Cell, piece: str) -> None:
    board[cell[0]][cell[1]] += piece


def _lift(board: Board, cell: Cell) -> None:
    board[cell[0]][cell[1]] = board[cell[0]][cell[1]][:-1]


def _enemy(side: str) -> str:
    return "b" if side == "w" else "w"


def _inside(cell: Cell) -> bool:
    return 0 <= cell[0] < SIZE and 0 <= cell[1] < SIZE


def _name(cell: Cell) -> str:
    return f"{chr(ord('a') + cell[1])}{cell[0] + 1}"
