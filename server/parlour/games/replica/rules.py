"""Replica: advance towards the far corner, crown men, hunt the enemy's kings."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from parlour.games import grid
from parlour.games.api import Game, Move, Outcome, Seat
from parlour.games.latest import latest
from parlour.games.options import Options
from parlour.games.replica.board import WHITE, Board, board

# How a game can end.
GOAL, KING_TAKEN, NO_MOVE = "goal", "king_taken", "no_move"


class State(Struct, frozen=True):
    """A position. Sets of cells are ints with one bit per cell."""

    size: int  # the board has size x size cells
    white: int
    black: int
    kings: int  # of both sides
    turn: Seat | None  # None when the game is over
    two_kings: bool = False  # option: at most two kings a side
    look_forward: bool = False  # option: kings see forward only
    outcome: Outcome | None = None
    block_any: bool = False  # option: a king sees past no piece at all, not only past no enemy


class Rules(Game[State]):
    # -- setting up

    def initial(self, options: Options) -> State:
        size, two_kings, look_forward, block_any = variant(options)
        corner = [(column, row) for column in range(4) for row in range(4) if min(column, row) < 2]
        black = grid.mask([row * size + column for column, row in corner])
        last = size * size - 1
        white = grid.mask([last - (row * size + column) for column, row in corner])
        return State(size, white, black, 1 | 1 << last, WHITE, two_kings, look_forward, None, block_any)

    # -- the rules

    def to_move(self, state: State) -> Seat | None:
        return state.turn

    def steps(self, state: State, picks: Sequence[int] = ()) -> Sequence[int]:
        """Return the pieces that can move, then where one goes; the man itself means that it is crowned."""
        if not picks:
            return sorted(self._targets(state))
        if len(picks) == 1:
            return self._targets(state).get(picks[0], [])
        return []

    @latest
    def _targets(self, state: State) -> dict[int, list[int]]:
        """Return where each piece that can move may go."""
        found: dict[int, list[int]] = {}
        for start, target in self.moves(state):
            found.setdefault(start, []).append(target)
        for targets in found.values():
            targets.sort()
        return found

    def completes(self, state: State, picks: Sequence[int]) -> bool:
        return len(picks) == 1

    def moves(self, state: State) -> list[Move]:
        """Return every advance `(from, to)` and every crowning `(man, man)`."""
        if state.turn is None:
            return []
        tables = board(state.size)
        found = list(tables.advances[state.turn][state.black if state.turn else state.white])
        crownable = _crownable(state, state.turn, tables)
        while crownable:
            man = crownable.bit_length() - 1
            found.append(tables.crownings[man])
            crownable ^= 1 << man
        return found

    def count(self, state: State) -> int:
        if state.turn is None:
            return 0
        tables = board(state.size)
        advances = tables.advances[state.turn][state.black if state.turn else state.white]
        return len(advances) + _crownable(state, state.turn, tables).bit_count()

    def apply(self, state: State, move: Move) -> State:
        start, target = move
        white, black, kings, turn = state.white, state.black, state.kings, state.turn
        here, there = 1 << start, 1 << target
        reason = None
        if here == there:
            kings |= here
        else:
            if (white | black) & there:
                if kings & there:
                    reason = KING_TAKEN
                white &= ~there
                black &= ~there
                kings &= ~there
            if turn == WHITE:
                white ^= here | there
            else:
                black ^= here | there
            if kings & here:
                kings ^= here | there
        assert turn is not None
        own = black if turn else white
        if kings & own & board(state.size).goals[turn]:
            reason = GOAL
        after = State(
            state.size, white, black, kings, 1 - turn, state.two_kings, state.look_forward, None, state.block_any
        )
        if reason is not None:
            return ended(after, turn, reason)
        return after if self.can_move(after) else ended(after, turn, NO_MOVE)

    def can_move(self, state: State) -> bool:
        """Return whether the side to move has any move."""
        turn = state.turn
        friends = state.black if turn else state.white
        free = ~friends & board(state.size).everywhere
        # A step along the columns cannot wrap around the sides of the board, so it is tried first.
        beyond = friends << state.size if turn else friends >> state.size
        return bool(beyond & free) or self.count(state) > 0

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome


def variant(options: Options) -> tuple[int, bool, bool, bool]:
    """Return the size, whether kings are limited to two, see forward only, and see past no piece at all."""
    block_any = options.get("blocked_by") == "any"  # games of version 1 have no such option
    return int(options["size"]), options["kings"] == "2", options["sight"] == "forward", block_any


def ended(state: State, winner: Seat | None, reason: str) -> State:
    """Return the position as the end of the game."""
    return State(
        state.size, state.white, state.black, state.kings, None, state.two_kings, state.look_forward,
        Outcome(winner, reason), state.block_any,
    )  # fmt: skip


# -- which men may be crowned


def _crownable(state: State, turn: Seat, tables: Board) -> int:
    friends, enemies = (state.black, state.white) if turn else (state.white, state.black)
    kings = friends & state.kings
    if state.two_kings and kings.bit_count() >= 2:
        return 0
    men = friends ^ kings
    blockers = friends | enemies if state.block_any else enemies
    sights = (tables.forward_sights if state.look_forward else tables.sights)[turn]
    found = 0
    while kings:
        king = kings.bit_length() - 1
        in_line, patterns = sights[king]
        if men & in_line & ~found:
            found |= men & patterns[blockers & in_line]
        kings ^= 1 << king
    return found


def crownable(state: State) -> int:
    """Return the men that the side to move may crown."""
    return 0 if state.turn is None else _crownable(state, state.turn, board(state.size))


def crownable_by(state: State, king: int) -> int:
    """Return the men that may be crowned because this king sees them; none if there is no king on that cell."""
    if state.turn is None or not state.kings >> king & 1:
        return 0
    tables = board(state.size)
    blockers = state.white if state.turn else state.black
    if state.block_any:
        blockers = state.white | state.black
    in_line, patterns = (tables.forward_sights if state.look_forward else tables.sights)[state.turn][king]
    return _crownable(state, state.turn, tables) & patterns[blockers & in_line]
