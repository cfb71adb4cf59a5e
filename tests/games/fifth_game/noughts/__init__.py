"""Noughts and crosses: a small game, to show that a game needs nothing but a folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from parlour.games import grid
from parlour.games.api import Game, GameInfo, HalfTurn, Move, Outcome, Seat
from parlour.games.layouts import LayoutPiece, LayoutSpec
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
    glyphs=(Glyph("Cross", "cross", 0, "×", "x"), Glyph("Nought", "ring", 1, "○", "o"), Glyph("Block", "block")),
    tally="{0} on the board",
)
EMPTY = "empty"
LAYOUT = LayoutSpec(
    columns=3,
    rows=3,
    blank="---/---/---",
    pieces=(
        LayoutPiece("x", "cross", 0, tuple(range(9)), low=1, high=1),
        LayoutPiece("o", "nought", 1, tuple(range(9)), low=1, high=1),
        LayoutPiece("#", "block", 2, (0, 1, 2, 3, 5, 6, 7, 8), high=2),
    ),
)


class State(Struct, frozen=True):
    """Sets of cells are ints with one bit per cell."""

    held: tuple[int, int]  # by seat
    blocked: int
    turn: Seat | None
    misere: bool  # option: three in a row loses
    outcome: Outcome | None = None


class Noughts(Game[State]):
    info: ClassVar[GameInfo] = GameInfo(
        key="noughts",
        name="Noughts and crosses",
        summary="Three in a row.",
        seats=SEATS,
        options=(
            OptionSpec("misere", "Misère", "switch", False, "Three in a row loses."),
            OptionSpec("board", "Board", "layout", EMPTY, "Where the game starts.", (EMPTY,), layout=LAYOUT),
        ),
        max_plies=9,
        rules_version=1,
        reasons={"three": "three in a row", "full": "the board is full"},
    )

    def initial(self, options: Options) -> State:
        board = str(options["board"])
        if board == EMPTY:
            return State((0, 0), 0, 0, bool(options["misere"]))
        crosses, noughts, blocked = _sets(board.split("/"))
        return State((crosses, noughts), blocked, 0, bool(options["misere"]))

    def to_move(self, state: State) -> Seat | None:
        return state.turn

    def steps(self, state: State, picks: Sequence[int] = ()) -> Sequence[int]:
        if state.turn is None or picks:
            return []
        return list(grid.bits(FULL & ~(state.held[0] | state.held[1] | state.blocked)))

    def moves(self, state: State) -> Sequence[Move]:
        return [(cell,) for cell in self.steps(state)]

    def apply(self, state: State, move: Move) -> State:
        crosses, noughts = state.held
        if state.turn == 0:
            return _settled(replace(state, held=(crosses | 1 << move[0], noughts), turn=1))
        return _settled(replace(state, held=(crosses, noughts | 1 << move[0]), turn=0))

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
        symbols = ["."] * GRID.size
        for symbol, cells in zip("xo#", (*state.held, state.blocked), strict=True):
            for cell in grid.bits(cells):
                symbols[cell] = symbol
        rows = ("".join(symbols[start : start + 3]) for start in (6, 3, 0))
        return f"{'/'.join(rows)} {'-' if state.turn is None else 'xo'[state.turn]}"

    def parse(self, text: str, options: Options) -> State:
        board, _, turn = text.partition(" ")
        rows = board.split("/")
        if turn not in ("x", "o", "-") or [len(row) for row in rows] != [3, 3, 3] or not set(board) <= set("xo#./"):
            raise Refusal(ErrorCode.POSITION_MALFORMED, "A position is written like .../.x./o.. x.")
        crosses, noughts, blocked = _sets(rows)
        lead = crosses.bit_count() - noughts.bit_count()
        if lead not in (0, 1) or (_three(crosses) and lead == 0) or (_three(noughts) and lead == 1):
            raise Refusal(ErrorCode.POSITION_IMPOSSIBLE, "X starts, sides alternate, and three in a row ends the game.")
        state = _settled(State((crosses, noughts), blocked, lead, bool(options["misere"])))
        if self.print(state) != text:
            raise Refusal(ErrorCode.POSITION_IMPOSSIBLE, "The side to move contradicts the board.")
        return state

    def board(self, options: Options) -> BoardSpec:
        return BOARD

    def scene(self, state: State) -> Scene:
        by_glyph = enumerate((*state.held, state.blocked))
        pieces = sorted((cell, glyph) for glyph, cells in by_glyph for cell in grid.bits(cells))
        return Scene(tuple(pieces), tuple((cells.bit_count(),) for cells in state.held), state.turn)

    def marks(self, before: State, move: Move) -> tuple[MarkedPlaces, ...]:
        return ((Mark.LAST, *move),)

    def half_turn(self, state: State, picks: Sequence[int]) -> HalfTurn:
        if not picks:
            return HalfTurn("Choose a free cell.", self.scene(state), {})
        after = self.apply(state, tuple(picks))
        return HalfTurn("Your turn is complete.", self.scene_after(state, tuple(picks), after), {})


def _sets(rows: Sequence[str]) -> tuple[int, int, int]:
    """Return the cells of the crosses, the noughts and the blocks."""
    symbols = "".join(reversed(rows))
    crosses, noughts, blocked = (grid.mask([cell for cell in range(9) if symbols[cell] == each]) for each in "xo#")
    return crosses, noughts, blocked


def _three(cells: int) -> bool:
    return any(cells & line == line for line in THREES)


def _settled(state: State) -> State:
    """Return the position, with its outcome if the game is over."""
    for seat in (0, 1):
        if _three(state.held[seat]):
            return replace(state, turn=None, outcome=Outcome(1 - seat if state.misere else seat, "three"))
    if state.held[0] | state.held[1] | state.blocked == FULL:
        return replace(state, turn=None, outcome=Outcome(None, "full"))
    return state


GAME = Noughts()
