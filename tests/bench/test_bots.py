"""The benchmark of the bots."""

from __future__ import annotations

import pytest

from bench.bots import Negamax, measure, positions, table
from parlour import games
from parlour.bots.search import WIN


def test_negamax_counts_every_move() -> None:
    """The initial position of Mapello has four moves, so four nodes are enough for one ply."""
    game = games.find("mapello")
    negamax = Negamax(game, 1_000)
    negamax.value(game.initial(game.options({})), 1, -WIN, WIN)

    assert negamax.left == 1_000 - 4
    assert Negamax(game, 4).deepen(game.initial(game.options({}))) == 1


@pytest.mark.parametrize("key", ["mapello", "replica"])
def test_a_game_has_a_line(key: str) -> None:
    """Both sides are measured, and the search is the deeper one."""
    result = measure(games.find(key), 0.005)

    assert result.search > 0
    assert result.ratio_low <= result.ratio <= result.ratio_high
    assert result.depth >= result.negamax_depth
    assert key in table([result])


def test_positions_are_always_the_same() -> None:
    """Two runs measure the same work."""
    game = games.find("replica")

    assert positions(game) == positions(game)
