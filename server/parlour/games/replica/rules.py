"""Replica: advance towards the far corner, flip men into kings, hunt the enemy's kings.

How a side can advance depends only on where its own pieces are, and what a king sees only on the enemies in its lines.
Both are worked out once per pattern of occupied cells and remembered: for whole boards, because a search meets the same
pieces again and again while the other side moves, and below that for a few lines at a time, because these recur in
every game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from typing import TypeVar

from msgspec import Struct

from parlour.games import grid
from parlour.games.api import Move, Outcome, Seat
from parlour.games.latest import latest

WHITE, BLACK = 0, 1

FORWARD = {
    WHITE: (grid.WEST, grid.SOUTH, grid.SOUTH_WEST),
    BLACK: (grid.EAST, grid.NORTH, grid.NORTH_EAST),
}

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


T = TypeVar("T")


class Patterns(dict[int, T]):
    """Everything known about some cells, by which of them are occupied. Learns what it is asked for."""

    def __init__(self, learn: Callable[[int], T], limit: int = 1 << 12) -> None:
        self.learn = learn
        self.limit = limit  # then it forgets everything, so that no input can fill the memory

    def __missing__(self, occupied: int) -> T:
        if len(self) >= self.limit:
            self.clear()
        found = self[occupied] = self.learn(occupied)
        return found


def _advances(lines: Sequence[tuple[int, ...]], friends: int) -> tuple[Move, ...]:
    """The advances along lines that run forward: every friend goes to the first cell that is not a friend's."""
    found: list[Move] = []
    for line in lines:
        target: int | None = None
        for cell in reversed(line):
            if friends >> cell & 1:
                if target is not None:
                    found.append((cell, target))
            else:
                target = cell
    return tuple(found)


def _advances_of_all(parts: Sequence[tuple[int, Patterns[tuple[Move, ...]]]], friends: int) -> tuple[Move, ...]:
    """The advances on the whole board, from its parts."""
    found: list[Move] = []
    for cells, patterns in parts:
        found += patterns[friends & cells]
    return tuple(found)


def _bundles(lines: Iterable[tuple[int, ...]]) -> list[list[tuple[int, ...]]]:
    """Lines put together as long as they have at most 16 cells: fewer look-ups for a whole board."""
    bundles: list[list[tuple[int, ...]]] = []
    free = 0
    for line in lines:
        if len(line) > free:
            bundles.append([])
            free = 16
        bundles[-1].append(line)
        free -= len(line)
    return bundles


def _seen(ray: tuple[int, ...], enemies: int) -> int:
    """The cells that a king sees along a ray: only enemies block its sight."""
    seen = 0
    for cell in ray:
        if enemies >> cell & 1:
            break
        seen |= 1 << cell
    return seen


def _seen_by_all(parts: Sequence[tuple[int, Patterns[int]]], enemies: int) -> int:
    """What a king sees in all directions, from what it sees in each."""
    seen = 0
    for ray, patterns in parts:
        seen |= patterns[enemies & ray]
    return seen


class Board:
    """The tables of one board size."""

    def __init__(self, size: int) -> None:
        self.cells = grid.grid(size, size)
        self.everywhere = (1 << size * size) - 1
        # Where a king wins: White at the bottom left, Black at the top right.
        self.goals = (1, 1 << size * size - 1)
        self.advances = tuple(self._advances(seat) for seat in (WHITE, BLACK))
        self.crownings: tuple[Move, ...] = tuple((cell, cell) for cell in range(size * size))
        # By seat and cell of the king, for each reading of the rules.
        everywhere = tuple(self._sight(grid.ALL_DIRECTIONS, cell) for cell in range(self.cells.size))
        self.sights = (everywhere, everywhere)
        self.forward_sights = tuple(
            tuple(self._sight(FORWARD[seat], cell) for cell in range(self.cells.size)) for seat in (WHITE, BLACK)
        )

    def _advances(self, seat: Seat) -> Patterns[tuple[Move, ...]]:
        """All advances of a side, by where its pieces are."""
        parts = [
            (grid.mask([cell for line in lines for cell in line]), Patterns(partial(_advances, lines)))
            for direction in FORWARD[seat]
            for lines in _bundles(self.cells.lines(direction))
        ]
        return Patterns(partial(_advances_of_all, parts), limit=1 << 15)

    def _sight(self, directions: Sequence[grid.Direction], cell: int) -> tuple[int, Patterns[int]]:
        """The cells in line with `cell`, and which of them are seen from there by where enemies stand on them."""
        rays = [self.cells.ray(cell, direction) for direction in directions]
        parts = [(grid.mask(ray), Patterns(partial(_seen, ray))) for ray in rays if ray]
        return grid.mask([met for ray in rays for met in ray]), Patterns(partial(_seen_by_all, parts))


