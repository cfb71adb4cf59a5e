"""The chain of a record covers everything in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour.protocol.types import Clock
from parlour.server.archive.record import DELETED, chain, salt, sealed, without_name
from parlour.server.archive.storage import record_of
from tests.server.archive.sample_games import KNOWN, finished

RECORD = record_of(finished("mapello", 3, 12))


def test_sealing_is_idempotent() -> None:
    """The chain has a short link for each move and a whole link at the end."""
    assert sealed(RECORD) == RECORD
    *marks, last = RECORD.chain.split(".")
    assert [len(mark) for mark in marks] == [4] * 12
    assert len(last) == 32


def test_the_chain_of_a_known_game() -> None:
    """Every version of Parlour must compute the same chain for the same game."""
    assert chain(KNOWN) == "dfd7.330e.feee.57f0a5a867c4ab1e9d1aa1d01243f8fe"


CHANGES = {
    "room": {"room": "aB3dEg"},
    "game": {"terms": replace(RECORD.terms, game="isaac")},
    "option": {"terms": replace(RECORD.terms, options=RECORD.terms.options | {"seed": 0})},
    "clock": {"terms": replace(RECORD.terms, clock=Clock("move", 5000))},
    "rated": {"terms": replace(RECORD.terms, rated=True)},
    "name": {"players": (replace(RECORD.players[0], name="Eve"), RECORD.players[1])},
    "rating": {"players": (replace(RECORD.players[0], rating=2000), RECORD.players[1])},
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
def test_every_change_changes_the_final_link(change: dict[str, object]) -> None:
    """Whatever is changed, the chain ends differently."""
    assert chain(replace(RECORD, **change)).split(".")[-1] != RECORD.chain.split(".")[-1]


@given(st.integers(0, 11), st.booleans())
def test_the_first_link_that_differs_shows_the_change(number: int, is_time: bool) -> None:
    """A change of a move or of its duration leaves the links before it alone and changes its own."""
    old = RECORD.moves[number]
    new = replace(old, took=old.took + 1) if is_time else replace(old, move=f"{old.move}'")
    moves = (*RECORD.moves[:number], new, *RECORD.moves[number + 1 :])
    before, changed = RECORD.chain.split("."), chain(replace(RECORD, moves=moves)).split(".")
    assert changed[:number] == before[:number]
    assert changed[number] != before[number]


def test_a_name_can_be_erased() -> None:
    """The chain stays valid without the name, and the hash of the name tells nothing without the salt."""
    record = sealed(replace(KNOWN, salts=(salt("aB3dEf", "ada"), salt("aB3dEf", "ben"))))
    assert record.chain != KNOWN.chain
    erased = without_name(record, 0)
    assert [player.name for player in erased.players] == [DELETED, KNOWN.players[1].name]
    assert (erased.salts[0], erased.salts[1]) == ("", record.salts[1])
    assert chain(erased) == record.chain
    assert chain(without_name(erased, 1)) == record.chain
    assert without_name(erased, 0) == erased


def test_an_older_record_gets_a_new_chain() -> None:
    """Its chain covers the name itself."""
    old = sealed(KNOWN)
    erased = without_name(old, 0)
    assert erased.players[0].name == DELETED
    assert erased.chain == chain(erased) != old.chain
