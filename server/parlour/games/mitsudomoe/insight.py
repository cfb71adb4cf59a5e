"""How to play Mitsudomoe well: rings that can be moved count for more than balls that are far ahead.

A side with no ring to move has no turn and has lost. A ring is lost when an enemy ring lies on it, so good play is a
fight for rings, and only an even fight is decided by the race of the balls. The weights come from games that the search
played against itself, as chances to win: 100 is about three games of four.

A position has hundreds of turns, but most differ only in a ring step that hardly matters. The search is given every
ball step, each with the few best ring steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from operator import itemgetter
from typing import ClassVar

from parlour.games import grid
from parlour.games.api import Move, Seat
from parlour.games.insight import Insight
from parlour.games.mitsudomoe import board
from parlour.games.mitsudomoe.board import EVERYWHERE, GOALS, GRID, NEIGHBOURS, cells
from parlour.games.mitsudomoe.position import BALLS, FIRST_SLOT, NO_RINGS, State
from parlour.games.mitsudomoe.styles import STYLES

_RING = 165  # a ring that can be moved, from the supply or from a cell
_PIN = 88  # subtracted for a ring on an enemy ring, which would be free without it
_READY = 20  # a ring beside an own ball: the ball can step there, whatever the next ring step is
_STEP = 4  # each step still to go
_ASTRAY = 7  # each row or column away from the goal corner
_TURN = 48  # the right to move; with this, searches of odd and even depth agree

# How many candidates are kept: rings to bring to a landing, ring steps for a ball step that needs none, relocations of
# jumped balls, and turns altogether.
_SOURCES = 2
_RING_STEPS = 3
_RELOCATIONS = 2
_WIDTH = 12

_SIDE = GRID.columns
_CORNERS = (GRID.size - 1, 0)

Scored = tuple[int, Move]
# A ball step: from, to, the cells on which jumped balls end, and the worth of these relocations.
_Step = tuple[int, int, tuple[int, ...], int]


def _distance(one: int, other: int) -> int:
    """Return the number of steps from cell to cell."""
    return max(abs(one // _SIDE - other // _SIDE), abs(one % _SIDE - other % _SIDE))


# By seat and cell: the steps to each goal cell, and the rows and columns away from the goal corner.
_STEPS = tuple(
    tuple([_distance(cell, goal) for goal in cells(GOALS[seat])] for cell in range(GRID.size)) for seat in (0, 1)
)
_ASTRAY_BY = tuple(
    tuple(abs(cell // _SIDE - corner // _SIDE) + abs(cell % _SIDE - corner % _SIDE) for cell in range(GRID.size))
    for corner in _CORNERS
)


def _way(seat: Seat, balls: tuple[int, ...]) -> int:
    """Return the cost of the way that these balls still have to go, each to its own goal cell."""
    away = _ASTRAY_BY[seat]
    (a, b, c), (d, e, f), (g, h, i) = (_STEPS[seat][ball] for ball in balls)
    steps = min(a + e + i, a + f + h, b + d + i, b + f + g, c + d + h, c + e + g)
    return _STEP * steps + _ASTRAY * sum([away[ball] for ball in balls])


def _around(balls: int) -> int:
    """Return the cells beside any of these balls."""
    found = 0
    for ball in cells(balls):
        found |= NEIGHBOURS[ball]
    return found


_TRIPLES = tuple(combinations(range(GRID.size), BALLS))
# By seat and set of balls: the cost of their way, and the cells to which they could walk.
WAY = tuple({grid.mask(balls): _way(seat, balls) for balls in _TRIPLES} for seat in (0, 1))
_REACH = tuple({balls: _around(balls & ~GOALS[seat]) for balls in WAY[seat]} for seat in (0, 1))


class MitsudomoeInsight(Insight[State]):
    styles: ClassVar = STYLES
    scale: ClassVar[int] = 110
    nodes: ClassVar[int] = 65_000

    def value(self, state: State) -> int:
        seat = state.turn
        assert seat is not None
        return _TURN + _standing(state, seat) - _standing(state, 1 - seat)

    def win(self, state: State) -> Move | None:
        """Return a turn in which the last ball steps onto the last goal cell."""
        seat = state.turn
        assert seat is not None
        left = state.balls[seat] & ~GOALS[seat]
        if left & left - 1:
            return None
        landing = (GOALS[seat] & ~state.balls[seat]).bit_length() - 1
        return next((move for move in self.candidates(state) or () if move[3] == landing), None)

    def danger(self, state: State) -> bool:
        """Return whether the last ball of the other side is beside its goal cell."""
        seat = state.turn
        assert seat is not None
        enemy, goals = state.balls[1 - seat], GOALS[1 - seat]
        left = enemy & ~goals
        return not left & left - 1 and NEIGHBOURS[left.bit_length() - 1] & goals & ~enemy != 0

    def candidates(self, state: State) -> Sequence[Move] | None:
        """Return every ball step with its best ring steps, up to a limit, best first."""
        found = _turns(state)
        found.sort(key=itemgetter(0), reverse=True)
        return [move for _, move in found[:_WIDTH]] or None


def _standing(state: State, seat: Seat) -> int:
    """Return how well one side stands."""
    balls = state.balls[seat]
    free = state.tops[seat] & ~(balls | state.balls[1 - seat])
    worth = _RING * (free.bit_count() + state.supply[seat]) - WAY[seat][balls]
    worth += _READY * (free & _REACH[seat][balls]).bit_count()
    stacks = state.stacks
    for cell in cells(free):
        below = stacks[cell] >> 1
        if below != NO_RINGS and below & 1 != seat:
            worth -= _PIN
    return worth


def _turns(state: State) -> list[Scored]:
    """Return the turns worth searching, each with its worth."""
    seat = state.turn
    assert seat is not None
    own, enemy = state.balls[seat], state.balls[1 - seat]
    empty = EVERYWHERE ^ own ^ enemy
    mine, theirs = state.tops[seat] & empty, state.tops[1 - seat] & empty
    original = state.original
    walks, vaults = board.ball_steps(seat, own, enemy, original)
    steps: list[_Step] = [(ball, landing, (), 0) for ball, landing in walks]
    for ball, landing, jumped in vaults:
        harms = _harms(1 - seat, enemy, jumped, theirs & ~(1 << landing), original)
        steps += [(ball, landing, final, harm) for harm, final in harms[:_RELOCATIONS]]
    way = WAY[seat]
    sources, targets = _sources(state, seat, mine), _targets(mine, theirs, empty)
    found: list[Scored] = []
    for ball, landing, final, harm in steps:
        worth = harm + way[own] - way[own ^ 1 << ball ^ 1 << landing]
        if mine >> landing & 1:
            found += _with_ring_step(worth, (ball, landing, *final), sources, targets)
            continue
        if theirs >> landing & 1:
            worth += _RING
        found += [(worth + taken, (source, landing, ball, landing, *final)) for taken, source in sources[:_SOURCES]]
    return found


def _harms(seat: Seat, balls: int, jumped: int, free: int, original: bool) -> list[tuple[int, tuple[int, ...]]]:
    """Return the relocations of a seat's jumped balls, each with its cost to that seat, the worst first."""
    way, stay = WAY[seat], balls & ~jumped
    return sorted(
        ((way[stay | grid.mask(final)] - way[balls], final) for final in board.relocations(free, jumped, original)),
        reverse=True,
    )


