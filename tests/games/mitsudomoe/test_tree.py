"""The choices that are encoded at once are those that the steps make."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from parlour.games import laws
from parlour.games.choices import choices
from parlour.games.encoded_tree import MOST_BYTES, decode, encode
from parlour.games.mitsudomoe import GAME
from parlour.protocol.types import Pick, Step
from tests.games.test_golden import lines

# Its tree has more than 8,192 bytes.
LARGE = ".,.,b,.,bw/b,bB,bB,b,bB/wW,.,w,w,wW/w,wW,w,.,./.,b,.,.,. w 0,0"

# What the random positions seldom have.
POSITIONS = {
    "a vault over one ball": ".,.,.,bB,bB/w,.,.,bB,./.,w,.,b,./.,wW,.,.,b/wW,wW,.,.,. w 3,3",
    "nothing left in the supply": LARGE,
}


def cuts(step: Step, depth: int = 1) -> set[int]:
    """Return after how many picks a tree is cut."""
    found = set()
    for pick in step.picks:
        if isinstance(pick, Pick) and pick.more:
            found.add(depth)
        elif isinstance(pick, Pick) and pick.then is not None:
            found |= cuts(pick.then, depth + 1)
    return found


@pytest.mark.parametrize("rules", ["published", "original"])
def test_the_trees_of_golden_positions(rules: str) -> None:
    """Under both rules, every tenth golden position has the tree of its steps."""
    options = GAME.options({"rules": rules})
    for line in lines("mitsudomoe")[::10]:
        state = GAME.parse(line["position"], options)
        laws.trees_follow_the_steps(GAME, options, state, Random(1))


@pytest.mark.parametrize("rules", ["published", "original"])
@pytest.mark.parametrize("position", POSITIONS)
def test_the_tree_of_a_position(position: str, rules: str) -> None:
    """So have positions of kinds that are rare."""
    options: Any = GAME.options({"rules": rules})
    laws.trees_follow_the_steps(GAME, options, GAME.parse(POSITIONS[position], options), Random(1))


def test_a_large_tree_is_cut_behind_the_ball() -> None:
    """A tree that is too large for one message still shows every ring step, and leaves one question to the server."""
    options = GAME.options({})
    state = GAME.parse(LARGE, options)
    step, _ = choices(GAME, state, budget=1_000_000)
    tree = GAME.tree(state)

    assert len(encode(step)) > MOST_BYTES
    assert tree is not None
    assert len(tree.step) <= MOST_BYTES
    assert cuts(decode(tree.step)) == {3}
    laws.trees_follow_the_steps(GAME, options, state, Random(1))


def test_a_finished_game_has_no_tree() -> None:
    """There is nothing to choose."""
    state, rng = GAME.initial(GAME.options({})), Random(5)
    while state.turn is not None:
        state = GAME.apply(state, rng.choice(GAME.moves(state)))

    assert GAME.tree(state) is None
