"""Monte Carlo tree search, in a game without an insight."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour import games
from parlour.bots.montecarlo import search
from parlour.bots.search import FORCED, WIN, Budget
from tests.games.fifth_game.noughts import GAME as NOUGHTS

NORMAL = NOUGHTS.options({})


def test_a_win_is_taken() -> None:
    """Three in a row are completed, and the score says that the game is won."""
    state = NOUGHTS.parse("oo./xx./... x", NORMAL)
    found = search(NOUGHTS, state, Budget(200), rng=Random(1))

    assert NOUGHTS.write(state, found.move) == "c2"
    assert found.score == WIN - 1


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_loss_is_avoided(seed: int) -> None:
    """The only cell that stops three in a row is taken, whatever the seed."""
    state = NOUGHTS.parse("o../xx./... o", NORMAL)
    found = search(NOUGHTS, state, Budget(100), rng=Random(seed))

    assert NOUGHTS.write(state, found.move) == "c2"


def test_a_fork_is_proven() -> None:
    """With enough nodes, a win in three plies is known for certain."""
    state = NOUGHTS.parse("x../.o./o.x x", NORMAL)
    found = search(NOUGHTS, state, Budget(20_000), rng=Random(3))

    assert found.score >= FORCED
    assert NOUGHTS.write(state, found.move) == "c3"


def test_perfect_play_is_a_draw() -> None:
    """Noughts and crosses against itself is a draw."""
    for seed in range(2):
        state = NOUGHTS.initial(NORMAL)
        while NOUGHTS.to_move(state) is not None:
            state = NOUGHTS.apply(state, search(NOUGHTS, state, Budget(12_000), rng=Random(seed)).move)
        ended = NOUGHTS.outcome(state)
        assert ended is not None
        assert ended.winner is None


@pytest.mark.parametrize("key", games.keys())
def test_any_game_can_be_played(key: str) -> None:
    """The move and the line are legal, the same seed gives the same result, and one node is enough for a move."""
    game = games.find(key)
    state = game.initial(game.options({}))
    one, other = (search(game, state, Budget(500), rng=Random(2)) for _ in range(2))
    hasty = search(game, state, Budget(1), rng=Random(2), careful=False)

    assert one == other
    assert hasty.move in game.moves(state)
    for move in one.line:
        assert move in game.moves(state)
        state = game.apply(state, move)


def test_time_ends_a_search() -> None:
    """When time runs out, the search ends, even if nodes are left."""
    ticks = iter(range(1_000_000))
    state = NOUGHTS.initial(NORMAL)
    found = search(NOUGHTS, state, Budget(10_000_000, 10), rng=Random(1), careful=False, now=lambda: next(ticks))

    assert 0 < found.nodes < 1_000
