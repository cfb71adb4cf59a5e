"""Mitsudomoe's named playing styles: easy, medium and hard.

All three measure only how far their own balls have come. They go through lists whose order is part of their definition:
the supply first, then cells row by row from the top left; among equal values the first in the list counts as best.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TypeVar

from parlour.games import grid
from parlour.games.api import Game, Move, Seat
from parlour.games.insight import Style
from parlour.games.mitsudomoe.board import BETWEEN, GOALS, GRID, WHITE, cells
from parlour.games.mitsudomoe.position import FIRST_SLOT, State

_AT_GOAL = 20
_FARTHEST = 2 * (GRID.columns - 1)

T = TypeVar("T")


def value(seat: Seat, balls: int) -> int:
    """Return how far these balls of a seat are from its own corner, with a bonus for each that has arrived."""
    way = sum(cell // GRID.columns + cell % GRID.columns for cell in cells(balls))
    if seat != WHITE:
        way = _FARTHEST * balls.bit_count() - way
    return way + _AT_GOAL * (balls & GOALS[seat]).bit_count()


def hard(game: Game[State], state: State, rng: Random) -> Move:
    """Return the ring step whose best ball step has the highest value, with that ball step."""
    return _turn(game, state, ring_back=0, ball_back=0, first_back=1)


def medium(game: Game[State], state: State, rng: Random) -> Move:
    """Return the ring step of easy, with the ball step and the relocation of hard."""
    return _turn(game, state, ring_back=1, ball_back=0, first_back=1)


def easy(game: Game[State], state: State, rng: Random) -> Move:
    """Return a turn like that of hard, but each time with the entry that stands before the best in its list."""
    return _turn(game, state, ring_back=1, ball_back=1, first_back=2)


STYLES: Mapping[str, Style] = {
    "easy": Style(
        easy,
        "Lists its steps row by row and takes the one listed just before the best (the best itself if that comes "
        "first). It judges rings the same way, and sends a vaulted ball to the place listed just before the worst for "
        "its owner. Like medium and hard, it only measures how far its own balls have come.",
    ),
    "medium": Style(medium, "Picks its ring like easy, but moves its ball and sends balls away like hard."),
    "hard": Style(
        hard,
        "Picks the ring that allows the best ball step, makes that step, and sends vaulted balls where it hurts the "
        "opponent most. It does not look at what the opponent could do.",
    ),
}


def _turn(game: Game[State], state: State, ring_back: int, ball_back: int, first_back: int) -> Move:
    """Return a turn.

    Ring steps are judged by the ball step that stands `ring_back` places before the best one; the ball step itself and
    the relocation stand `ball_back` places before the best, the relocation only from the place `first_back` on.
    """
    seat = state.turn
    assert seat is not None
    own, enemy = state.balls[seat], state.balls[1 - seat]
    # Every turn by its ring step and its ball step; turns that share both differ in where jumped balls go.
    turns: dict[Move, dict[Move, list[Move]]] = {}
    for move in sorted(game.moves(state), key=_reading_order):
        turns.setdefault(move[:2], {}).setdefault(move[2:4], []).append(move)

    def worth(step: Move) -> int:
        return value(seat, own ^ 1 << step[0] ^ 1 << step[1])

    def judged(ring_step: Move) -> int:
        # By the original rules a ring step may leave no ball step, which loses.
        ball_steps = [step for step in turns[ring_step] if step]
        return worth(_before_best(ball_steps, worth, ring_back)) if ball_steps else -1

    def left_to_enemy(move: Move) -> int:
        stay = enemy & ~BETWEEN[move[2]][move[3]]
        return -value(1 - seat, stay | grid.mask(move[4:]))

    ball_steps = turns[_before_best(list(turns), judged, 0)]
    if () in ball_steps:
        return ball_steps[()][0]
    found = ball_steps[_before_best(list(ball_steps), worth, ball_back)]
    if len(found) == 1:
        return found[0]
    return _before_best(found, left_to_enemy, ball_back, first_back)


def _before_best(listed: Sequence[T], worth: Callable[[T], int], back: int, first: int = 1) -> T:
    """Return the entry `back` places before the best; the best itself if that lies before `first`."""
    values = [worth(entry) for entry in listed]
    best = values.index(max(values))
    return listed[best - back if best >= first else best]


def _reading_order(move: Move) -> tuple[tuple[int, int], ...]:
    """Return the sort key of a turn: the supply first, cells from the top left, jumped balls in the same order."""
    steps = [(-1, 0) if place >= FIRST_SLOT else _from_top_left(place) for place in move[:4]]
    return (*steps, *sorted(_from_top_left(place) for place in move[4:]))


def _from_top_left(cell: int) -> tuple[int, int]:
    row, column = divmod(cell, GRID.columns)
    return GRID.rows - 1 - row, column
