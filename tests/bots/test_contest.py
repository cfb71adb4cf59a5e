"""Games between levels."""

from __future__ import annotations

from itertools import count
from random import Random
from time import process_time
from typing import ClassVar

import pytest

from parlour import games
from parlour.bots.contest import EVEN, LOOKS, opening, play
from parlour.bots.levels import assess
from parlour.bots.thought import chance
from parlour.games.insight import Insight
from parlour.protocol.errors import ErrorCode, Refusal
from tests.games.fifth_game.noughts import Noughts, State


class Stubborn(Insight[State]):
    """Takes the middle, whoever has it."""

    styles: ClassVar = {"stubborn": lambda _state, _rng: (4,)}

    def value(self, state: State) -> int:
        return 0


class StubbornNoughts(Noughts):
    insight = Stubborn()


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
def test_an_opening_favours_nobody(key: str) -> None:
    """Neither at a glance nor at a second look has a side much more than half of the chances."""
    game = games.find(key)
    for seed in range(3):
        state = opening(game, game.options({}), Random(seed))[-1]
        chances = [chance(assess(game, state, look).score, game) for look in LOOKS]

        assert max(abs(each - 0.5) for each in chances) <= EVEN, chances


@pytest.mark.parametrize("key", games.keys())
def test_a_game_is_played_to_its_end(key: str) -> None:
    """Level 1 against itself comes to a result of the rules, and all moves are counted."""
    game = games.find(key)
    start = opening(game, game.options({}), Random(1))
    done = play(game, start, ("1", "1"), seed=3, now=process_time)

    assert done.reason in (*game.info.reasons, "repetition")
    assert sum(done.turns) == done.plies - (len(start) - 1)


def test_each_seat_pays_for_its_own_turns() -> None:
    """With a clock that goes on by one whenever it is read, a turn of a style, which reads none, costs one."""
    game = games.find("mapello")
    readings = count()
    done = play(game, [game.initial(game.options({}))], ("random", "greedy"), seed=3, now=lambda: next(readings))

    assert done.thought == done.turns
    assert min(done.turns) > 0


def test_each_seat_has_its_share_of_time() -> None:
    """The same level thinks longer where its budget is larger; the clock goes on with the positions it looks at."""
    game = games.find("replica")
    start = [game.initial(game.options({}))]
    readings = count()
    done = play(game, start, ("7", "7"), seed=3, scales=(0.01, 0.1), now=lambda: next(readings) / 1e6)

    small, large = (thought / turns for thought, turns in zip(done.thought, done.turns, strict=True))
    assert large > 2 * small


def test_an_illegal_move_ends_a_contest() -> None:
    """Every move passes the check that moves of strangers pass: nothing illegal is played, or counted as a game."""
    game = StubbornNoughts()
    with pytest.raises(Refusal) as refused:
        play(game, [game.initial(game.options({}))], ("stubborn", "stubborn"), seed=1, now=process_time)

    assert refused.value.code == ErrorCode.MOVE_ILLEGAL
