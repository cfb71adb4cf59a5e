"""Isaac as a naive program: a list of lists whose cells hold the bar that covers them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

SIZE = 10
LENGTHS = [3, 4, 5, 6, 7]
VALUES = {3: 1, 4: 2, 5: 3, 6: 4, 7: 6}
NAMES = {"d": "dark", "l": "light"}


class Bar(NamedTuple):
    """A bar on the board, located by its lower or left end."""

    owner: str
    row: int
    column: int
    length: int
    horizontal: bool

    def cells(self) -> list[tuple[int, int]]:
        """Return the cells that it covers, as rows and columns."""
        if self.horizontal:
            return [(self.row, self.column + offset) for offset in range(self.length)]
        return [(self.row + offset, self.column) for offset in range(self.length)]


Turn = tuple[Bar, int | None]  # the bar placed, with None; or the bar removed, with the squares walked


@dataclass
class Position:
    """Cells hold the bar that covers them, or None; row 0 is the bottom row."""

    board: list[list[Bar | None]]
    side: str  # "d", "l", or "-" when the game is over
    scoring: bool
    hands: dict[str, dict[int, int]]  # unplaced bars by length
    scores: dict[str, int]
    longest: dict[str, int]
    out: set[str]


def parse(text: str, **options: object) -> Position:
    """Return the position with that text."""
    bars, side, phase, hands, scores, longest, out = text.split(" ")
    board: list[list[Bar | None]] = [[None] * SIZE for _ in range(SIZE)]
    if bars != ".":
        for bar in map(_read_bar, bars.split(",")):
            for row, column in bar.cells():
                board[row][column] = bar
    position = Position(
        board=board,
        side=side,
        scoring=phase == "s",
        hands={
            owner: dict(zip(LENGTHS, map(int, hand), strict=True))
            for owner, hand in zip("dl", hands.split(","), strict=True)
        },
        scores=dict(zip("dl", map(int, scores.split(",")), strict=True)),
        longest=dict(zip("dl", map(int, longest.split(",")), strict=True)),
        out=set(out.replace("-", "")),
    )
    _skip_if_stuck(position)
    return position


def print(position: Position) -> str:
    """Return the position as one line of text."""
    return " ".join(
        [
            ",".join(sorted(bar.owner.upper() + _ends(bar) for bar in _bars(position))) or ".",
            position.side,
            "s" if position.scoring else "p",
            ",".join("".join(str(position.hands[owner][length]) for length in LENGTHS) for owner in "dl"),
            f"{position.scores['d']},{position.scores['l']}",
            f"{position.longest['d']},{position.longest['l']}",
            "".join(sorted(position.out)) or "-",
        ]
    )


def turns(position: Position) -> list[Turn]:
    """Return all legal turns, in no particular order."""
    return list(_turns(position))


def make(position: Position, turn: Turn) -> Position:
    """Return the position after a legal turn."""
    bar, squares = turn
    side = position.side
    after = Position(
        board=[row[:] for row in position.board],
        side=side,
        scoring=position.scoring,
        hands={owner: dict(hand) for owner, hand in position.hands.items()},
        scores=dict(position.scores),
        longest=dict(position.longest),
        out=set(position.out),
    )
    for row, column in bar.cells():
        after.board[row][column] = bar if squares is None else None
    if squares is None:
        after.hands[side][bar.length] -= 1
    else:
        after.scores[side] += squares
        after.longest[side] = bar.length
        if after.scores[side] >= 100:
            after.side = "-"
            return after
    after.side = _enemy(side)
    _skip_if_stuck(after)
    return after


def write(turn: Turn) -> str:
    """Return the text of a turn."""
    bar, squares = turn
    return _ends(bar) if squares is None else f"x{_ends(bar)}+{squares}"


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
    if position.side != "-":
        return None
    dark, light = scores(position)
    if dark != light:
        return "dark" if dark > light else "light"
    dark_line, light_line = _unplaced_line(position, "d"), _unplaced_line(position, "l")
    return "light" if light_line > dark_line else "dark"


def scores(position: Position) -> list[int]:
    """Return the points of Dark and Light."""
    return [position.scores["d"], position.scores["l"]]


def _turns(position: Position) -> Iterator[Turn]:
    if position.side == "-":
        return
    if position.scoring:
        yield from _removals(position)
    else:
        yield from _placements(position)


def _placements(position: Position) -> Iterator[Turn]:
    for length, left in position.hands[position.side].items():
        if left == 0:
            continue
        for row in range(SIZE):
            for column in range(SIZE):
                for horizontal in (True, False):
                    bar = Bar(position.side, row, column, length, horizontal)
                    if _fits(position, bar):
                        yield (bar, None)


def _fits(position: Position, bar: Bar) -> bool:
    for row, column in bar.cells():
        if row >= SIZE or column >= SIZE or position.board[row][column] is not None:
            return False
    return True


def _removals(position: Position) -> Iterator[Turn]:
    side = position.side
    counters = _counters(position)
    for bar in _bars(position):
        if bar.owner != side or bar.length < position.longest[side]:
            continue
        if any(counter in bar.cells() for counter in counters):
            continue
        for squares in range(_points(position, bar) + 1):
            if squares == 0 or position.scores[side] + squares + position.scores[_enemy(side)] != 99:
                yield (bar, squares)


def _points(position: Position, bar: Bar) -> int:
    if bar.horizontal:
        line = [(bar.row, column) for column in range(SIZE)]
    else:
        line = [(row, bar.column) for row in range(SIZE)]
    others = {position.board[row][column] for row, column in line} - {bar, None}
    counters = sum(counter in line for counter in _counters(position))
    return int(VALUES[bar.length] * len(others) * 2**counters)


def _counters(position: Position) -> list[tuple[int, int]]:
    return [divmod(99 - position.scores["d"], SIZE), divmod(position.scores["l"], SIZE)]


def _skip_if_stuck(position: Position) -> None:
    """Pass the turn to the next side that can move, and change the phase or end the game if neither can."""
    if position.side == "-":
        return
    for _ in range(2):
        if position.side not in position.out:
            if next(_turns(position), None) is not None:
                return
            position.out.add(position.side)
        position.side = _enemy(position.side)
    if position.scoring:
        position.side = "-"
    else:
        position.scoring = True
        position.out = set()
        _skip_if_stuck(position)


def _bars(position: Position) -> list[Bar]:
    """Return every bar on the board once."""
    return list(dict.fromkeys(bar for row in position.board for bar in row if bar is not None))


def _unplaced_line(position: Position, owner: str) -> tuple[int, int]:
    """Return a key for the length of the line of unplaced bars: its squares, then how few bars make it up."""
    hand = position.hands[owner]
    return (sum(length * left for length, left in hand.items()), -sum(hand.values()))


def _read_bar(text: str) -> Bar:
    low, high = text[1:].split("-")
    row, column = int(low[1:]) - 1, ord(low[0]) - ord("a")
    to_row, to_column = int(high[1:]) - 1, ord(high[0]) - ord("a")
    return Bar(text[0].lower(), row, column, max(to_row - row, to_column - column) + 1, row == to_row)


def _ends(bar: Bar) -> str:
    row, column = bar.cells()[-1]
    return f"{_cell(bar.row, bar.column)}-{_cell(row, column)}"


def _cell(row: int, column: int) -> str:
    return f"{chr(ord('a') + column)}{row + 1}"


def _enemy(side: str) -> str:
    return "l" if side == "d" else "d"
