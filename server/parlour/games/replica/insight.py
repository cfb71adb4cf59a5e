"""How to play Replica well: keep the kings out of reach, chase the enemy's kings, bring men near the corner.

A piece attacks the first cell beyond its friends in each of its forward directions. So what a side attacks depends only
on where its own pieces are, and is found by shifting them: every cell beside one of them that is not its own. A king
that is attacked can always take its attacker, so a threat is serious only if the attacker is protected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import ClassVar

from msgspec import structs

from parlour.games import grid
from parlour.games.api import Move, Seat
from parlour.games.insight import Insight, Style
from parlour.games.replica import rules
from parlour.games.replica.board import BLACK, WHITE, Patterns, board
from parlour.games.replica.rules import State
from parlour.games.replica.styles import STYLES

# What a man and a king are worth by their distance from the far corner, fitted to the results of some thousand games
# that the search played against itself. A king is more a target than an asset. Pieces further away, as on larger
# boards, are worth as much as at the end of the list.
_MAN = (90, 80, 90, 30, 22, 16, 10, 10)
_KING = (0, 80, 72, -60, -100, -40, -45, -40)
_TURN = 8


class Ground:
    """The tables of one board size."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.everywhere = (1 << size * size) - 1
        first_column = grid.mask([row * size for row in range(size)])
        self.not_first = self.everywhere ^ first_column
        self.not_last = self.everywhere ^ first_column << size - 1
        self.goals = board(size).goals
        distances = [max(divmod(cell, size)) for cell in range(size * size)]
        # By seat: what all the men and all the kings are worth, by their cells.
        self.men, self.kings = (
            tuple(
                Patterns(partial(_worth, [worths[min(distance, 7)] for distance in way]), limit=1 << 15)
                for way in (distances, distances[::-1])
            )
            for worths in (_MAN, _KING)
        )

    def attacked(self, seat: Seat, own: int) -> int:
        """Return the cells to which the pieces of `seat` on the cells `own` can advance."""
        if seat == BLACK:
            right = own & self.not_last
            return (right << 1 | own << self.size | right << self.size + 1) & self.everywhere & ~own
        left = own & self.not_first
        return (left >> 1 | own >> self.size | left >> self.size + 1) & ~own


def _worth(worths: Sequence[int], pieces: int) -> int:
    return sum(worths[cell] for cell in grid.bits(pieces))


@cache
def ground(size: int) -> Ground:
    return Ground(size)


class ReplicaInsight(Insight[State]):
    styles: ClassVar[Mapping[str, Style]] = STYLES
    scale: ClassVar[int] = 100
    nodes: ClassVar[int] = 150_000

    def value(self, state: State) -> int:
        tables = ground(state.size)
        white, black, kings = state.white, state.black, state.kings
        white_kings, black_kings = white & kings, black & kings
        lead = (
            tables.men[WHITE][white ^ white_kings]
            + tables.kings[WHITE][white_kings]
            - tables.men[BLACK][black ^ black_kings]
            - tables.kings[BLACK][black_kings]
        )
        return _TURN - lead if state.turn else _TURN + lead

    def win(self, state: State) -> Move | None:
        return _win(state, state.turn or 0)

    def danger(self, state: State) -> bool:
        return _win(state, 1 - (state.turn or 0)) is not None

    def order(self, state: State, moves: Sequence[Move]) -> Sequence[Move]:
        """Return captures, threats to a king, then the rest; moves that lose a king at once only if all do."""
        turn = state.turn or 0
        own, enemy = (state.black, state.white) if turn else (state.white, state.black)
        tables = ground(state.size)
        danger = tables.attacked(1 - turn, enemy)
        mine = own & state.kings
        hanging = mine & danger
        near = tables.attacked(1 - turn, enemy & state.kings)
        captures: list[Move] = []
        threats: list[Move] = []
        rest: list[Move] = []
        for move in moves:
            start, target = move
            there = 1 << target
            if enemy & there:
                if not _loses_king(tables, turn, mine, enemy, move):
                    captures.append(move)
            elif hanging:
                # Only the attacked king can help, by moving out of reach.
                if hanging == 1 << start and not danger & there:
                    (threats if near & there else rest).append(move)
            elif not (danger & there and (start == target or mine >> start & 1)):
                (threats if near & there else rest).append(move)
        return captures + threats + rest or moves

    def forcing(self, state: State) -> Sequence[Move]:
        """Return captures, and advances of protected pieces to where they attack a king."""
        turn = state.turn or 0
        own, enemy = (state.black, state.white) if turn else (state.white, state.black)
        tables = ground(state.size)
        near = tables.attacked(1 - turn, enemy & state.kings)
        wanted = tables.attacked(turn, own) & (enemy | near)
        if not wanted:
            return ()
        mine = own & state.kings
        found = []
        for move in board(state.size).advances[turn][own]:
            start, target = move
            if (
                wanted >> target & 1
                and (enemy >> target & 1 or tables.attacked(turn, own ^ 1 << start) >> target & 1)
                and not _loses_king(tables, turn, mine, enemy, move)
            ):
                found.append(move)
        return found


def _loses_king(tables: Ground, turn: Seat, mine: int, enemy: int, move: Move) -> bool:
    """Return whether the enemy can take a king after an advance; `mine` are the kings of the side that moves."""
    here, there = 1 << move[0], 1 << move[1]
    kings = mine ^ here ^ there if mine & here else mine
    return tables.attacked(1 - turn, enemy & ~there) & kings != 0


def _win(state: State, turn: Seat) -> Move | None:
    """Return a move that would win at once if it were that side's turn."""
    own, enemy = (state.black, state.white) if turn else (state.white, state.black)
    tables = ground(state.size)
    kings = state.kings
    attacked = tables.attacked(turn, own)
    hit = attacked & enemy & kings
    goal = tables.goals[turn]
    if not hit and not (attacked | own) & goal:
        return None
    for move in board(state.size).advances[turn][own]:
        if hit >> move[1] & 1 or (goal >> move[1] & 1 and kings >> move[0] & 1):
            return move
    if own & goal:
        theirs = structs.replace(state, turn=turn)
        if rules.crownable(theirs) & goal:
            corner = goal.bit_length() - 1
            return corner, corner
    return None