def _sources(state: State, seat: Seat, mine: int) -> list[tuple[int, int]]:
    """Return the places to take a ring from, each with its worth, best first."""
    found = [(1, FIRST_SLOT + seat)] if state.supply[seat] else []
    for cell in cells(mine):
        below = state.stacks[cell] >> 1
        if below == NO_RINGS:
            found.append((0, cell))
        else:
            found.append((_RING if below & 1 == seat else _PIN - _RING, cell))
    found.sort(reverse=True)
    return found


def _targets(mine: int, theirs: int, empty: int) -> list[tuple[int, int]]:
    """Return the cells to which a ring can go, each with its worth, best first."""
    cover = [(_RING - _PIN, cell) for cell in cells(theirs)]
    return cover + [(0, cell) for cell in cells(empty & ~mine & ~theirs)] + [(-_RING, cell) for cell in cells(mine)]


def _with_ring_step(
    worth: int, step: tuple[int, ...], sources: list[tuple[int, int]], targets: list[tuple[int, int]]
) -> list[Scored]:
    """Return turns of a ball step whose landing already shows an own ring, with the best ring steps."""
    taken_cells = step[1:]  # the ring must not leave the landing, nor go there or where a jumped ball ends
    found: list[Scored] = []
    for taken, source in sources[: _SOURCES + 1]:
        if source == step[1]:
            continue
        free = [entry for entry in targets[: _RING_STEPS + 4] if entry[1] != source and entry[1] not in taken_cells]
        found += [(worth + taken + placed, (source, target, *step)) for placed, target in free[:_RING_STEPS]]
    found.sort(key=itemgetter(0), reverse=True)
    return found[: _RING_STEPS + 1]
