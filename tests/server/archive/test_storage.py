"""Finished games are stored in few bytes, changes are detected, and their rooms can still be joined."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.archive.record import sealed
from parlour.server.archive.storage import outline_of, pack, record_of, room_of, unpack
from parlour.server.rooms import view
from parlour.server.rooms.events import Rematch
from tests.server.archive.sample_games import ADA, BEN, GAMES, NOON, after, finished

seeds = st.integers(0, 2**32)
PACKED = pack(finished("replica", 3, 20))


@given(st.sampled_from(GAMES), seeds)
@settings(max_examples=40)
def test_the_whole_game_is_stored(key: str, seed: int) -> None:
    """The bytes contain the record, the players, and the room as it was at the end."""
    room = finished(key, seed, 60)
    kept = unpack(pack(room))
    assert kept.record == record_of(room)
    assert kept.ids == (ADA.id, BEN.id)
    assert room_of(kept).players == (ADA, BEN)
    again = room_of(kept)
    for late in (None, 0, 1):
        shown = view.snapshot(again, view.scene(again), late, 0, NOON, 1)
        assert shown == view.snapshot(room, view.scene(room), late, 0, NOON, 1)
    assert again.seat_of(ADA.id) == 0
    assert (again.seq, again.state, again.ended) == (room.seq, room.state, room.ended)
    assert [(ply.move, ply.text, ply.seat, ply.took) for ply in again.plies] == [
        (ply.move, ply.text, ply.seat, ply.took) for ply in room.plies
    ]
    assert list(again.position_hashes) == list(room.position_hashes)


def test_the_room_of_the_rematch_is_stored() -> None:
    """Players who return later find the rematch."""
    room = after(finished("isaac", 1), Rematch(NOON + 900_000, 0, "nextOn", "id", 99))
    assert room_of(unpack(pack(room))).next == "nextOn"


def test_stored_games_are_small() -> None:
    """A long game takes less than a kilobyte."""
    assert len(pack(finished("mapello", 5))) < 1000


def test_equal_games_are_stored_as_equal_bytes() -> None:
    """It does not matter which node stores them."""
    assert pack(finished("replica", 3, 20)) == PACKED
    for seed in range(6):
        packed = pack(finished("noughts", seed))
        assert pack(room_of(unpack(packed))) == packed


@given(st.integers(0, len(PACKED) - 1), st.integers(1, 255))
@settings(max_examples=300)
def test_no_byte_can_be_changed(at: int, by: int) -> None:
    """A record with any other byte is refused, or is equal: zlib has more than one encoding."""
    changed = PACKED[:at] + bytes([PACKED[at] ^ by]) + PACKED[at + 1 :]
    try:
        kept = unpack(changed)
    except Refusal as refusal:
        assert refusal.code is ErrorCode.RECORD_BROKEN
    else:
        assert kept == unpack(PACKED)


@pytest.mark.parametrize("data", [b"", b"\x01", PACKED[:-1], PACKED + b"\x00", PACKED[:40], b"\x02" + PACKED[1:]])
def test_bytes_that_are_not_a_record_are_refused(data: bytes) -> None:
    """Incomplete records are refused too."""
    with pytest.raises(Refusal) as refused:
        unpack(data)
    assert refused.value.code is ErrorCode.RECORD_BROKEN


@given(st.binary(max_size=60))
def test_noise_is_refused(data: bytes) -> None:
    """Random bytes never cause a crash."""
    with pytest.raises(Refusal):
        unpack(data)


def test_a_game_with_other_rules_becomes_an_outline() -> None:
    """Of a record from before a change of the rules, everything but the boards is known."""
    kept = unpack(PACKED)
    old = replace(kept, record=sealed(replace(kept.record, rules_version=99)))
    room = outline_of(old)
    assert (room.id, room.game, room.rules_version) == (kept.record.room, kept.record.terms.game, 99)
    assert (room.result, room.ended, room.seq) == (kept.record.result, kept.record.ended, kept.seq)
    assert [participant.player for participant in room.players] == list(kept.record.players)
    assert [room.seat_of(id) for id in (*kept.ids, "another")] == [0, 1, None]

    with pytest.raises(Refusal, match="Version 99 of the rules"):
        room_of(old)


def test_a_random_board_is_restored() -> None:
    """The seed is part of the record."""
    room = finished("mapello", Random(4).randrange(1000))
    assert room_of(unpack(pack(room))).options == room.options
