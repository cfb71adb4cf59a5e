"""What the search makes of Isaac in both phases."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from parlour.bots import alphabeta
from parlour.bots.search import FORCED, Budget
from parlour.games.isaac import GAME, placement_insight, scoring_insight
from parlour.games.isaac.bars import AT_LEAST
from parlour.games.isaac.insight import IsaacInsight
from parlour.games.isaac.rules import DARK, LIGHT, START, State
from parlour.games.perft import random_move

INSIGHT = IsaacInsight()
OPTIONS = GAME.options({})


def exhaustive(state: State, seat: int) -> bool:
    """Whether `seat` wins with best play of both sides, by trying everything."""
    if state.outcome is not None:
        return state.outcome.winner == seat
    results = (exhaustive(GAME.apply(state, move), seat) for move in GAME.moves(state))
    return any(results) if state.turn == seat else all(results)


def test_each_phase_has_its_own_judgement() -> None:
    """Placing before the first removal, lifting from then on."""
    state = GAME.parse("Dd5-h5,Lb1-b5,Li4-i8,Lj3-j9 d s 44221,44120 12,60 3,3 -", OPTIONS)

    assert INSIGHT.value(START) == placement_insight.value(START)
    assert INSIGHT.value(state) == scoring_insight.value(state)
    assert INSIGHT.candidates(START)[0] == placement_insight.candidates(START, 1)[0]
    assert INSIGHT.candidates(state)[0] == scoring_insight.candidates(state, 1)[0]


def test_an_instant_win_is_taken() -> None:
    """Whatever the budget, a removal that reaches 100 is played."""
    state = GAME.parse("Dd5-h5,Lb1-b5,Li4-i8,Lj3-j9 d s 44221,44120 95,2 3,3 -", OPTIONS)
    thought = alphabeta.search(GAME, state, Budget(1), rng=Random(0))

    assert GAME.apply(state, thought.move).outcome is not None
    assert thought.score >= FORCED


def endings(seed: int) -> Iterator[State]:
    """Positions of random games in which few bars can still be lifted."""
    rng = Random(seed)
    while True:
        state = START
        while state.turn is not None:
            if state.scoring:
                left = [state.bars[seat] & AT_LEAST[state.longest[seat]] for seat in (DARK, LIGHT)]
                if sum(bars.bit_count() for bars in left) <= 4 and 1 < GAME.count(state) <= 30:
                    yield state
            state = GAME.apply(state, random_move(GAME, state, rng))


def test_endings_are_played_as_by_trying_everything() -> None:
    """In the last turns of random games, the search finds a win exactly where there is one."""
    results = set()
    for state in islice(endings(seed=8), 30):
        wins = exhaustive(state, state.turn or DARK)
        thought = alphabeta.search(GAME, state, Budget(20_000), rng=Random(0))
        assert (thought.score > 0) == wins
        results.add(wins)
    assert results == {True, False}


def test_the_same_budget_gives_the_same_move() -> None:
    """Nothing but the position and the number of nodes decides."""
    thoughts = [alphabeta.search(GAME, START, Budget(300), rng=Random(0)) for _ in range(2)]

    assert thoughts[0] == thoughts[1]
