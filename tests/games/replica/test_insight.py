"""What the search is told about Replica."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from parlour.games.api import Outcome
from parlour.games.replica import GAME
from parlour.games.replica.insight import ReplicaInsight
from parlour.games.replica.rules import NO_MOVE, State

INSIGHT = ReplicaInsight()
VARIANTS = [
    {"size": size, "kings": kings, "sight": sight}
    for size in (8, 12)
    for kings in ("unlimited", "2")
    for sight in ("all", "forward")
]

wanderings = given(variant=st.sampled_from(VARIANTS), seed=st.integers(0, 2**32), plies=st.integers(0, 80))


def wandered(variant: dict[str, object], seed: int, plies: int) -> State:
    """The position after some random moves, or before the one that would end the game."""
    rng, state = Random(seed), GAME.initial(GAME.options(variant))
    for _ in range(plies):
        after = GAME.apply(state, rng.choice(GAME.moves(state)))
        if after.turn is None:
            break
        state = after
    return state


def with_the_other_to_move(state: State) -> State:
    assert state.turn is not None
    return State(state.size, state.white, state.black, state.kings, 1 - state.turn, state.two_kings, state.look_forward)


def ended(state: State) -> list[Outcome]:
    """How the game can end with the next move; running out of moves is found by searching."""
    after = (GAME.apply(state, move).outcome for move in GAME.moves(state))
    return [outcome for outcome in after if outcome is not None and outcome.reason != NO_MOVE]


@settings(max_examples=150)
@wanderings
def test_wins_and_dangers_are_those_of_the_rules(variant: dict[str, object], seed: int, plies: int) -> None:
    """A win is seen if and only if a move wins; danger, if and only if the other side could win now."""
    state = wandered(variant, seed, plies)

    assert (INSIGHT.win(state) is not None) == bool(ended(state))
    assert INSIGHT.danger(state) == bool(ended(with_the_other_to_move(state)))


@settings(max_examples=100)
@wanderings
def test_only_lost_moves_are_left_out(variant: dict[str, object], seed: int, plies: int) -> None:
    """After a move that is not in the order, the other side wins at once."""
    state = wandered(variant, seed, plies)
    assume(INSIGHT.win(state) is None)
    named = INSIGHT.order(state, GAME.moves(state))
    for move in set(GAME.moves(state)) - set(named):
        after = GAME.apply(state, move)
        assert after.turn is not None
        assert ended(after)


@settings(max_examples=60)
@wanderings
def test_both_sides_are_judged_alike(variant: dict[str, object], seed: int, plies: int) -> None:
    """Turned by 180 degrees with the colours swapped, a position is worth the same to the side to move."""
    state = wandered(variant, seed, plies)
    rows, turn = GAME.print(state).split(" ")
    turned = f"{rows[::-1]} {turn}".translate(str.maketrans("wWbB", "bBwW"))

    assert INSIGHT.value(GAME.parse(turned, GAME.options(variant))) == INSIGHT.value(state)


@pytest.mark.parametrize(
    ("position", "forcing"),
    [
        ("......../......../....W.../......../..b...../.b....../......../B....... b", {"b3-d5"}),  # c4 protects it
        ("......../......../....W.../......../..b...../......../......../B....... b", set()),
        ("......../......../....W.../..w...../.b....../......../......../B....... b", {"b4-c5"}),
    ],
)
def test_what_is_forcing(position: str, forcing: set[str]) -> None:
    """Captures, and threats by a piece that is protected where it goes."""
    state = GAME.parse(position, GAME.options({}))

    assert {GAME.write(state, move) for move in INSIGHT.forcing(state)} == forcing
