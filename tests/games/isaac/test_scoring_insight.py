"""Judging removals: points, promises, and where the counter comes to stand."""

from __future__ import annotations

from random import Random

from msgspec import structs

from parlour.games.isaac import GAME, scoring_insight
from parlour.games.isaac.rules import START, State
from parlour.games.perft import random_move
from tests.games.isaac.colours import swapped

OPTIONS = GAME.options({})


def positions(seed: int, many: int) -> list[State]:
    """Positions of the second phase of random games."""
    rng = Random(seed)
    found: list[State] = []
    state = START
    while len(found) < many:
        if state.turn is None:
            state = START
        if state.scoring:
            found.append(state)
        state = GAME.apply(state, random_move(GAME, state, rng))
    return found


def names(state: State, width: int = 24) -> list[str]:
    return [GAME.write(state, move) for move in scoring_insight.candidates(state, width)]


def test_candidates_are_legal_and_never_missing() -> None:
    """At least one, at most as many as asked for, each once."""
    for state in positions(seed=1, many=200):
        found = scoring_insight.candidates(state, 24)

        assert 0 < len(found) == len(set(found)) <= 24
        assert set(found) <= set(GAME.moves(state))


def test_every_bar_is_among_the_candidates_when_there_is_room() -> None:
    """No bar that may be lifted is left out, only walks are."""
    for state in positions(seed=2, many=100):
        assert {move[0] for move in scoring_insight.candidates(state, 200)} == {move[0] for move in GAME.moves(state)}


def test_the_value_is_the_same_for_both_colours() -> None:
    """The board turned by 180 degrees, with the colours swapped, is as good for the one to move."""
    for state in positions(seed=3, many=150):
        assert abs(scoring_insight.value(state) - scoring_insight.value(swapped(state))) <= 1


def test_points_count() -> None:
    """With the same bars, ten points more are better by ten points or nearly so."""
    state = positions(seed=4, many=1)[0]
    seat = state.turn or 0
    richer = structs.replace(state, out=(True, True), bars=(0, 0), scores=(10, 0) if seat == 0 else (0, 10))

    assert scoring_insight.value(richer) == 10 * scoring_insight.POINT


def test_a_win_at_once_comes_first() -> None:
    """A removal that reaches 100 is the first candidate."""
    state = GAME.parse("Dd5-h5,Lb1-b5,Li4-i8,Lj3-j9 d s 44221,44120 95,2 3,3 -", OPTIONS)

    assert names(state)[0] == "xd5-h5+9"


def test_the_counter_is_put_on_the_best_enemy_bar() -> None:
    """A shorter walk that ends on a bar of 12 points, which then cannot be lifted, is preferred to a longer one."""
    state = GAME.parse("Dd5-h5,La9-g9,Lb1-b5,Li5-i9,Lj5-j9 d s 44221,44020 12,30 3,3 -", OPTIONS)
    after = {name: GAME.apply(state, GAME.read(state, name)) for name in ("xd5-h5+7", "xd5-h5+9")}

    assert names(state)[0] == "xd5-h5+7"
    assert scoring_insight.value(after["xd5-h5+7"]) < scoring_insight.value(after["xd5-h5+9"])
