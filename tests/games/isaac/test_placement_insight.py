"""Judging placements: what they will score, what they serve and what they deny."""

from __future__ import annotations

from random import Random

from msgspec import structs

from parlour.games.isaac import GAME, placement_insight, rules
from parlour.games.isaac.bars import BY_NAME, LENGTHS
from parlour.games.isaac.rules import DARK, START, State
from parlour.games.perft import random_move
from tests.games.isaac.colours import swapped

OPTIONS = GAME.options({})
FIFTH_ROW = BY_NAME["c5-g5"].line


def positions(seed: int, many: int) -> list[State]:
    """Positions of the first phase of random games."""
    rng = Random(seed)
    found: list[State] = []
    state = START
    while len(found) < many:
        if state.scoring:
            state = START
        found.append(state)
        state = GAME.apply(state, random_move(GAME, state, rng))
    return found


def names(state: State, width: int) -> list[str]:
    return [GAME.write(state, move) for move in placement_insight.candidates(state, width)]


def test_candidates_are_legal_and_never_missing() -> None:
    """As many as asked for, or all there are, each once."""
    for state in positions(seed=1, many=150):
        legal = GAME.moves(state)
        found = placement_insight.candidates(state, 16)

        assert len(found) == len(set(found)) == min(16, len(legal))
        assert set(found) <= set(legal)


def test_candidates_are_the_placements_of_highest_value() -> None:
    """What is worked out for all placements at once agrees with the value of the position after each."""
    for state in positions(seed=2, many=20):
        after = {move: GAME.apply(state, move) for move in GAME.moves(state)}
        if any(position.scoring or position.turn == state.turn for position in after.values()):
            continue
        values = {move: -placement_insight.value(position) for move, position in after.items()}
        chosen = [values[move] for move in placement_insight.candidates(state, 12)]

        # Each value is rounded to a whole number.
        for found, best in zip(chosen, sorted(values.values(), reverse=True), strict=False):
            assert abs(found - best) <= 1


def with_one_length(bars: str, length: int) -> State:
    """Return the position with these bars, in which Dark has to place a bar of that length and has no others."""
    state = GAME.parse(bars, OPTIONS)
    three, four, *_ = (4 if length == held else 0 for held in LENGTHS)
    return structs.replace(state, hands=((three, four, 0, 0, 0), state.hands[1]))


def test_own_bars_are_served() -> None:
    """A side with a bar of 5 places the next ones across the rest of its line, where each adds points."""
    state = with_one_length("Dc5-g5,La1-a3 d p 54221,44321 0,0 0,0 -", 3)

    for move in placement_insight.candidates(state, 10):
        assert rules.placed(DARK, move).cells & FIFTH_ROW


def test_enemy_bars_are_denied() -> None:
    """No bar is laid across the line of an enemy bar early; one along it, which keeps others out, comes first."""
    state = with_one_length("La5-e5 d p 54321,54221 0,0 0,0 -", 4)
    ranked = names(state, 600)
    touching = [name for name in ranked if BY_NAME[name].cells & FIFTH_ROW]

    assert len(ranked) == GAME.count(state)
    assert set(touching[:2]) == {"f5-i5", "g5-j5"}
    assert not set(touching[2:]) & set(ranked[: len(ranked) // 2])


def test_the_value_is_the_same_for_both_colours() -> None:
    """The board turned by 180 degrees, with the colours swapped, is as good for the one to move."""
    for state in positions(seed=4, many=80):
        assert abs(placement_insight.value(state) - placement_insight.value(swapped(state))) <= 1
