"""Mitsudomoe: each turn lays a ring and moves a ball; three balls in the enemy's home corner win.

Where balls could go does not depend on the rings. So it is worked out once per position, and each ring step only
asks which of those cells then show an own ring.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb

from msgspec import Struct

from parlour.games.api import Move, Outcome, Seat
from parlour.games.mitsudomoe import board
from parlour.games.mitsudomoe.board import BETWEEN, EVERYWHERE, GOALS, HOMES, NEIGHBOURS, WHITE, Vault, Walk, cells

RINGS, BALLS = 8, 3  # of each side
FULL_SUPPLY = RINGS - BALLS

# The supply slots are the places after the cells: White's, then Black's.
FIRST_SLOT = board.GRID.size

# How a game can end.
ARRIVED, PASSIVE, NO_MOVE = "arrived", "passive", "no_move"

# The rings of a cell are one number: a leading 1, then from bottom to top a bit for each ring, which is its seat.
NO_RINGS = 1


class State(Struct, frozen=True):
    """A position. Pairs are by seat; sets of cells are ints with one bit per cell."""

    stacks: tuple[int, ...]  # the rings of each cell, see `NO_RINGS`
    tops: tuple[int, int]  # where the topmost ring is a seat's; follows from `stacks`
    balls: tuple[int, int]  # each stands on a ring of its own seat
    supply: tuple[int, int]
    turn: Seat | None  # None when the game is over
    passive: bool = True  # option: who leaves his own home full of balls loses
    outcome: Outcome | None = None


def initial(passive: bool) -> State:
    stacks = [NO_RINGS] * board.GRID.size
    for seat, home in enumerate(HOMES):
        for cell in cells(home):
            stacks[cell] = NO_RINGS << 1 | seat
    return State(tuple(stacks), HOMES, HOMES, (FULL_SUPPLY, FULL_SUPPLY), WHITE, passive)


def tops(stacks: Sequence[int]) -> tuple[int, int]:
    """The cells whose topmost ring is White's, and those where it is Black's."""
    found = [0, 0]
    for cell, rings in enumerate(stacks):
        if rings != NO_RINGS:
            found[rings & 1] |= 1 << cell
    return found[0], found[1]


# -- which turns there are

# A place to take a ring from, then what shows without it: cells with an own ring and no ball, the same for the enemy.
Source = tuple[int, int, int]


def _sources(state: State, turn: Seat, mine: int, theirs: int) -> Iterator[Source]:
    if state.supply[turn]:
        yield FIRST_SLOT + turn, mine, theirs
    for cell in cells(mine):
        below = state.stacks[cell] >> 1
        if below == NO_RINGS:
            yield cell, mine ^ 1 << cell, theirs
        elif below & 1 == turn:
            yield cell, mine, theirs
        else:
            yield cell, mine ^ 1 << cell, theirs | 1 << cell


def moves(state: State) -> list[Move]:
    """Every turn: where the ring comes from, where it goes, the ball, where it goes, where enemy balls end, sorted."""
    turn = state.turn
    if turn is None:
        return []
    own, enemy = state.balls[turn], state.balls[1 - turn]
    empty = EVERYWHERE ^ own ^ enemy
    mine = state.tops[turn] & empty
    walks, vaults = board.ball_steps(turn, own, enemy)
    ready = [(ball, landing) for ball, landing in walks if mine >> landing & 1]
    # These need the ring of this very turn. A ring that was taken away cannot be needed: it may not come back.
    wanting = [(ball, landing) for ball, landing in walks if not mine >> landing & 1]
    found: list[Move] = []
    for source, shown, theirs in _sources(state, turn, mine, state.tops[1 - turn] & empty):
        targets = cells(empty & ~(1 << source))
        left = ready if shown == mine else [walk for walk in ready if walk[1] != source]
        found += [(source, target, ball, landing) for target in targets for ball, landing in left]
        found += [(source, landing, ball, landing) for ball, landing in wanting]
        for ball, landing, jumped in vaults:
            if shown >> landing & 1:
                found += _vaults(source, targets, (ball, landing, jumped), theirs)
            elif landing != source:
                found += _vaults(source, (landing,), (ball, landing, jumped), theirs)
    return found


def _vaults(source: int, targets: Sequence[int], vault: Vault, theirs: int) -> list[Move]:
    """The turns with this vault and a ring that goes to one of the targets."""
    ball, landing, jumped = vault
    found: list[Move] = []
    usual = board.relocations(theirs, jumped)
    for target in targets:
        step = (source, target, ball, landing)
        covers = theirs >> target & 1
        ends = board.relocations(theirs ^ 1 << target, jumped) if covers else usual
        found += [step + final for final in ends]
    return found


def count(state: State) -> int:
    """How many turns there are, without listing them."""
    turn = state.turn
    if turn is None:
        return 0
    own, enemy = state.balls[turn], state.balls[1 - turn]
    empty = EVERYWHERE ^ own ^ enemy
    mine, theirs = state.tops[turn] & empty, state.tops[1 - turn] & empty
    walks, vaults = board.ball_steps(turn, own, enemy)
    ready = [landing for _, landing in walks if mine >> landing & 1]
    covering = theirs.bit_count()  # targets on which the ring takes away a cell to relocate to
    found = 0
    for source, shown, open_ in _sources(state, turn, mine, theirs):
        targets = empty.bit_count() - (source < FIRST_SLOT)
        left = len(ready) if shown == mine else len(ready) - ready.count(source)
        found += left * targets + len(walks) - len(ready)
        for _, landing, jumped in vaults:
            free, many = open_.bit_count(), jumped.bit_count()
            if shown >> landing & 1:
                found += (targets - covering) * _ways(free, many) + covering * _ways(free - 1, many)
            elif landing != source:
                found += _ways(free - (open_ >> landing & 1), many)
    return found


def _ways(free: int, many: int) -> int:
    """How many relocations `board.relocations` would list."""
    return comb(free + many, many) - 1


def can_move(state: State) -> bool:
    """Whether the side to move has any turn."""
    turn = state.turn
    if turn is None:
        return False
    empty = EVERYWHERE ^ state.balls[0] ^ state.balls[1]
    if not state.supply[turn] and not state.tops[turn] & empty:
        return False
    # A ring can come to any cell without a ball except the one it lies on, so two such cells beside a ball will do.
    for ball in cells(state.balls[turn] & ~GOALS[turn]):
        room = NEIGHBOURS[ball] & empty
        if room & room - 1:
            return True
    return count(state) > 0


def steps(state: State, picks: Sequence[int]) -> list[int]:
    """The ring, where it goes, the ball, where it goes; then a cell for each enemy ball jumped, in any order."""
    turn = state.turn
    if turn is None:
        return []
    own, enemy = state.balls[turn], state.balls[1 - turn]
    empty = EVERYWHERE ^ own ^ enemy
    made = len(picks)
    if made < 2:
        found = {}
        for source, shown, theirs in _sources(state, turn, state.tops[turn] & empty, state.tops[1 - turn] & empty):
            pass
    return []


def with_ring(state: State, source: int, target: int) -> State:
    """The position after a ring step alone."""
    turn = state.turn
    assert turn is not None
