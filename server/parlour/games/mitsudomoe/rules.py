"""Mitsudomoe: what a turn does, and how a game ends."""

from __future__ import annotations

from parlour.games import grid
from parlour.games.api import Move, Outcome, Seat
from parlour.games.mitsudomoe.board import BETWEEN, GOALS, HOMES
from parlour.games.mitsudomoe.position import FULL_SUPPLY, State, with_ring
from parlour.games.mitsudomoe.turns import can_move

# How a game can end, in the order in which it is checked.
ORDER = ARRIVED, PASSIVE, NO_MOVE = "arrived", "passive", "no_move"


def apply(state: State, move: Move) -> State:
    source, target, ball, landing = move[:4]
    turn = state.turn
    assert turn is not None
    stacks, tops, supply = with_ring(state, source, target)
    own, enemy = state.balls[turn], state.balls[1 - turn]
    own ^= 1 << ball | 1 << landing
    if len(move) > 4:
        enemy = enemy & ~BETWEEN[ball][landing] | grid.mask(move[4:])
    balls = (enemy, own) if turn else (own, enemy)
    after = State(stacks, tops, balls, supply, 1 - turn, state.passive)
    outcome = verdict(after, turn)
    return after if outcome is None else ended(after, outcome)


def verdict(state: State, mover: Seat) -> Outcome | None:
    """How the game ended with the turn that `mover` has just made; the other side is to move."""
    if state.balls[mover] == GOALS[mover]:
        return Outcome(mover, ARRIVED)
    # Who still has a full supply has not moved yet and is not to blame for his home.
    if state.passive and not HOMES[mover] & ~(state.balls[0] | state.balls[1]) and state.supply[mover] < FULL_SUPPLY:
        return Outcome(1 - mover, PASSIVE)
    return None if can_move(state) else Outcome(mover, NO_MOVE)


def ended(state: State, outcome: Outcome) -> State:
    return State(state.stacks, state.tops, state.balls, state.supply, None, state.passive, outcome)
