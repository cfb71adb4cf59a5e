"""Mitsudomoe: what a turn does, and how a game ends. Which turns there are is in `turns`."""

from __future__ import annotations

from parlour.games import grid
from parlour.games.api import Move, Outcome, Seat
from parlour.games.mitsudomoe.board import BETWEEN, EVERYWHERE, GOALS, HOMES, NEIGHBOURS, cells
from parlour.games.mitsudomoe.position import FULL_SUPPLY, State, first_position, with_ring
from parlour.games.mitsudomoe.turns import Turns
from parlour.games.options import Options

# How a game can end, in the order in which it is checked.
ORDER = ARRIVED, PASSIVE, NO_MOVE = "arrived", "passive", "no_move"


class Rules(Turns):
    def initial(self, options: Options) -> State:
        return first_position(bool(options["passive"]))

    def to_move(self, state: State) -> Seat | None:
        return state.turn

    def apply(self, state: State, move: Move) -> State:
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
        outcome = self.verdict(after, turn)
        return after if outcome is None else ended(after, outcome)

    def verdict(self, state: State, mover: Seat) -> Outcome | None:
        """Return how the game ended with the turn that `mover` has just made; the other side is to move."""
        if state.balls[mover] == GOALS[mover]:
            return Outcome(mover, ARRIVED)
        # A side with a full supply has not moved yet, so it did not choose to leave its home full.
        home_is_full = not HOMES[mover] & ~(state.balls[0] | state.balls[1])
        if state.passive and home_is_full and state.supply[mover] < FULL_SUPPLY:
            return Outcome(1 - mover, PASSIVE)
        return None if self._can_move(state) else Outcome(mover, NO_MOVE)

    def _can_move(self, state: State) -> bool:
        turn = state.turn
        assert turn is not None
        empty = EVERYWHERE ^ state.balls[0] ^ state.balls[1]
        if not state.supply[turn] and not state.tops[turn] & empty:
            return False
        # A ring can go to any cell without a ball except its own, so two such cells beside one ball are enough.
        for ball in cells(state.balls[turn] & ~GOALS[turn]):
            room = NEIGHBOURS[ball] & empty
            if room & room - 1:
                return True
        return self.count(state) > 0

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome


def ended(state: State, outcome: Outcome) -> State:
    """Return the position as the end of the game."""
    return State(state.stacks, state.tops, state.balls, state.supply, None, state.passive, outcome)
