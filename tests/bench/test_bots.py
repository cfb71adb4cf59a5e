"""The benchmark of the bots."""

from __future__ import annotations

import pytest

from bench.bots import Plain, measure, positions, table
from parlour import games
from parlour.bots.thought import WIN


def test_negamax_counts_every_move() -> None:
    """The start of Mapello has four moves: four nodes are enough for one ply."""
    game = games.find("mapello")
    plain = Plain(game, 1_000)
    plain.worth(game.initial(game.options({})), 1, -WIN, WIN)

    assert plain.left == 1_000 - 4
    assert Plain(game, 4).deepen(game.initial(game.options({}))) == 1


@pytest.mark.parametrize("key", ["mapello", "replica"])
def test_a_game_gives_a_line(key: str) -> None:
    """Both sides are measured, and the search is the one that gets further."""
    result = measure(games.find(key), 0.005)

    assert result.search > 0
    assert result.ratio_low <= result.ratio <= result.ratio_high
    assert result.depth >= result.plain_depth
    assert key in table([result])


def test_positions_are_always_the_same() -> None:
    """So that two runs measure the same work."""
    game = games.find("replica")

    assert positions(game) == positions(game)
