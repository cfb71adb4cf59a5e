"""What every game's insight has to keep to."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from parlour import games
from parlour.games.api import Game, Move
from parlour.games.insight import Insight
from parlour.games.perft import random_move


class Modest(Insight[int]):
    """Knows only what it must."""

    def value(self, state: int) -> int:
        return state


def positions(game: Game[Any], seed: int) -> list[Any]:
    """Those of a random match that are not over, but no more than a hundred."""
    rng, state = Random(seed), game.initial(game.options({}))
    met: list[Any] = []
    while game.to_move(state) is not None and len(met) < 100:
        met.append(state)
        state = game.apply(state, random_move(game, state, rng))
    return met


def test_all_but_the_value_can_be_left_out() -> None:
    """By default every move is worth a look, in the order it comes, and nothing is pressing."""
    moves: list[Move] = [(3,), (1,)]
    modest = Modest()

    assert modest.order(7, moves) == moves
    assert modest.candidates(7) is None
    assert (modest.win(7), modest.danger(7), tuple(modest.forcing(7))) == (None, False, ())


@pytest.mark.parametrize("key", games.keys())
def test_moves_that_are_named_are_legal(key: str) -> None:
    """Winning, forcing and likely moves are moves, each once; there is always one to search."""
    game = games.find(key)
    insight = game.insight
    assert insight is not None
    for state in positions(game, 1)[::3]:
        legal = set(game.moves(state))
        candidates = insight.candidates(state)
        named = list(insight.order(state, game.moves(state)) if candidates is None else candidates)
        winning = insight.win(state)

        assert named
        assert set(named) <= legal
        assert len(set(named)) == len(named)
        assert set(insight.forcing(state)) <= legal
        assert winning is None or winning in legal


@pytest.mark.parametrize("key", games.keys())
def test_a_win_wins(key: str) -> None:
    """A move that is said to win at once ends the game so."""
    game = games.find(key)
    insight = game.insight
    assert insight is not None
    for seed in range(5):
        for state in positions(game, seed)[-10:]:
            winning = insight.win(state)
            if winning is not None:
                ended = game.outcome(game.apply(state, winning))
                assert ended is not None
                assert ended.winner == game.to_move(state)


@pytest.mark.parametrize("key", games.keys())
def test_styles_choose_legal_moves(key: str) -> None:
    """Every style of every game plays by the rules, and the same chance gives the same move."""
    game = games.find(key)
    assert game.insight is not None
    for style in game.insight.styles.values():
        for state in positions(game, 2)[::12]:
            move = style.choose(game, state, Random(5))
            assert move in game.moves(state)
            assert move == style.choose(game, state, Random(5))