@cache
def board(size: int) -> Board:
    return Board(size)


def initial(size: int, two_kings: bool, look_forward: bool) -> State:
    corner = [(column, row) for column in range(4) for row in range(4) if min(column, row) < 2]
    black = grid.mask([row * size + column for column, row in corner])
    last = size * size - 1
    white = grid.mask([last - (row * size + column) for column, row in corner])
    return State(size, white, black, 1 | 1 << last, WHITE, two_kings, look_forward)


def moves(state: State) -> list[Move]:
    """Every advance `(from, to)` and every transform `(man, man)`."""
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


def count(state: State) -> int:
    """How many moves there are, without listing them."""
    if state.turn is None:
        return 0
    tables = board(state.size)
    advances = tables.advances[state.turn][state.black if state.turn else state.white]
    return len(advances) + _crownable(state, state.turn, tables).bit_count()


def _crownable(state: State, turn: Seat, tables: Board) -> int:
    """The men that the side to move may flip."""
    friends, enemies = (state.black, state.white) if turn else (state.white, state.black)
    kings = friends & state.kings
    if state.two_kings and kings.bit_count() >= 2:
        return 0
    men = friends ^ kings
    sights = (tables.forward_sights if state.look_forward else tables.sights)[turn]
    found = 0
    while kings:
        king = kings.bit_length() - 1
        in_line, patterns = sights[king]
        if men & in_line & ~found:
            found |= men & patterns[enemies & in_line]
        kings ^= 1 << king
    return found


def crownable(state: State) -> int:
    """The men that the side to move may flip."""
    return 0 if state.turn is None else _crownable(state, state.turn, board(state.size))


def crownable_by(state: State, king: int) -> int:
    """The men that may be flipped because this king sees them; none if there is no king."""
    if state.turn is None or not state.kings >> king & 1:
        return 0
    tables = board(state.size)
    enemies = state.white if state.turn else state.black
    in_line, patterns = (tables.forward_sights if state.look_forward else tables.sights)[state.turn][king]
    return _crownable(state, state.turn, tables) & patterns[enemies & in_line]


def apply(state: State, move: Move) -> State:
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
    after = State(state.size, white, black, kings, 1 - turn, state.two_kings, state.look_forward)
    if reason is not None:
        return ended(after, turn, reason)
    return after if can_move(after) else ended(after, turn, NO_MOVE)


def can_move(state: State) -> bool:
    """Whether the side to move has any move."""
    turn = state.turn
    friends = state.black if turn else state.white
    free = ~friends & board(state.size).everywhere
    # Going straight along the columns needs no care at the sides of the board, so it is tried first.
    beyond = friends << state.size if turn else friends >> state.size
    return bool(beyond & free) or bool(moves(state))


def ended(state: State, winner: Seat | None, reason: str) -> State:
    return State(
        state.size, state.white, state.black, state.kings, None, state.two_kings, state.look_forward,
        Outcome(winner, reason),
    )  # fmt: skip


def steps(state: State, picks: Sequence[int]) -> list[int]:
    """First the piece, then where it goes; the piece again means that it is flipped."""
    if not picks:
        return sorted(_targets(state))
    if len(picks) == 1:
        return _targets(state).get(picks[0], [])
    return []


@latest
def _targets(state: State) -> dict[int, list[int]]:
    """Where each piece that can move may go."""
    found: dict[int, list[int]] = {}
    for start, target in moves(state):
        found.setdefault(start, []).append(target)
    for targets in found.values():
        targets.sort()
    return found
