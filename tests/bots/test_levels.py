"""The eight levels, and the styles of a game."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from parlour import games
from parlour.bots.levels import LEVELS, LONGEST, alias, assess, names, resolve, summary, think, title
from parlour.bots.search import Budget
from parlour.games.api import Game
from parlour.games.match import Match
from parlour.games.rulebook import rulebook
from parlour.protocol.errors import ErrorCode, Refusal
from tests.games.fifth_game.noughts import GAME as NOUGHTS

REPLICA = games.find("replica")

# Black takes the king on e5, unless it takes first: the cells it could flee to are attacked as well.
ATTACKED = "......../......../...w..../....W.../...b..../......../......../B....... w"
WINNING = "......../......../......../......../....b.../......../.W....../B....... w"


def test_names_start_with_the_levels() -> None:
    """1 to 8, then the styles of the game, weakest first; each has a title."""
    assert names(NOUGHTS) == tuple("12345678")
    assert names(REPLICA) == (*"12345678", "random", "greedy", "minimax")
    assert [title(REPLICA, name) for name in ("1", "8", "minimax")] == ["Beginner", "Expert", "Minimax"]


def test_each_level_says_what_it_does() -> None:
    """In a sentence or two for players, which the rules page of the game has, too."""
    for key in games.keys():
        game = games.find(key)
        page = " ".join(rulebook(key).text.replace("**", "").split())
        for name in names(game):
            assert summary(game, name).endswith(".")
            assert name in LEVELS or summary(game, name) in page, name


def test_a_level_is_known_by_its_alias() -> None:
    """Isaac's greedy plays as the hard of the original program."""
    isaac = games.find("isaac")
    state = isaac.initial(isaac.options({}))

    assert resolve(isaac, "hard") == "greedy"
    assert alias(isaac, "greedy") == "hard"
    assert think(isaac, state, "hard", seed=3) == think(isaac, state, "greedy", seed=3)
    assert title(isaac, "hard") == "Greedy"


def test_levels_think_more_and_err_less() -> None:
    """From level to level, nodes rise and errors do not."""
    ordered = list(LEVELS.values())

    assert [level.share for level in ordered] == sorted({level.share for level in ordered})
    assert [level.error for level in ordered] == sorted((level.error for level in ordered), reverse=True)
    assert ordered[-1].share == 1.0


@pytest.mark.parametrize("key", [*games.keys(), "noughts"])
def test_every_level_plays_every_game(key: str) -> None:
    """A few moves of each level are legal, and the same seed gives the same result."""
    game: Game[Any] = NOUGHTS if key == "noughts" else games.find(key)
    for name in names(game):
        match = Match(game, game.options({}))
        for seed in range(2):
            result = think(game, match.state, name, seed=seed, nodes=200)
            assert result == think(game, match.state, name, seed=seed, nodes=200), name
            assert result.move in game.moves(match.state), name
            match.play(result.move)


@pytest.mark.parametrize("level", "345678")
def test_instant_results_are_seen_from_level_3_up(level: str) -> None:
    """An immediate win is taken and an immediate loss avoided, whatever the seed and however small the budget."""
    options = REPLICA.options({})
    winning, attacked = REPLICA.parse(WINNING, options), REPLICA.parse(ATTACKED, options)
    for seed in range(10):
        for nodes in (1, None):
            move = think(REPLICA, winning, level, seed=seed, nodes=nodes, scale=0.05).move
            assert REPLICA.outcome(REPLICA.apply(winning, move)) is not None
            after = REPLICA.apply(attacked, think(REPLICA, attacked, level, seed=seed, nodes=nodes, scale=0.05).move)
            replies = [REPLICA.apply(after, move) for move in REPLICA.moves(after)]
            assert not any(REPLICA.outcome(reply) for reply in replies)


@pytest.mark.parametrize("level", "345678")
def test_instant_results_are_seen_without_insight(level: str) -> None:
    """This holds even in a game without an insight."""
    won = NOUGHTS.parse("oo./xx./... x", NOUGHTS.options({}))
    threatened = NOUGHTS.parse("o../xx./... o", NOUGHTS.options({}))
    for seed in range(5):
        assert NOUGHTS.write(won, think(NOUGHTS, won, level, seed=seed).move) == "c2"
        assert NOUGHTS.write(threatened, think(NOUGHTS, threatened, level, seed=seed).move) == "c2"


def test_a_level_keeps_to_its_share_and_to_the_clock() -> None:
    """The budget is the expert's, times the share, times the scale; seconds may end it earlier."""
    assert REPLICA.insight is not None
    state = REPLICA.initial(REPLICA.options({}))
    nodes = REPLICA.insight.nodes
    ticks = iter(range(1_000_000))

    assert think(REPLICA, state, "7", seed=1, seconds=60).nodes <= nodes * LEVELS["7"].share
    assert think(REPLICA, state, "7", seed=1, scale=0.1).nodes <= nodes * LEVELS["7"].share * 0.1
    assert think(REPLICA, state, "8", seed=1, seconds=5, now=lambda: next(ticks)).nodes < nodes / 4
    assert think(REPLICA, state, "8", seed=1, seconds=100, now=lambda: next(ticks) * LONGEST).nodes < nodes / 4


def test_an_assessment_is_that_of_the_expert() -> None:
    """It sees a forced win."""
    state = REPLICA.parse(WINNING, REPLICA.options({}))

    assert assess(REPLICA, state, Budget(100)) == think(REPLICA, state, "8", seed=0, nodes=100)


def test_unknown_levels_and_finished_games_are_refused() -> None:
    """Each has an error code."""
    state = REPLICA.initial(REPLICA.options({}))
    with pytest.raises(Refusal) as unknown:
        think(REPLICA, state, "9", seed=1)
    assert unknown.value.code == ErrorCode.LEVEL_UNKNOWN
    assert "random, greedy, minimax" in unknown.value.sentence

    over = NOUGHTS.parse("ooo/xx./x.. -", NOUGHTS.options({}))
    with pytest.raises(Refusal) as refused:
        think(NOUGHTS, over, "8", seed=1)
    assert refused.value.code == ErrorCode.GAME_OVER
    with pytest.raises(Refusal) as refused:
        assess(NOUGHTS, over, Budget(10))
    assert refused.value.code == ErrorCode.GAME_OVER


@pytest.mark.parametrize("key", ["mapello", "replica"])
def test_the_computer_plays_itself_to_the_end(key: str) -> None:
    """Random levels against each other end every game, without an illegal move."""
    game = games.find(key)
    rng = Random(1)
    for _ in range(4):
        match = Match(game, game.options({}))
        while match.outcome is None:
            level = rng.choice(names(game)[:5])
            move = think(game, match.state, level, seed=rng.getrandbits(32), nodes=100).move
            assert move in game.moves(match.state)
            match.play(move)
