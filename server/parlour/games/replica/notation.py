"""Replica's notation: `e7-d6`, `e8=K`, and positions such as `....wwwW/…/Bbbb.... w`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from parlour.games import grid
from parlour.games.api import UNKNOWN, Move, Seat
from parlour.games.options import Options
from parlour.games.replica import rules
from parlour.games.replica.board import BLACK, WHITE, board
from parlour.games.replica.rules import Rules, State
from parlour.protocol.errors import ErrorCode, Refusal

_ADVANCE = re.compile(r"([a-z]\d{1,2})-([a-z]\d{1,2})", re.ASCII)
_CROWNING = re.compile(r"([a-z]\d{1,2})=K", re.ASCII)

TURNS: Mapping[str, Seat | None] = {"w": WHITE, "b": BLACK, "-": None}


class Notation(Rules):
    def place(self, state: State, pick: int) -> str:
        return grid.grid(state.size, state.size).name(pick)

    def write(self, state: State, move: Move) -> str:
        names = grid.grid(state.size, state.size).names
        start, target = move
        return f"{names[start]}=K" if start == target else f"{names[start]}-{names[target]}"

    def scan(self, state: State, text: str) -> Move:
        if found := _CROWNING.fullmatch(text):
            cell = _cell(state, found[1])
            return (cell, cell)
        if found := _ADVANCE.fullmatch(text):
            start, target = _cell(state, found[1]), _cell(state, found[2])
            if start != target:
                return (start, target)
        raise Refusal(
            ErrorCode.MOVE_MALFORMED,
            "A Replica move is written like e7-d6, or like e8=K to crown a man.",
        )

    def print(self, state: State) -> str:
        rows = []
        for row in reversed(range(state.size)):
            cells = range(row * state.size, (row + 1) * state.size)
            rows.append("".join(_letter(state, cell) for cell in cells))
        return f"{'/'.join(rows)} {'-' if state.turn is None else 'wb'[state.turn]}"

    def parse(self, text: str, options: Options) -> State:
        size, two_kings, look_forward, block_any = rules.variant(options)
        letters, turn = taken_apart(text, size)
        white, black, kings = (
            grid.mask([cell for cell, letter in enumerate(letters) if letter in these]) for these in ("wW", "bB", "WB")
        )
        return self._settled(State(size, white, black, kings, turn, two_kings, look_forward, None, block_any))

    def _settled(self, state: State) -> State:
        """Return the position with its outcome, if the rules say that the game is over."""
        goals = board(state.size).goals
        at_goal = [state.kings & own & goal for own, goal in zip((state.white, state.black), goals, strict=True)]
        if all(at_goal):
            raise Refusal(ErrorCode.POSITION_IMPOSSIBLE, "Both sides have a king on their goal corner.")
        for seat in (WHITE, BLACK):
            if at_goal[seat]:
                return rules.ended(state, seat, rules.GOAL)
        if state.turn is None:
            return _settled_end(state)
        for name, own in (("White", state.white), ("Black", state.black)):
            if not state.kings & own:
                sentence = f"{name} has no king. Add one, or end the text with - if the game is over."
                raise Refusal(ErrorCode.POSITION_IMPOSSIBLE, sentence)
        if not self.can_move(state):
            return rules.ended(state, 1 - state.turn, rules.NO_MOVE)
        return state


def taken_apart(text: str, size: int) -> tuple[str, Seat | None]:
    """Return the letter of each cell, in cell order, and the side to move; refuse text that is not in the notation."""
    fields = text.split(" ")
    if len(fields) != 2 or fields[1] not in TURNS:
        raise _malformed("A Replica position is its rows and then w, b or -, separated by one space.")
    rows = fields[0].split("/")
    if len(rows) != size:
        raise _malformed(f"The position has {len(rows)} rows; a board of size {size} has {size}.")
    for number, row in zip(range(size, 0, -1), rows, strict=True):
        if len(row) != size:
            raise _malformed(f"Row {number} has {len(row)} cells; it should have {size}.")
        if wrong := row.strip("wWbB."):
            raise _malformed(f"Row {number} has “{wrong[0]}”; pieces are w, W, b, B and an empty cell is a dot.")
    return "".join(reversed(rows)), TURNS[fields[1]]


def _letter(state: State, cell: int) -> str:
    if state.white >> cell & 1:
        letter = "w"
    elif state.black >> cell & 1:
        letter = "b"
    else:
        return "."
    return letter.upper() if state.kings >> cell & 1 else letter


def _cell(state: State, name: str) -> int:
    cell = grid.grid(state.size, state.size).cell(name)
    if cell is None:
        raise Refusal(ErrorCode.MOVE_MALFORMED, f"This board has no cell {name}.")
    return cell


def _settled_end(state: State) -> State:
    """Return a finished game without a king on its goal corner: the text may not say who won."""
    kingless = [not state.kings & own for own in (state.white, state.black)]
    if kingless[WHITE] != kingless[BLACK]:
        return rules.ended(state, BLACK if kingless[WHITE] else WHITE, rules.KING_TAKEN)
    return rules.ended(state, None, UNKNOWN)


def _malformed(sentence: str) -> Refusal:
    return Refusal(ErrorCode.POSITION_MALFORMED, sentence)
