"""Mitsudomoe's notation: `+c3 a2-b3`, `c2-c3 a1-d4 =b5,e2`, and positions such as `.,.,.,bB,bB/… w 5,5`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import combinations

from msgspec import structs

from parlour.games import grid
from parlour.games.api import UNKNOWN, Move, Outcome, Seat
from parlour.games.mitsudomoe import board, position, rules, turns, view
from parlour.games.mitsudomoe.board import BLACK, GRID, WHITE
from parlour.games.mitsudomoe.position import BALLS, FIRST_SLOT, RINGS, Pair, State
from parlour.games.mitsudomoe.rules import Rules
from parlour.games.options import Options
from parlour.protocol.errors import ErrorCode, Refusal

_CELL = r"([a-z][0-9]{1,2})"
_MOVE = re.compile(rf"(?:\+|{_CELL}-){_CELL}(?: {_CELL}-{_CELL}(?: ={_CELL}(?:,{_CELL})?(?:,{_CELL})?)?)?")

# The text of a step by the places it goes from and to.
_STEPS = (
    *(tuple(f"{start}-{end}" for end in GRID.names) for start in GRID.names),
    *(tuple(f"+{end}" for end in GRID.names) for _supply in (WHITE, BLACK)),
)

# The text of the cells on which jumped balls end. Their names sort in another order than their numbers.
_RELOCATIONS = {(): ""} | {
    cells: " =" + ",".join(sorted(GRID.names[cell] for cell in cells))
    for many in range(1, BALLS + 1)
    for cells in combinations(range(GRID.size), many)
}


_RINGS, _BALLS = "wb", "WB"
_TURNS: Mapping[str, Seat | None] = {"w": WHITE, "b": BLACK, "-": None}
_SUPPLY = re.compile(r"([0-9]),([0-9])")
_STACK = re.compile(r"[wb]+|[wb]*(?:wW|bB)|\.")
# What a stack is as a number, see `position.NO_RINGS`.
_BITS = str.maketrans(_RINGS, "01", _BALLS + ".")


class Notation(Rules):
    def place(self, state: State, pick: int) -> str:
        if pick < 0:
            raise IndexError("no such place")
        return view.BOARD.place_name(pick)

    def write(self, state: State, move: Move) -> str:
        if len(move) == 2:
            return _STEPS[move[0]][move[1]]
        return f"{_STEPS[move[0]][move[1]]} {_STEPS[move[2]][move[3]]}{_RELOCATIONS[move[4:]]}"

    def scan(self, state: State, text: str) -> Move:
        found = _MOVE.fullmatch(text)
        if found is None:
            raise Refusal(
                ErrorCode.MOVE_MALFORMED,
                "A Mitsudomoe move is written like +c3 a2-b3, or like c2-c3 a1-d4 =b5,e2: a ring from the supply "
                "or from a cell, a ball, and the cells on which jumped enemy balls end.",
            )
        source, *others = found.groups()
        names = [name for name in others if name is not None]
        if names[3:] != sorted(set(names[3:])):
            raise Refusal(ErrorCode.MOVE_MALFORMED, "The cells after = are written in order, each once, like =b5,e2.")
        supply = FIRST_SLOT + (state.turn or WHITE)
        return (supply if source is None else _cell(source), *map(_cell, names))

    def print(self, state: State) -> str:
        cells = [bin(rings)[3:].replace("0", "w").replace("1", "b") or "." for rings in state.stacks]
        for letter, balls in zip(_BALLS, state.balls, strict=True):
            for cell in board.cells(balls):
                cells[cell] += letter
        rows = [",".join(cells[first : first + GRID.columns]) for first in range(0, GRID.size, GRID.columns)]
        turn = "-" if state.turn is None else _RINGS[state.turn]
        return f"{'/'.join(reversed(rows))} {turn} {state.supply[WHITE]},{state.supply[BLACK]}"

    def parse(self, text: str, options: Options) -> State:
        texts, turn, supply = taken_apart(text)
        for name, stack in zip(GRID.names, texts, strict=True):
            if not _STACK.fullmatch(stack):
                raise _bad_stack(name, stack)
        board_text = "".join(texts)
        for seat, name in enumerate(("White", "Black")):
            rings = board_text.count(_RINGS[seat]) + supply[seat]
            if rings != RINGS:
                raise _impossible(f"{name} has {rings} rings, those in supply included; each side has {RINGS}.")
            balls = board_text.count(_BALLS[seat])
            if balls != BALLS:
                raise _impossible(f"{name} has {balls} balls; each side has {BALLS}.")
        stacks = tuple(int("1" + text.translate(_BITS), 2) for text in texts)
        white, black = (grid.mask([cell for cell, text in enumerate(texts) if text[-1] == letter]) for letter in _BALLS)
        passive, original = rules.variant(options)
        return self._settled(
            State(stacks, position.tops(stacks), (white, black), supply, turn, passive, None, original)
        )

    def _settled(self, state: State) -> State:
        """Return the position with its outcome, if the rules say that the game is over."""
        if state.turn is not None:
            outcome = self.verdict(state, 1 - state.turn)
            return state if outcome is None else rules.ended(state, outcome)
        # The text does not say which side made the last turn, so either may have ended the game.
        endings = [self.verdict(structs.replace(state, turn=1 - mover), mover) for mover in (WHITE, BLACK)]
        if state.original:
            stuck = [seat for seat in (WHITE, BLACK) if not turns.can_move_ball(state, seat)]
            endings += [Outcome(1 - seat, rules.STUCK) for seat in stuck]
        outcomes = [outcome for outcome in endings if outcome is not None]
        if not outcomes:
            raise _impossible("The text says that the game is over, but nothing on the board has ended it.")
        if len({outcome.winner for outcome in outcomes}) > 1:
            return rules.ended(state, Outcome(None, UNKNOWN))
        return rules.ended(state, min(outcomes, key=lambda outcome: rules.ORDER.index(outcome.reason)))


def _cell(name: str) -> int:
    cell = GRID.cell(name)
    if cell is None:
        raise Refusal(ErrorCode.MOVE_MALFORMED, f"This board has no cell {name}.")
    return cell


def taken_apart(text: str) -> tuple[list[str], Seat | None, Pair]:
    """Return the text of each cell, the side to move and the supplies; refuse text that is not in the notation."""
    fields = text.split(" ")
    if len(fields) != 3 or fields[1] not in _TURNS:
        raise _malformed(
            "A Mitsudomoe position is its rows, then w, b or -, then the supplies, separated by single spaces."
        )
    supplies = _SUPPLY.fullmatch(fields[2])
    if supplies is None:
        raise _malformed("The supplies are written like 5,4: White's rings, a comma, Black's rings.")
    return _cell_texts(fields[0]), _TURNS[fields[1]], (int(supplies[1]), int(supplies[2]))


def _cell_texts(field: str) -> list[str]:
    """Return the text of each cell, in cell order."""
    rows = field.split("/")
    if len(rows) != GRID.rows:
        raise _malformed(f"The position has {len(rows)} rows; it should have {GRID.rows}.")
    texts: list[str] = []
    for row in reversed(rows):
        stacks = row.split(",")
        if len(stacks) != GRID.columns:
            number = len(texts) // GRID.columns + 1
            raise _malformed(
                f"Row {number} has {len(stacks)} cells; it should have {GRID.columns}, with commas between."
            )
        texts += stacks
    for name, text in zip(GRID.names, texts, strict=True):
        if text != "." and (not text or text.strip("wbWB")):
            raise _malformed(
                f"Cell {name} must be a dot, or letters from bottom to top: w and b for rings, W and B for balls."
            )
    return texts


def _bad_stack(name: str, text: str) -> Refusal:
    if text[0] in _BALLS:
        return _impossible(f"The ball on {name} stands on no ring.")
    if text.rstrip(_BALLS).strip(_RINGS):
        return _impossible(f"On {name} a ring lies on a ball; a ball is always on top.")
    if text[-2] in _BALLS:
        return _impossible(f"There is more than one ball on {name}.")
    return _impossible(f"The ball on {name} stands on a ring of the other side.")


def _malformed(sentence: str) -> Refusal:
    return Refusal(ErrorCode.POSITION_MALFORMED, sentence)


def _impossible(sentence: str) -> Refusal:
    return Refusal(ErrorCode.POSITION_IMPOSSIBLE, sentence)
