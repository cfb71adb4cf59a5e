"""Placement: the game that the load benchmark plays on every system.

Black and White take turns to place a stone on any free cell of a 10 × 10 board. After 60 stones the board is cleared
and the next round starts; after the last round the game is a draw. A client can play it without knowing any rules, so
the load generator can be a small program, and a server does everything that it does for any other game.

The state holds what the server asks for, the stones as they are drawn and the free cells, so that the benchmark
measures the server rather than this game.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from parlour.games import grid
from parlour.games.api import Game, GameInfo, HalfTurn, Move, Outcome, Seat
from parlour.games.latest import latest
from parlour.games.options import Options, OptionSpec
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.scene import BoardSpec, Glyph, Mark, MarkedPlaces, Scene, SeatSpec, Stack

SIDE = 10
GRID = grid.grid(SIDE, SIDE)
CELLS = tuple(range(GRID.size))
STONES_PER_ROUND = 60  # even, so that Black starts every round
MAX_ROUNDS = 100
SEATS = (SeatSpec("Black", "dark"), SeatSpec("White", "light"))
PLACED = "placed"
BOARD = BoardSpec(
    game="placement",
    columns=SIDE,
    rows=SIDE,
    surface="birch",
    seats=SEATS,
    glyphs=(Glyph("Black stone", "disc", 0, "●", "b"), Glyph("White stone", "disc", 1, "○", "w")),
    tally="{0} stones",
)

# A stone as it appears in a scene, by seat and cell.
STACKS = tuple(tuple((cell, seat) for cell in range(GRID.size)) for seat in (0, 1))


class State(Struct, frozen=True, gc=False):
    stones: tuple[Stack, ...]  # as in a scene: cell and seat, in ascending order
    free: tuple[int, ...]  # cells, in ascending order
    turn: Seat | None
    round: int  # from 1
    rounds: int  # option


class Placement(Game[State]):
    info: ClassVar[GameInfo] = GameInfo(
        key="placement",
        name="Placement",
        summary="Place stones on a board: the game of the load benchmark.",
        seats=SEATS,
        options=(
            OptionSpec(
                "rounds",
                "Rounds",
                "number",
                1,
                "How many times the board is filled with sixty stones.",
                (),
                1,
                MAX_ROUNDS,
            ),
        ),
        max_plies=STONES_PER_ROUND * MAX_ROUNDS,
        rules_version=1,
        reasons={PLACED: "all stones are placed"},
    )

    def initial(self, options: Options) -> State:
        return State((), CELLS, 0, 1, int(options["rounds"]))

    def to_move(self, state: State) -> Seat | None:
        return state.turn

    def steps(self, state: State, picks: Sequence[int] = ()) -> Sequence[int]:
        return () if picks or state.turn is None else state.free

    def completes(self, state: State, picks: Sequence[int]) -> bool:
        return True

    def moves(self, state: State) -> Sequence[Move]:
        return [(cell,) for cell in self.steps(state)]

    def count(self, state: State) -> int:
        return len(self.steps(state))

    def apply(self, state: State, move: Move) -> State:
        assert state.turn is not None
        cell, turn, stones, free = move[0], state.turn, state.stones, state.free
        free_before = bisect_left(free, cell)
        stones_before = cell - free_before  # a cell that is not free has a stone
        stones = stones[:stones_before] + (STACKS[turn][cell],) + stones[stones_before:]  # noqa: RUF005  # unpacking takes longer
        after = State(stones, free[:free_before] + free[free_before + 1 :], 1 - turn, state.round, state.rounds)
        return after if len(stones) < STONES_PER_ROUND else _finish_round(after)

    def outcome(self, state: State) -> Outcome | None:
        return Outcome(None, PLACED) if state.turn is None else None

    def place(self, state: State, pick: int) -> str:
        return GRID.name(pick)

    def write(self, state: State, move: Move) -> str:
        return GRID.names[move[0]]

    def scan(self, state: State, text: str) -> Sequence[int]:
        cell = GRID.cell(text)
        if cell is None:
            raise Refusal(ErrorCode.MOVE_MALFORMED, "A move is a cell from a1 to j10.")
        return (cell,)

    def print(self, state: State) -> str:
        letters = ["."] * GRID.size
        for cell, seat in state.stones:
            letters[cell] = "bw"[seat]
        rows = ("".join(letters[start : start + SIDE]) for start in reversed(range(0, GRID.size, SIDE)))
        return f"{'/'.join(rows)} {'-' if state.turn is None else 'bw'[state.turn]} {state.round}"

    def parse(self, text: str, options: Options) -> State:
        rounds = int(options["rounds"])
        fields = text.split(" ")
        rows = fields[0].split("/")
        if len(fields) != 3 or [len(row) for row in rows] != [SIDE] * SIDE or not set(fields[0]) <= set("bw./"):
            sentence = "A position has ten rows of ten cells from the top, b or w, and the round: ...b/.../... w 1."
            raise Refusal(ErrorCode.POSITION_MALFORMED, sentence)
        if fields[2] not in map(str, range(1, rounds + 1)):
            raise Refusal(ErrorCode.POSITION_MALFORMED, f"The round is a number from 1 to {rounds}.")
        letters = "".join(reversed(rows))
        stones = tuple(STACKS["bw".index(letter)][cell] for cell, letter in enumerate(letters) if letter != ".")
        free = tuple(cell for cell, letter in enumerate(letters) if letter == ".")
        more = letters.count("b") - letters.count("w")
        if more not in (0, 1) or len(stones) > STONES_PER_ROUND:
            sentence = f"Black starts, players take turns, and a round has {STONES_PER_ROUND} stones."
            raise Refusal(ErrorCode.POSITION_IMPOSSIBLE, sentence)
        state = _finish_round(State(stones, free, more, int(fields[2]), rounds))
        if self.print(state) != text:
            sentence = "The side to move contradicts the board, or the board should have been cleared."
            raise Refusal(ErrorCode.POSITION_IMPOSSIBLE, sentence)
        return state

    def board(self, options: Options) -> BoardSpec:
        return BOARD

    @latest
    def scene(self, state: State) -> Scene:
        placed = len(state.stones)
        return Scene(state.stones, (((placed + 1) // 2,), (placed // 2,)), state.turn)

    def marks(self, before: State, move: Move) -> tuple[MarkedPlaces, ...]:
        return ((Mark.LAST, *move),)

    def half_turn(self, state: State, picks: Sequence[int]) -> HalfTurn:
        if not picks:
            return HalfTurn("Choose a free cell.", self.scene(state), {})
        after = self.apply(state, tuple(picks))
        return HalfTurn("Your turn is complete.", self.scene_after(state, tuple(picks), after), {})


def _finish_round(state: State) -> State:
    """Start the next round, or end the game, if all stones of a round are placed."""
    if len(state.stones) < STONES_PER_ROUND:
        return state
    if state.round == state.rounds:
        return State(state.stones, state.free, None, state.round, state.rounds)
    return State((), CELLS, 0, state.round + 1, state.rounds)


GAME = Placement()
