"""Mitsudomoe's named playing styles: easy, medium and hard.

All three consider only the value of their own balls, and decide ties at random.
"""

from __future__ import annotations

from collections import defaultdict
from random import Random

from parlour.games.api import Game, Move, Seat
from parlour.games.mitsudomoe.board import BETWEEN, GOALS, GRID, WHITE, cells
from parlour.games.mitsudomoe.position import State

_AT_GOAL = 20
_FARTHEST = 2 * (GRID.columns - 1)

RingStep = tuple[int, int]
BallStep = tuple[int, int]


def value(seat: Seat, balls: int) -> int:
    """Return how far these balls of a seat are from its own corner, with a bonus for each that has arrived."""
    way = sum(cell // GRID.columns + cell % GRID.columns for cell in cells(balls))
    if seat != WHITE:
        way = _FARTHEST * balls.bit_count() - way
    return way + _AT_GOAL * (balls & GOALS[seat]).bit_count()


def hard(game: Game[State], state: State, rng: Random) -> Move:
    """Return the ring step whose best ball step has the highest value, with that ball step."""
    return _turn(game, state, rng, ring_by=0, ball_by=0)


def medium(game: Game[State], state: State, rng: Random) -> Move:
    """Return the ring step whose second-best ball step has the highest value, with its best ball step."""
    return _turn(game, state, rng, ring_by=1, ball_by=0)


def easy(game: Game[State], state: State, rng: Random) -> Move:
    """Return the ring step whose second-best ball step has the highest value, with that ball step."""
    return _turn(game, state, rng, ring_by=1, ball_by=1)


STYLES = {"easy": easy, "medium": medium, "hard": hard}


def _turn(game: Game[State], state: State, rng: Random, ring_by: int, ball_by: int) -> Move:
    """Return a turn whose steps are judged by the ball step of that rank: 0 is the best, 1 the second-best."""
    seat = state.turn
    assert seat is not None
    own, enemy = state.balls[seat], state.balls[1 - seat]
    # Every turn by its ring step and its ball step; turns that share both differ in where jumped balls go.
    found: dict[RingStep, dict[BallStep, list[Move]]] = defaultdict(lambda: defaultdict(list))
    for move in game.moves(state):
        found[move[0], move[1]][move[2], move[3]].append(move)
    worth = {
        step: value(seat, own ^ 1 << step[0] ^ 1 << step[1]) for ball_steps in found.values() for step in ball_steps
    }

    def ranked(ball_steps: dict[BallStep, list[Move]], rank: int) -> int:
        values = sorted((worth[step] for step in ball_steps), reverse=True)
        return values[min(rank, len(values) - 1)]

    highest = max(ranked(ball_steps, ring_by) for ball_steps in found.values())
    ring_step = rng.choice([step for step, after in found.items() if ranked(after, ring_by) == highest])
    ball_steps = found[ring_step]
    wanted = ranked(ball_steps, ball_by)
    chosen = rng.choice([step for step in ball_steps if worth[step] == wanted])

    def left_to_enemy(move: Move) -> int:
        stay = enemy & ~BETWEEN[chosen[0]][chosen[1]]
        return value(1 - seat, stay | sum(1 << cell for cell in move[4:])) if move[4:] else 0

    lowest = min(map(left_to_enemy, ball_steps[chosen]))
    return rng.choice([move for move in ball_steps[chosen] if left_to_enemy(move) == lowest])
