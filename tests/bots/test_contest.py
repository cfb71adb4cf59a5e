"""Games between levels."""

from __future__ import annotations

from random import Random
from time import process_time

import pytest

from parlour import games
from parlour.bots.contest import opening, play


@pytest.mark.parametrize("key", games.keys())
def test_an_opening_is_a_game_that_goes_on(key: str) -> None:
    """It begins at the beginning, somebody is to move in the end, and the same chance gives the same opening."""
    game = games.find(key)
    options = game.options({})
    one, two = (opening(game, options, Random(7)) for _ in range(2))

    assert one == two
    assert one[0] == game.initial(options)
    assert game.to_move(one[-1]) is not None


@pytest.mark.parametrize("key", games.keys())
def test_a_game_is_played_to_its_end(key: str) -> None:
    """Level 1 against itself comes to a result of the rules, and all moves are counted."""
    game = games.find(key)
    start = opening(game, game.options({}), Random(1))
    done = play(game, start, ("1", "1"), seed=3, scale=1.0, now=process_time)

    assert done.reason in (*game.info.reasons, "repetition")
    assert sum(done.turns) == done.plies - (len(start) - 1)
    assert min(done.thought) > 0
