"""Games between levels."""

from __future__ import annotations

from itertools import count
from random import Random
from time import process_time
from typing import ClassVar

import pytest

from parlour import games
from parlour.bots.contest import BUDGETS, EVEN, opening, play
from parlour.bots.levels import assess
from parlour.bots.search import chance
from parlour.games.insight import Insight, Style
from parlour.protocol.errors import ErrorCode, Refusal
from tests.games.fifth_game.noughts import Noughts, State


class Stubborn(Insight[State]):
    """Always takes the middle, even if it is occupied."""

    styles: ClassVar = {"stubborn": Style(lambda _game, _state, _rng: (4,), "Takes the middle.")}

    def value(self, state: State) -> int:
        return 0


class StubbornNoughts(Noughts):
    insight = Stubborn()


@pytest.mark.parametrize("key", games.keys())
def test_an_opening_is_a_game_that_goes_on(key: str) -> None:
    """It starts at the first position, the game is not over at its end, and the same seed gives the same opening."""
    game = games.find(key)
    options = game.options({})
    one, two = (opening(game, options, Random(7)) for _ in range(2))

    assert one == two
    assert one[0] == game.initial(options)
    assert game.to_move(one[-1]) is not None


@pytest.mark.parametrize("key", games.keys())
def test_an_opening_favours_neither_side(key: str) -> None:
    """Neither of the two searches finds a chance to win far from one half."""
    game = games.find(key)
    for seed in range(3):
        state = opening(game, game.options({}), Random(seed))[-1]
        chances = [chance(assess(game, state, look).score, game) for look in BUDGETS]

        assert max(abs(each - 0.5) for each in chances) <= EVEN, chances


@pytest.mark.parametrize("key", games.keys())
def test_a_game_is_played_to_its_end(key: str) -> None:
    """Level 1 against itself reaches a result of the rules, and all moves are counted."""
    game = games.find(key)
    start = opening(game, game.options({}), Random(1))
    done = play(game, start, ("1", "1"), seed=3, now=process_time)

    assert done.reason in (*game.info.reasons, "repetition")
    assert sum(done.turns) == done.plies - (len(start) - 1)


def test_each_seat_pays_for_its_own_turns() -> None:
    """With a clock that advances by one whenever it is read, a turn of a style, which never reads it, costs one."""
    game = games.find("mapello")
    readings = count()
    done = play(game, [game.initial(game.options({}))], ("random", "greedy"), seed=3, now=lambda: next(readings))

    assert done.seconds == done.turns
    assert min(done.turns) > 0


def test_each_seat_has_its_share_of_time() -> None:
    """The same level thinks longer with a larger budget, on a clock that advances with the positions searched."""
    game = games.find("replica")
    start = [game.initial(game.options({}))]
    readings = count()
    done = play(game, start, ("7", "7"), seed=3, scales=(0.01, 0.1), now=lambda: next(readings) / 1e6)

    small, large = (seconds / turns for seconds, turns in zip(done.seconds, done.turns, strict=True))
    assert large > 2 * small


def test_an_illegal_move_ends_a_contest() -> None:
    """Every move passes the same check as a move from a client: nothing illegal is played or counted."""
    game = StubbornNoughts()
    with pytest.raises(Refusal) as refused:
        play(game, [game.initial(game.options({}))], ("stubborn", "stubborn"), seed=1, now=process_time)

    assert refused.value.code == ErrorCode.MOVE_ILLEGAL
