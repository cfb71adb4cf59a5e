"""Mapello: place a disc, turn over the runs it closes, take the bonuses.

The sets of cells are described in `board`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from parlour.games.api import Game, Move, Outcome, Seat
from parlour.games.mapello import board, layout
from parlour.games.mapello.board import BLACK, CELLS, EVERYWHERE, INNER, ORDER, WHITE
from parlour.games.options import Options
from parlour.protocol.errors import ErrorCode, Refusal

BONUS_POINTS = 3

# How a game can end.
SCORE, EQUAL = "score", "equal"

# By the `bit_length()` of an eightfold set, which tells its highest bit: the move to the cell of that bit, and the set
# of all other cells.
_MOVES: tuple[Move, ...] = ((), *((cell,) for cell in ORDER))
_OTHERS = (0, *((1 << len(ORDER)) - 1 ^ CELLS[cell] for cell in ORDER))


class State(Struct, frozen=True):
    """A position. A cell in none of the first four sets, which are eightfold, is a wall."""

    black: int
    white: int
    jokers: int
    free: int  # cells without a disc, with or without a bonus
    bonuses: int  # plain: the free cells with a bonus
    points: tuple[int, int]  # for bonuses taken, by seat
    turn: Seat | None  # None when the game is over
    outcome: Outcome | None = None


class Rules(Game[State]):
    # -- setting up

    def options(self, given: Mapping[str, object]) -> Options:
        options = super().options(given)
        if options["board"] not in layout.CHOICES and self.initial(options).turn is None:
            sentence = "Rows 4 to 7 have walls on every cell where a first move could be made."
            raise Refusal(ErrorCode.LAYOUT_INVALID, sentence)
        return options

    def initial(self, options: Options) -> State:
        return self.position(layout.sets(layout.chosen(str(options["board"]), int(options["seed"]))))

    def position(self, cells: Mapping[str, int], points: tuple[int, int] = (0, 0), turn: Seat = BLACK) -> State:
        """Return the position with these plain sets, by symbol; a side that cannot move is skipped."""
        black, white, jokers = (board.eightfold(cells[symbol]) for symbol in "XOJ")
        free = board.eightfold(INNER & (cells["."] | cells["*"]))
        return self._settled(State(black, white, jokers, free, cells["*"], points, turn))

    # -- the rules

    def to_move(self, state: State) -> Seat | None:
        return state.turn

    def steps(self, state: State, picks: Sequence[int] = ()) -> Sequence[int]:
        """One pick is a whole turn: the cell of the new disc."""
        return [] if picks else sorted(cell for (cell,) in self.moves(state))

    def completes(self, state: State, picks: Sequence[int]) -> bool:
        return True

    def moves(self, state: State) -> list[Move]:
        reached = _reachable(state)
        found = []
        while reached:
            highest = reached.bit_length()
            found.append(_MOVES[highest])
            reached &= _OTHERS[highest]
        return found

    def count(self, state: State) -> int:
        reached = _reachable(state)
        found = 0
        while reached:
            found += 1
            reached &= _OTHERS[reached.bit_length()]
        return found

    def apply(self, state: State, move: Move) -> State:
        (cell,) = move
        black, white, points = state.black, state.white, state.points
        here = CELLS[cell]
        taken = state.bonuses & here
        if state.turn == BLACK:
            over = board.turned(black, white, state.jokers, cell)
            black |= over | here
            white ^= over
            if taken:
                points = points[BLACK] + BONUS_POINTS, points[WHITE]
            following = WHITE
        else:
            over = board.turned(white, black, state.jokers, cell)
            white |= over | here
            black ^= over
            if taken:
                points = points[BLACK], points[WHITE] + BONUS_POINTS
            following = BLACK
        return self._settled(
            State(black, white, state.jokers, state.free ^ here, state.bonuses ^ taken, points, following)
        )

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def scores(self, state: State) -> tuple[int, int]:
        """Return discs and bonus points together, by seat."""
        black, white = state.points
        return state.black.bit_count() // 8 + black, state.white.bit_count() // 8 + white

    def _settled(self, state: State) -> State:
        """Return the position with a side to move that can move, or with its outcome if neither side can."""
        black, white, jokers, free = state.black, state.white, state.jokers, state.free
        own, enemy = (white, black) if state.turn else (black, white)
        if board.reach(own, enemy, jokers, free):
            return state
        turn: Seat | None = None
        outcome: Outcome | None = None
        if board.reach(enemy, own, jokers, free):
            turn = BLACK if state.turn else WHITE
        else:
            outcome = _outcome(self.scores(state))
        return State(black, white, jokers, free, state.bonuses, state.points, turn, outcome)


def _reachable(state: State) -> int:
    if state.turn is None:
        return 0
    if state.turn == BLACK:
        return board.reach(state.black, state.white, state.jokers, state.free)
    return board.reach(state.white, state.black, state.jokers, state.free)


def _outcome(final: tuple[int, int]) -> Outcome:
    if final[BLACK] == final[WHITE]:
        return Outcome(None, EQUAL, final)
    return Outcome(BLACK if final[BLACK] > final[WHITE] else WHITE, SCORE, final)


# -- what else there is to know about a position


def walls(state: State) -> int:
    """Return the plain set of all walls, including those of the rim."""
    return EVERYWHERE & ~(state.black | state.white | state.jokers | state.free)


def turned(state: State, cell: int) -> int:
    """Return the plain set of the discs that a move to `cell` turns over."""
    own, enemy = (state.white, state.black) if state.turn else (state.black, state.white)
    return board.turned(own, enemy, state.jokers, cell) & EVERYWHERE
