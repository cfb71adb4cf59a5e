"""Replica looks the same to both sides, and along rows as along columns."""

from __future__ import annotations

from random import Random

from hypothesis import given, reject, settings
from hypothesis import strategies as st

from parlour.games.api import Outcome
from parlour.games.options import Options
from parlour.games.perft import perft
from parlour.games.replica import GAME
from parlour.games.replica.rules import State
from parlour.protocol.errors import Refusal

VARIANTS = [
    {"size": size, "kings": kings, "sight": sight}
    for size in (8, 12, 16)
    for kings in ("unlimited", "2")
    for sight in ("all", "forward")
]


def turned(text: str) -> str:
    """The position turned by 180 degrees with the colours swapped."""
    rows, turn = text.split(" ")
    return f"{rows[::-1]} {turn}".translate(str.maketrans("wWbB", "bBwW"))


def mirrored(text: str) -> str:
    """The position with columns and rows swapped: the mirror is the diagonal from corner to corner."""
    rows, turn = text.split(" ")
    from_below = [list(row) for row in reversed(rows.split("/"))]
    swapped = ["".join(column) for column in zip(*from_below, strict=True)]
    return f"{'/'.join(reversed(swapped))} {turn}"


def assert_turned_alike(state: State, other: State) -> None:
    last = state.size**2 - 1

    assert {tuple(last - place for place in move) for move in GAME.moves(state)} == set(GAME.moves(other))
    assert perft(GAME, state, 2) == perft(GAME, other, 2)
    outcome, other_outcome = GAME.outcome(state), GAME.outcome(other)
    if outcome is None or other_outcome is None:
        assert outcome is other_outcome
    else:
        swapped = None if outcome.winner is None else 1 - outcome.winner
        assert other_outcome == Outcome(swapped, outcome.reason)


@settings(max_examples=60)
@given(variant=st.sampled_from(VARIANTS), seed=st.integers(0, 2**32), plies=st.integers(0, 60))
def test_a_match_looks_the_same_from_the_other_side(variant: dict[str, object], seed: int, plies: int) -> None:
    """Along a random match, the turned position has the turned moves, as many continuations, and the other winner."""
    options, rng = GAME.options(variant), Random(seed)
    state = GAME.initial(options)
    for _ in range(plies):
        if GAME.to_move(state) is None:
            break
        before, move = state, rng.choice(GAME.moves(state))
        state = GAME.apply(before, move)
        mirror = GAME.apply(
            GAME.parse(turned(GAME.print(before)), options), tuple(state.size**2 - 1 - cell for cell in move)
        )
        assert GAME.print(mirror) == turned(GAME.print(state))
    if GAME.to_move(state) is not None:
        assert_turned_alike(state, GAME.parse(turned(GAME.print(state)), options))


def possible(text: str, options: Options) -> State:
    """The position, if there is such a one."""
    try:
        return GAME.parse(text, options)
    except Refusal:
        reject()


BOARDS = st.lists(st.sampled_from("......wwbbWB"), min_size=64, max_size=64).map(
    lambda cells: "/".join("".join(cells[start : start + 8]) for start in range(0, 64, 8))
)


@settings(max_examples=150)
@given(rows=BOARDS, turn=st.sampled_from("wb-"), variant=st.sampled_from(VARIANTS[:4]))
def test_any_board_looks_the_same_from_the_other_side(rows: str, turn: str, variant: dict[str, object]) -> None:
    """The same holds for boards that no match leads to."""
    options = GAME.options(variant)
    text = f"{rows} {turn}"
    state = possible(text, options)

    assert_turned_alike(state, GAME.parse(turned(text), options))


@settings(max_examples=100)
@given(rows=BOARDS, turn=st.sampled_from("wb"), variant=st.sampled_from(VARIANTS[:4]))
def test_columns_and_rows_are_alike(rows: str, turn: str, variant: dict[str, object]) -> None:
    """Mirrored at the diagonal between the goals, a board has as many moves, continuations, and the same outcome."""
    options = GAME.options(variant)
    text = f"{rows} {turn}"
    state = possible(text, options)
    mirror = GAME.parse(mirrored(text), options)

    assert GAME.count(mirror) == GAME.count(state)
    assert perft(GAME, mirror, 2) == perft(GAME, state, 2)
    assert GAME.outcome(mirror) == GAME.outcome(state)
