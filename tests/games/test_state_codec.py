"""States as bytes."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from parlour import games
from parlour.games.perft import random_match
from parlour.games.state_codec import decode_state, encode_state

# Whole numbers around every width at which their form on the wire changes.
WIDE = st.one_of(
    st.integers(-(2**63), 2**300),
    st.sampled_from([2**31, 2**32, 2**63, 2**64 - 1, 2**64, 2**64 + 1, 2**256 - 1]),
)


class Inner(Struct, frozen=True):
    cells: int
    words: tuple[str, ...] = ()


class Odd(Struct, frozen=True):
    """A state with everything a state may hold."""

    number: int
    flag: bool
    pair: tuple[int, int]
    many: tuple[int, ...]
    inner: Inner | None
    maybe: int | None = None


ODD = st.builds(
    Odd,
    number=WIDE,
    flag=st.booleans(),
    pair=st.tuples(WIDE, WIDE),
    many=st.lists(WIDE, max_size=4).map(tuple),
    inner=st.none() | st.builds(Inner, cells=WIDE, words=st.lists(st.text(), max_size=2).map(tuple)),
    maybe=st.none() | WIDE,
)


@given(ODD)
def test_any_state_comes_back(state: Odd) -> None:
    """Numbers of any width, nested structs and tuples come back equal, of the same types, with the same hash."""
    decoded = decode_state(Odd, encode_state(state))

    assert decoded == state
    assert hash(decoded) == hash(state)
    assert type(decoded.flag) is bool
    assert type(decoded.many) is tuple


@given(ODD, ODD)
def test_equal_states_give_equal_bytes(one: Odd, other: Odd) -> None:
    """And different states different ones."""
    assert (encode_state(one) == encode_state(other)) == (one == other)
    assert encode_state(one) == encode_state(decode_state(Odd, encode_state(one)))


@pytest.mark.parametrize("key", games.keys())
def test_a_match_can_go_on_from_bytes(key: str) -> None:
    """A decoded position has the same moves, and they lead to the same positions."""
    game = games.find(key)
    match = random_match(game, game.options({}), Random(2))
    for state, move, after in zip(match.states, match.moves, match.states[1:], strict=False):
        decoded = decode_state(type(state), encode_state(state))

        assert list(game.moves(decoded)) == list(game.moves(state))
        assert game.apply(decoded, move) == after


def test_a_finished_game_keeps_its_outcome() -> None:
    """The outcome is part of the state."""
    game = games.find("replica")
    last = random_match(game, game.options({"size": 16}), Random(1)).state

    assert game.outcome(last) is not None
    assert game.outcome(decode_state(type(last), encode_state(last))) == game.outcome(last)


def test_a_board_of_256_cells_needs_the_extension() -> None:
    """Replica's largest board has sets of cells that msgpack alone cannot carry."""
    game = games.find("replica")
    state = game.initial(game.options({"size": 16}))

    with pytest.raises(OverflowError):
        msgspec.msgpack.encode(state)
    assert decode_state(type(state), encode_state(state)) == state


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xc1", id="no msgpack"),
        pytest.param(msgspec.msgpack.encode({"cells": "x"}), id="wrong type"),
        pytest.param(msgspec.msgpack.encode({}), id="missing field"),
        pytest.param(msgspec.msgpack.encode({"cells": msgspec.msgpack.Ext(2, b"x")}), id="unknown extension"),
        pytest.param(encode_state(Inner(2**80))[:-1], id="cut off"),
    ],
)
def test_other_bytes_are_not_a_state(data: bytes) -> None:
    """They are refused as what they are, never taken for a state."""
    with pytest.raises(msgspec.DecodeError):
        decode_state(Inner, data)
