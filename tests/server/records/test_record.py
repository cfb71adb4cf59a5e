"""The chain of a record answers for everything in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour.protocol.tables import Clock
from parlour.server.records.keeping import record_of
from parlour.server.records.record import chain, sealed
from tests.server.records.played_games import KNOWN, finished

RECORD = record_of(finished("mapello", 3, 12))


def test_a_sealed_record_is_sealed() -> None:
    """To seal it again changes nothing, and its chain has a mark for each move and a whole link at the end."""
    assert sealed(RECORD) == RECORD
    *marks, last = RECORD.chain.split(".")
    assert [len(mark) for mark in marks] == [4] * 12
    assert len(last) == 32


def test_a_chain_that_is_written_down() -> None:
    """Every version of Parlour makes the same chain of the same game."""
    assert chain(KNOWN) == "633e.fa53.90bb.5aa3761ec409ae105ba5f44c3b9a183b"


CHANGES = {
    "room": {"room": "aB3dEg"},
    "game": {"terms": replace(RECORD.terms, game="isaac")},
    "option": {"terms": replace(RECORD.terms, options=RECORD.terms.options | {"seed": 0})},
    "clock": {"terms": replace(RECORD.terms, clock=Clock("move", 5000))},
    "rated": {"terms": replace(RECORD.terms, rated=True)},
    "name": {"players": (replace(RECORD.players[0], name="Eve"), RECORD.players[1])},  # type: ignore[type-var]
    "rating": {"players": (replace(RECORD.players[0], rating=2000), RECORD.players[1])},  # type: ignore[type-var]
    "seats": {"players": RECORD.players[::-1]},
    "rules": {"rules_version": 2},
    "start": {"started": RECORD.started + 1},
    "end": {"ended": RECORD.ended + 1},
    "winner": {"result": replace(RECORD.result, winner=None)},
    "reason": {"result": replace(RECORD.result, reason="flag")},
    "scores": {"result": replace(RECORD.result, scores=(1, 2))},
    "position": {"position": ""},
    "one move less": {"moves": RECORD.moves[:-1]},
    "two moves changed round": {"moves": (*RECORD.moves[:-2], *RECORD.moves[:-3:-1])},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_change_changes_the_last_link(change: dict[str, object]) -> None:
    """Whatever is changed, the chain ends in another way."""
    assert chain(replace(RECORD, **change)).split(".")[-1] != RECORD.chain.split(".")[-1]


@given(st.integers(0, 11), st.booleans())
def test_the_first_mark_that_differs_says_where(number: int, is_time: bool) -> None:
    """A change of a move or of its time leaves the marks before it as they were and changes its own."""
    old = RECORD.moves[number]
    new = replace(old, took=old.took + 1) if is_time else replace(old, move=f"{old.move}'")
    moves = (*RECORD.moves[:number], new, *RECORD.moves[number + 1 :])
    before, changed = RECORD.chain.split("."), chain(replace(RECORD, moves=moves)).split(".")
    assert changed[:number] == before[:number]
    assert changed[number] != before[number]
