"""Mapello's notation: moves such as `f4`, and positions such as `####J#####/…/###J###J## b 3,0`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from parlour.games import grid, layouts
from parlour.games.api import Move, Seat
from parlour.games.mapello import layout, rules
from parlour.games.mapello.board import BLACK, CENTRE, EVERYWHERE, GRID, WHITE
from parlour.games.mapello.rules import BONUS_POINTS, Rules, State
from parlour.games.options import Options
from parlour.protocol.errors import ErrorCode, Refusal

_POINTS = re.compile(r"(0|[1-9][0-9]?),(0|[1-9][0-9]?)", re.ASCII)
_TURNS: Mapping[str, Seat | None] = {"b": BLACK, "w": WHITE, "-": None}


class Notation(Rules):
    def place(self, state: State, pick: int) -> str:
        return GRID.name(pick)

    def write(self, state: State, move: Move) -> str:
        return GRID.names[move[0]]

    def scan(self, state: State, text: str) -> Move:
        cell = GRID.cell(text)
        if cell is not None:
            return (cell,)
        if grid.looks_like_cell(text):
            raise Refusal(ErrorCode.MOVE_MALFORMED, f"This board has no cell {text}; its cells are a1 to j10.")
        raise Refusal(ErrorCode.MOVE_MALFORMED, "A Mapello move is written as the cell of the new disc, like f4.")

    def print(self, state: State) -> str:
        rows = layout.drawing(
            {
                "#": rules.walls(state),
                "J": state.jokers & EVERYWHERE,
                "X": state.black & EVERYWHERE,
                "O": state.white & EVERYWHERE,
                ".": state.free & EVERYWHERE & ~state.bonuses,
                "*": state.bonuses,
            }
        )
        turn = "-" if state.turn is None else "bw"[state.turn]
        return f"{'/'.join(rows)} {turn} {state.points[BLACK]},{state.points[WHITE]}"

    def parse(self, text: str, options: Options) -> State:
        """Return the position of a text. The text has the whole board, whatever board the options name."""
        rows, turn, points = taken_apart(text)
        cells = layout.sets(rows)
        if fault := layouts.misplaced(layout.POSITION, rows) or _contradiction(cells, points):
            raise _impossible(fault)
        state = self.position(cells, points, BLACK if turn is None else turn)
        if turn is None and state.turn is not None:
            raise _impossible(f"The text says that the game is over, but {self.info.seats[state.turn].name} can move.")
        return state


def taken_apart(text: str) -> tuple[Sequence[str], Seat | None, tuple[int, int]]:
    """Return the rows, the side to move and the bonus points; refuse text that is not in the notation."""
    fields = text.split(" ", 3)
    if len(fields) != 3 or fields[1] not in _TURNS:
        raise _malformed(
            "A Mapello position is its rows, then b, w or -, then the bonus points of Black and White "
            "like 3,0, separated by single spaces."
        )
    rows = fields[0].split("/")
    if fault := layouts.malformed(layout.POSITION, rows):
        raise _malformed(fault)
    numbers = _POINTS.fullmatch(fields[2])
    if numbers is None:
        raise _malformed("Bonus points are two numbers of one or two digits with a comma between, like 3,0.")
    return rows, _TURNS[fields[1]], (int(numbers[1]), int(numbers[2]))


def _contradiction(cells: Mapping[str, int], points: tuple[int, int]) -> str:
    """Say why no game can have reached this position, or return nothing."""
    for given in points:
        if given % BONUS_POINTS:
            return f"{given} bonus points are impossible: every bonus gives {BONUS_POINTS}."
    taken, left = sum(points) // BONUS_POINTS, cells["*"].bit_count()
    if taken + left > layout.MOST:
        return f"Bonuses taken: {taken}, left: {left}; together a board has at most {layout.MOST}."
    # Every bonus was taken by a disc that is still on its cell, and the first four discs took none.
    discs = (cells["X"] | cells["O"]).bit_count()
    if taken > discs - CENTRE.bit_count():
        return f"Bonuses taken: {taken}; {discs} discs are too few for that."
    return ""


def _malformed(sentence: str) -> Refusal:
    return Refusal(ErrorCode.POSITION_MALFORMED, sentence)


def _impossible(sentence: str) -> Refusal:
    return Refusal(ErrorCode.POSITION_IMPOSSIBLE, sentence)
