"""Mitsudomoe: what a turn does, and how a game ends. Which turns there are is in `turns`."""

from __future__ import annotations

from parlour.games import grid
from parlour.games.api import Move, Outcome, Seat
from parlour.games.mitsudomoe.board import BETWEEN, EVERYWHERE, GOALS, HOMES, NEIGHBOURS, cells
from parlour.games.mitsudomoe.position import FULL_SUPPLY, State, first_position, with_ring
from parlour.games.mitsudomoe.turns import Turns
from parlour.games.options import Options

# How a game can end, in the order in which it is checked. A side is stuck if its ring step leaves it no ball step.
ORDER = ARRIVED, PASSIVE, NO_MOVE, STUCK = "arrived", "passive", "no_move", "stuck"

# The option `rules`.
PUBLISHED, ORIGINAL = "published", "original"


class Rules(Turns):
    def initial(self, options: Options) -> State:
        return first_position(*variant(options))

    def to_move(self, state: State) -> Seat | None:
        return state.turn

    def apply(self, state: State, move: Move) -> State:
        turn = state.turn
        assert turn is not None
        stacks, tops, supply = with_ring(state, move[0], move[1])
        if len(move) == 2:
            after = State(stacks, tops, state.balls, supply, None, state.passive, None, state.original)
            return ended(after, Outcome(1 - turn, STUCK))
        ball, landing = move[2:4]
        own, enemy = state.balls[turn], state.balls[1 - turn]
        own ^= 1 << ball | 1 << landing
        if len(move) > 4:
            enemy = enemy & ~BETWEEN[ball][landing] | grid.mask(move[4:])
        balls = (enemy, own) if turn else (own, enemy)
        after = State(stacks, tops, balls, supply, 1 - turn, state.passive, None, state.original)
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
        return None if self.can_move(state) else Outcome(mover, NO_MOVE)

    def can_move(self, state: State) -> bool:
        """Return whether the side to move has a turn. In the original rules a ring step alone is one."""
        turn = state.turn
        assert turn is not None
        empty = EVERYWHERE ^ state.balls[0] ^ state.balls[1]
        if not state.supply[turn] and not state.tops[turn] & empty:
            return False
        if state.original:
            return True
        # A ring can go to any cell without a ball except its own, so two such cells beside one ball are enough.
        for ball in cells(state.balls[turn] & ~GOALS[turn]):
            room = NEIGHBOURS[ball] & empty
            if room & room - 1:
                return True
        return self.count(state) > 0

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome


def variant(options: Options) -> tuple[bool, bool]:
    """Return whether the passive rule holds, and whether the rules are those of the original program."""
    original = options.get("rules") == ORIGINAL  # games of version 1 have no such option
    return bool(options["passive"]) and not original, original


def ended(state: State, outcome: Outcome) -> State:
    """Return the position as the end of the game."""
    return State(state.stacks, state.tops, state.balls, state.supply, None, state.passive, outcome, state.original)
