"""Finished games are kept in few bytes, in which nothing can be changed, and their rooms can still be visited."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.records.keeping import pack, record_of, room_of, unpack
from parlour.server.rooms import presenter
from parlour.server.rooms.events import Rematch
from tests.server.records.played_games import ADA, BEN, GAMES, NOON, after, finished

seeds = st.integers(0, 2**32)
PACKED = pack(finished("replica", 3, 20))


@given(st.sampled_from(GAMES), seeds)
@settings(max_examples=40)
def test_what_is_kept_is_the_whole_game(key: str, seed: int) -> None:
    """From the bytes come the record, its players, and the room as everybody saw it at the end."""
    room = finished(key, seed, 60)
    kept = unpack(pack(room))
    assert kept.record == record_of(room)
    assert kept.players == (ADA.player, BEN.player)
    again = room_of(kept)
    for late in (None, 0, 1):
        shown = presenter.whole(again, presenter.scene(again), late, 0, NOON, 1)
        assert shown == presenter.whole(room, presenter.scene(room), late, 0, NOON, 1)
    assert again.seat_of(ADA.player) == 0
    assert (again.seq, again.state, again.ended) == (room.seq, room.state, room.ended)
    assert [(ply.move, ply.text, ply.seat, ply.took) for ply in again.plies] == [
        (ply.move, ply.text, ply.seat, ply.took) for ply in room.plies
    ]
    assert list(again.marks) == list(room.marks)


def test_the_next_game_is_kept() -> None:
    """Whoever comes late finds the way to the rematch."""
    room = after(finished("isaac", 1), Rematch(NOON + 900_000, 0, "nextOn", "id", 99))
    assert room_of(unpack(pack(room))).next == "nextOn"


def test_it_is_small() -> None:
    """A long game takes less than a kilobyte."""
    assert len(pack(finished("mapello", 5))) < 1000


def test_the_same_game_gives_the_same_bytes() -> None:
    """So that it does not matter which node keeps it."""
    assert pack(finished("replica", 3, 20)) == PACKED
    for seed in range(6):
        packed = pack(finished("noughts", seed))
        assert pack(room_of(unpack(packed))) == packed


@given(st.integers(0, len(PACKED) - 1), st.integers(1, 255))
@settings(max_examples=300)
def test_no_byte_can_be_changed(at: int, by: int) -> None:
    """Whatever byte is another one, the record is refused, or says the same: there is more than one way to pack it."""
    changed = PACKED[:at] + bytes([PACKED[at] ^ by]) + PACKED[at + 1 :]
    try:
        kept = unpack(changed)
    except Refusal as refusal:
        assert refusal.code is ErrorCode.RECORD_BROKEN
    else:
        assert kept == unpack(PACKED)


@pytest.mark.parametrize("data", [b"", b"\x01", PACKED[:-1], PACKED + b"\x00", PACKED[:40], b"\x02" + PACKED[1:]])
def test_what_is_no_record(data: bytes) -> None:
    """Nothing but a whole record is one."""
    with pytest.raises(Refusal) as refused:
        unpack(data)
    assert refused.value.code is ErrorCode.RECORD_BROKEN


@given(st.binary(max_size=60))
def test_noise_is_refused(data: bytes) -> None:
    """Bytes by chance are no record either, and never a crash."""
    with pytest.raises(Refusal):
        unpack(data)


def test_a_game_by_other_rules_is_not_opened() -> None:
    """A record from before a change of the rules is there, but its room cannot be visited."""
    kept = unpack(PACKED)
    old = replace(kept, record=replace(kept.record, rules_version=99))
    with pytest.raises(Refusal, match="version 99 of the rules"):
        room_of(old)


def test_chance_is_not_asked() -> None:
    """A room from a record uses the seed that is in it, so a random board is the same one."""
    room = finished("mapello", Random(4).randrange(1000))
    assert room_of(unpack(pack(room))).options == room.options
