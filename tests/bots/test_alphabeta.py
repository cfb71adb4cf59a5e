"""The search against exhaustive search, and its promises about budget, determinism and errors."""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from parlour import games
from parlour.bots.alphabeta import Tables, search
from parlour.bots.search import FORCED, WIN, Budget, settled
from parlour.games.api import Game
from parlour.games.insight import Insight
from tests.games.fifth_game.noughts import Noughts, State

MAPELLO, REPLICA = games.find("mapello"), games.find("replica")
PLENTY = Budget(10_000_000)

ONE_STEP_FROM_HOME = "......../......../......../......../....b.../......../.W....../.......B w"


class Blank(Insight[State]):
    """An insight without knowledge: results come from the search alone."""

    scale: ClassVar[int] = 100

    def value(self, state: State) -> int:
        return 0


class NoughtsWithInsight(Noughts):
    insight = Blank()


NOUGHTS = NoughtsWithInsight()


def truth(game: Game[Any], state: Any, depth: int, ply: int = 0) -> int:
    """Return the score by plain negamax: 0 unless the game is decided within `depth` plies."""
    seat = game.to_move(state)
    if depth == 0 or seat is None:
        return 0
    scores = []
    for move in game.moves(state):
        after = game.apply(state, move)
        ended = game.outcome(after)
        if ended is not None:
            scores.append(settled(ended, seat, ply + 1))
        else:
            score = truth(game, after, depth - 1, ply + 1)
            scores.append(score if game.to_move(after) == seat else -score)
    return max(scores)


def sign(score: int) -> int:
    return (score > 0) - (score < 0)


def wandered(game: Game[Any], options: dict[str, object], seed: int, plies: int) -> Any:
    """Return the position after some random moves, none of which ends the game."""
    rng = Random(seed)
    state = game.initial(game.options(options))
    for _ in range(plies):
        after = game.apply(state, rng.choice(game.moves(state)))
        if game.to_move(after) is None:
            break
        state = after
    return state


@settings(max_examples=30, deadline=None)
@given(misere=st.booleans(), seed=st.integers(0, 2**32), plies=st.integers(2, 8))
def test_noughts_are_solved(misere: bool, seed: int, plies: int) -> None:
    """With enough nodes, the result is that of an exhaustive search, and the move keeps it."""
    state = wandered(NOUGHTS, {"misere": misere}, seed, plies)
    found = search(NOUGHTS, state, PLENTY, rng=Random(seed), deepest=9)
    seat = NOUGHTS.to_move(state)
    assert seat is not None
    after = NOUGHTS.apply(state, found.move)
    ended = NOUGHTS.outcome(after)

    assert sign(found.score) == sign(truth(NOUGHTS, state, 9))
    kept = settled(ended, seat, 1) if ended else -truth(NOUGHTS, after, 9)
    assert sign(kept) == sign(found.score)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_end_of_mapello_is_played_perfectly(seed: int) -> None:
    """With few cells left, the winner is known for certain, even when a side is skipped."""
    rng = Random(seed)
    state = MAPELLO.initial(MAPELLO.options({"board": "random", "seed": seed}))
    while state.free.bit_count() > 6 * 8:
        after = MAPELLO.apply(state, rng.choice(MAPELLO.moves(state)))
        assume(MAPELLO.to_move(after) is not None)
        state = after
    found = search(MAPELLO, state, PLENTY, rng=rng, deepest=14)

    assert sign(found.score) == sign(truth(MAPELLO, state, 14))


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32), plies=st.integers(6, 40))
def test_a_forced_result_in_replica_is_true(seed: int, plies: int) -> None:
    """A search of three plies finds a win or loss within them, and a result that is reported as forced really is."""
    state = wandered(REPLICA, {}, seed, plies)
    known = truth(REPLICA, state, 3)
    found = search(REPLICA, state, PLENTY, rng=Random(seed), deepest=3)

    if known:
        assert abs(found.score) >= FORCED
        assert sign(found.score) == sign(known)
    elif abs(found.score) >= FORCED:
        assert WIN - abs(found.score) > 3


@pytest.mark.parametrize("key", ["mapello", "replica"])
@pytest.mark.parametrize("nodes", [1, 50, 3_000])
def test_the_same_seed_and_nodes_give_the_same_result(key: str, nodes: int) -> None:
    """The result depends only on the arguments, and only the search to depth 1 may exceed the budget."""
    game = games.find(key)
    state = wandered(game, {}, 5, 8)
    results = [search(game, state, Budget(nodes), rng=Random(7), error=30) for _ in range(2)]

    assert results[0] == results[1]
    assert results[0].nodes <= max(nodes, 2 * len(game.moves(state)))


@pytest.mark.parametrize("key", games.keys())
def test_a_line_can_be_played(key: str) -> None:
    """The expected line starts with the best move, and all its moves are legal."""
    game = games.find(key)
    state = wandered(game, {}, 3, 6)
    found = search(game, state, Budget(2_000), rng=Random(1))

    assert found.line[0] == found.move
    for move in found.line:
        assert move in game.moves(state)
        state = game.apply(state, move)


def test_time_ends_a_search() -> None:
    """When time runs out, the best move so far is returned, even if nodes are left."""
    ticks = iter(range(1_000_000))
    found = search(
        MAPELLO, wandered(MAPELLO, {}, 1, 10), Budget(10_000_000, seconds=20), rng=Random(1), now=lambda: next(ticks)
    )

    assert 0 < found.nodes < 10_000
    assert found.depth >= 1


def test_a_win_at_once_needs_no_search() -> None:
    """A king one step from its corner goes there."""
    state = REPLICA.parse(ONE_STEP_FROM_HOME, REPLICA.options({}))
    found = search(REPLICA, state, Budget(1), rng=Random(1))

    assert REPLICA.write(state, found.move) == "b2-a1"
    assert found.score == WIN - 1


def test_tables_stay_bounded_and_help() -> None:
    """A second search of a position with the same tables and budget goes deeper."""
    state, tables = wandered(MAPELLO, {}, 2, 12), Tables()
    first = search(MAPELLO, state, Budget(2_000), rng=Random(1), tables=tables)
    second = search(MAPELLO, state, Budget(2_000), rng=Random(1), tables=tables)

    assert second.depth > first.depth
    tables.positions.update(dict.fromkeys(range(200_000), (0, 0, 0, None)))
    tables.rest()
    assert not tables.positions


def test_coming_back_is_a_draw() -> None:
    """A losing side returns to an earlier position, in a game where repetition is a draw."""
    game = games.find("mitsudomoe")
    state = wandered(game, {}, 4, 10)
    everything = [game.apply(state, move) for move in game.moves(state)]
    found = search(game, state, Budget(50), rng=Random(1), past=everything, deepest=1)

    assert found.score == 0


def test_an_error_makes_moves_differ() -> None:
    """With an error, different seeds choose different moves; a forced result is never misjudged."""
    state = wandered(REPLICA, {}, 1, 4)
    chosen = {search(REPLICA, state, Budget(100), rng=Random(seed), error=300).move for seed in range(20)}
    won = REPLICA.parse(ONE_STEP_FROM_HOME, REPLICA.options({}))

    assert len(chosen) > 3
    assert {search(REPLICA, won, Budget(1), rng=Random(seed), error=300).score for seed in range(5)} == {WIN - 1}


def test_deepest_is_a_limit() -> None:
    """No line is followed beyond the given depth."""
    state = wandered(MAPELLO, {}, 1, 10)

    assert search(MAPELLO, state, PLENTY, rng=Random(1), deepest=3).depth == 3
