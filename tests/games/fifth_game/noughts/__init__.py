"""Noughts and crosses: the smallest game there is, to show that a game needs nothing but a folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from parlour.games import grid
from parlour.games.api import Game, GameInfo, HalfTurn, Move, Outcome, Seat
from parlour.games.options import Options, OptionSpec
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.scene import BoardSpec, Glyph, Mark, MarkedPlaces, Scene, SeatSpec

GRID = grid.grid(3, 3)
FULL = (1 << 9) - 1
THREES = [
    grid.mask(line)
    for direction in (grid.EAST, grid.NORTH, grid.NORTH_EAST, grid.NORTH_WEST)
    for line in GRID.lines(direction)
    if len(line) == 3
]
SEATS = (SeatSpec("X", "dark"), SeatSpec("O", "light"))
BOARD = BoardSpec(
    game="noughts",
    columns=3,
    rows=3,
    surface="birch",
    seats=SEATS,
    glyphs=(Glyph("Cross", "cross", 0, "×", "x"), Glyph("Nought", "ring", 1, "○", "o")),
    tally="{0} on the board",
)


class State(Struct, frozen=True):
    """Sets of cells are ints with one bit per cell."""

    held: tuple[int, int]  # by seat
    turn: Seat | None
    misere: bool  # option: three in a row lose
    outcome: Outcome | None = None


class Noughts(Game[State]):
    info: ClassVar[GameInfo] = GameInfo(
        key="noughts",
        name="Noughts and crosses",
        summary="Three in a row.",
        seats=SEATS,
        options=(OptionSpec("misere", "Misère", "switch", False, "Whoever makes three in a row loses."),),
        max_plies=9,
        rules_version=1,
        reasons={"three": "three in a row", "full": "the board is full"},
    )

    def initial(self, options: Options) -> State:
        return State((0, 0), 0, bool(options["misere"]))

    def to_move(self, state: State) -> Seat | None:
        return state.turn

    def steps(self, state: State, picks: Sequence[int] = ()) -> Sequence[int]:
        if state.turn is None or picks:
            return []
        return list(grid.bits(FULL & ~(state.held[0] | state.held[1])))

    def moves(self, state: State) -> Sequence[Move]:
        return [(cell,) for cell in self.steps(state)]

    def apply(self, state: State, move: Move) -> State:
        crosses, noughts = state.held
        if state.turn == 0:
            return _settled(State((crosses | 1 << move[0], noughts), 1, state.misere))
        return _settled(State((crosses, noughts | 1 << move[0]), 0, state.misere))

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def place(self, state: State, pick: int) -> str:
        return GRID.name(pick)

    def write(self, state: State, move: Move) -> str:
        return GRID.name(move[0])

    def scan(self, state: State, text: str) -> Sequence[int]:
        cell = GRID.cell(text)
        if cell is None:
            raise Refusal(ErrorCode.MOVE_MALFORMED, "A move is a cell from a1 to c3.")
        return (cell,)

    def print(self, state: State) -> str:
        letters = ["x" if state.held[0] >> cell & 1 else "o" if state.held[1] >> cell & 1 else "." for cell in range(9)]
        rows = ("".join(letters[start : start + 3]) for start in (6, 3, 0))
        return f"{'/'.join(rows)} {'-' if state.turn is None else 'xo'[state.turn]}"

    def parse(self, text: str, options: Options) -> State:
        board, _, turn = text.partition(" ")
        rows = board.split("/")
        if turn not in ("x", "o", "-") or [len(row) for row in rows] != [3, 3, 3] or not set(board) <= set("xo./"):
            raise Refusal(ErrorCode.POSITION_MALFORMED, "A position is written like .../.x./o.. x.")
        letters = "".join(reversed(rows))
        crosses, noughts = (grid.mask([cell for cell in range(9) if letters[cell] == letter]) for letter in "xo")
        more = letters.count("x") - letters.count("o")
        if more not in (0, 1) or (_three(crosses) and more == 0) or (_three(noughts) and more == 1):
            raise Refusal(ErrorCode.POSITION_IMPOSSIBLE, "X begins, sides take turns, and three in a row end the game.")
        state = _settled(State((crosses, noughts), more, bool(options["misere"])))
        if self.print(state) != text:
            raise Refusal(ErrorCode.POSITION_IMPOSSIBLE, "The side to move contradicts the board.")
        return state

    def board(self, options: Options) -> BoardSpec:
        return BOARD

    def scene(self, state: State) -> Scene:
        held = {cell: seat for seat in (0, 1) for cell in grid.bits(state.held[seat])}
        return Scene(tuple(sorted(held.items())), tuple((cells.bit_count(),) for cells in state.held), state.turn)

    def marks(self, before: State, move: Move) -> tuple[MarkedPlaces, ...]:
        return ((Mark.LAST, *move),)

    def half_turn(self, state: State, picks: Sequence[int]) -> HalfTurn:
        if not picks:
            return HalfTurn("Choose a free cell.", self.scene(state), {})
        after = self.apply(state, tuple(picks))
        return HalfTurn("Your turn is complete.", self.scene_after(state, tuple(picks), after), {})


def _three(cells: int) -> bool:
    return any(cells & line == line for line in THREES)


def _settled(state: State) -> State:
    """The position with its end, if it is one."""
    for seat in (0, 1):
        if _three(state.held[seat]):
            return State(state.held, None, state.misere, Outcome(1 - seat if state.misere else seat, "three"))
    if state.held[0] | state.held[1] == FULL:
        return State(state.held, None, state.misere, Outcome(None, "full"))
    return state


GAME = Noughts()
