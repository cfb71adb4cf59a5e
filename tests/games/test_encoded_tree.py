"""The encoded parts of a tree are those of the messages, and building a tree takes few steps."""

from __future__ import annotations

import sys
from random import Random
from types import FrameType
from typing import Any

import pytest

from parlour import games
from parlour.games import encoded_tree as encoded
from parlour.games.choices import choices
from parlour.games.encoded_tree import BEGINNINGS, CUTS, FALSE, NUMBERS, encode
from parlour.games.perft import random_match
from parlour.protocol.scene import Mark, SceneDiff
from parlour.protocol.types import Pick, Step

# Python functions called to list the choices of a player, on average over some random matches. Newer Pythons than 3.11
# do not call comprehensions. A change that makes a number smaller lowers its limit here.
CALLS = {"isaac": 190, "mapello": 120, "mitsudomoe": 180, "replica": 290}


@pytest.mark.parametrize("length", [0, 1, 15, 16, 300])
def test_an_array_of_any_length(length: int) -> None:
    """Encoded items become the array of the items."""
    assert encoded.array([NUMBERS[number] for number in range(length)]) == encode(tuple(range(length)))


@pytest.mark.parametrize("place", [0, 127, 128, 511])
def test_a_pick_that_is_followed_by_a_step(place: int) -> None:
    """Its beginning, the step and its end are the pick; a pick behind which the tree is cut is there as a whole."""
    look = SceneDiff(((3, 1),), ((0, 2),), 1, ((Mark.STEP, 1, 2),))
    then = Step(2, (3, Pick(4, "+1")), look)
    looks = encoded.look(encode(look.pieces), look.to_move, encode(look.tallies), encode(look.marks))

    assert BEGINNINGS[place] + encoded.step(2, encode(then.picks), looks) + FALSE == encode(Pick(place, then=then))
    assert encoded.step(2, encode(then.picks)) == encode(Step(2, then.picks))
    assert CUTS[place] == encode(Pick(place, more=True))


def calls_of(game: Any, state: Any) -> int:
    """Return the number of Python functions that listing the choices of a position calls."""
    calls = 0

    def count(frame: FrameType, event: str, arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        if game.tree(state) is None:
            choices(game, state)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("key", CALLS)
def test_choices_take_few_calls(key: str) -> None:
    """The cost of a player's choices is bounded, in a number that is the same on every machine."""
    game = games.find(key)
    states = [state for seed in range(4) for state in random_match(game, game.options({}), Random(seed)).states[:-1]]

    assert sum(calls_of(game, state) for state in states) / len(states) <= CALLS[key]
