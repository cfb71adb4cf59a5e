"""The choices that are encoded at once are those that the steps make."""

from __future__ import annotations

from random import Random

from parlour.games import laws
from parlour.games.isaac import GAME
from tests.games.test_golden import lines

OPTIONS = GAME.options({})


def test_the_trees_of_golden_positions() -> None:
    """Every tenth golden position of both phases has the tree of its steps."""
    for line in lines("isaac")[::10]:
        laws.trees_follow_the_steps(GAME, OPTIONS, GAME.parse(line["position"], OPTIONS), Random(1))


def test_the_tree_of_the_first_position() -> None:
    """On the empty board every bar fits nearly everywhere, and the tree still fits into a message."""
    laws.trees_follow_the_steps(GAME, OPTIONS, GAME.initial(OPTIONS), Random(1))


def test_a_finished_game_has_no_tree() -> None:
    """There is nothing to choose."""
    state, rng = GAME.initial(OPTIONS), Random(5)
    while state.turn is not None:
        state = GAME.apply(state, rng.choice(GAME.moves(state)))

    assert GAME.tree(state) is None
