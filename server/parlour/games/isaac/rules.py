"""Isaac: the position, and how a game goes from placing bars to lifting them and to its end.

Where bars fit is in `placement`; what lifting them scores is in `scoring`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct

from parlour.games.api import Game, Move, Outcome, Seat
from parlour.games.isaac import placement, scoring
from parlour.games.isaac.bars import BARS, FULL_HAND, LENGTHS, SIZE, Bar, Hand, listed, number
from parlour.games.isaac.scoring import GOAL, WALK, Scores
from parlour.games.options import Options

DARK, LIGHT = 0, 1

T = TypeVar("T")

# How a game can end.
HUNDRED, POINTS, LONGER_LINE, DARK_TIE = "hundred", "points", "longer_line", "dark_tie"


class State(Struct, frozen=True):
    """A position. Pairs are in the order of the seats; `occupied` and `tally` follow from `bars`."""

    bars: tuple[int, int]  # the sets of bars on the board
    occupied: int  # the cells they cover
    tally: int  # how many of them lie on or cross each line
    hands: tuple[Hand, Hand]  # bars not placed; in the scoring phase, those that never were
    scores: Scores
    longest: tuple[int, int]  # the length of the longest bar lifted so far, 0 for none
    out: tuple[bool, bool]  # sides that are skipped for the rest of this phase
    scoring: bool  # False: bars are still being placed
    turn: Seat | None  # None when the game is over
    outcome: Outcome | None = None


START = State((0, 0), 0, 0, (FULL_HAND, FULL_HAND), (0, 0), (0, 0), (False, False), False, DARK)


class Rules(Game[State]):
    # -- setting up

    def initial(self, options: Options) -> State:
        return START

    # -- the rules

    def to_move(self, state: State) -> Seat | None:
        return state.turn

    def steps(self, state: State, picks: Sequence[int] = ()) -> Sequence[int]:
        """Return, when placing, length, one end, other end; when scoring, the low end of a bar, then the squares."""
        seat = state.turn
        if seat is None:
            return []
        if not state.scoring:
            return placement.steps(seat, state.occupied, state.hands[seat], picks)
        if not picks:
            return [bar.low for bar in listed(removable(state, seat))]
        if len(picks) == 1:
            bar = scoring.lifted(state.bars[seat], picks[0])
            return [walk for _, walk in scoring.moves(bar.bit, state.tally, state.scores)]
        return []

    def completes(self, state: State, picks: Sequence[int]) -> bool:
        return len(picks) == (1 if state.scoring else 2)

    def moves(self, state: State) -> list[Move]:
        """Return every placement `(slot, low end, high end)`, or every removal `(low end, walk)`."""
        seat = state.turn
        if seat is None:
            return []
        if state.scoring:
            return scoring.moves(removable(state, seat), state.tally, state.scores)
        return placement.moves(seat, state.occupied, state.hands[seat])

    def count(self, state: State) -> int:
        seat = state.turn
        if seat is None:
            return 0
        if state.scoring:
            return scoring.count(removable(state, seat), state.tally, state.scores)
        return placement.count(seat, state.occupied, state.hands[seat])

    def canonical(self, picks: Sequence[int]) -> Move:
        """Return the picks with the low end of a placed bar first: a bar may be placed from either end."""
        if len(picks) == 3:
            slot, one, other = picks
            return (slot, min(one, other), max(one, other))
        return tuple(picks)

    def apply(self, state: State, move: Move) -> State:
        seat = state.turn
        assert seat is not None
        following = seat if state.out[1 - seat] else 1 - seat
        if state.scoring:
            low, walk = move
            return _lift(state, seat, low, walk - WALK, following)
        return _place(state, seat, placed(seat, move), following)

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def scores(self, state: State) -> tuple[int, ...]:
        return state.scores


# -- what a move does


def placed(seat: Seat, move: Move) -> Bar:
    """Return the bar that a placement puts on the board."""
    slot, low, high = move
    return BARS[number(low, slot - placement.HANDS[seat] + LENGTHS[0], high - low >= SIZE)]


def _place(state: State, seat: Seat, bar: Bar, following: Seat) -> State:
    left = list(state.hands[seat])
    left[bar.length - LENGTHS[0]] -= 1
    three, four, five, six, seven = left
    return settled(
        State(
            _with(state.bars, seat, state.bars[seat] | bar.bit),
            state.occupied | bar.cells,
            state.tally + bar.touched,
            _with(state.hands, seat, (three, four, five, six, seven)),
            state.scores,
            state.longest,
            state.out,
            False,
            following,
        )
    )


def _lift(state: State, seat: Seat, low: int, squares: int, following: Seat) -> State:
    bar = scoring.lifted(state.bars[seat], low)
    score = state.scores[seat] + squares
    after = State(
        _with(state.bars, seat, state.bars[seat] ^ bar.bit),
        state.occupied ^ bar.cells,
        state.tally - bar.touched,
        state.hands,
        _with(state.scores, seat, score),
        _with(state.longest, seat, bar.length),
        state.out,
        True,
        following,
    )
    return settled(after) if score < GOAL else ended(after)


def _with(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    return (pair[0], value) if seat else (value, pair[1])


# -- whose turn it is, and how a game ends


def removable(state: State, seat: Seat) -> int:
    """Return the bars that a seat could lift on its turn. Both counters must be on the board."""
    return scoring.removable(state.bars[seat], state.longest[seat], state.scores)


def can_move(state: State, seat: Seat) -> bool:
    """Return whether a seat could move on its turn in this phase."""
    if state.scoring:
        return removable(state, seat) != 0
    return placement.fits(state.occupied, state.hands[seat])


def settled(state: State) -> State:
    """Return the position with the turn where the rules give it. `state.turn`, which is not out, would be next."""
    seat = state.turn
    assert seat is not None
    if can_move(state, seat):
        return state
    other = 1 - seat
    if not state.out[other] and can_move(state, other):
        return _turned(state, other, _with(state.out, seat, True), state.scoring)
    if state.scoring:
        return ended(_turned(state, other, (True, True), True))
    # Neither side can place a bar. The side that was skipped first starts scoring, and both are in again.
    first = other if state.out[other] else seat
    return settled(_turned(state, first, (False, False), True))


def _turned(state: State, turn: Seat, out: tuple[bool, bool], scoring: bool) -> State:
    return State(state.bars, state.occupied, state.tally, state.hands, state.scores, state.longest, out, scoring, turn)


def ended(state: State) -> State:
    """Return the position as the end of the game."""
    winner, reason = _result(state)
    return State(
        state.bars, state.occupied, state.tally, state.hands, state.scores, state.longest, state.out, True,
        None, Outcome(winner, reason, state.scores),
    )  # fmt: skip


def _result(state: State) -> tuple[Seat, str]:
    dark, light = state.scores
    if dark != light:
        return (DARK if dark > light else LIGHT), (HUNDRED if max(dark, light) >= GOAL else POINTS)
    dark_line, light_line = map(_line, state.hands)
    if dark_line != light_line:
        return (DARK if dark_line > light_line else LIGHT), LONGER_LINE
    return DARK, DARK_TIE


def _line(hand: Hand) -> tuple[int, int]:
    """Return the length of the line of kept bars. Bars are a little shorter than their cells, so fewer are longer."""
    return sum(left * length for left, length in zip(hand, LENGTHS, strict=True)), -sum(hand)
