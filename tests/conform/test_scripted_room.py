"""The scripted server's room."""

from __future__ import annotations

from random import Random

import pytest

from parlour.conform.scripted_room import ScriptedRoom
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Play
from parlour.protocol.replica import ApplyResult, RoomReplica
from parlour.protocol.types import Player, Result, Terms

ADA, BEN = Player("Ada"), Player("Ben")


def room() -> ScriptedRoom:
    return ScriptedRoom("room", Terms("replica"), (ADA, BEN))


def test_a_replica_can_follow_it() -> None:
    """Updates are numbered and carry the right hashes, to the end of the game."""
    table = ScriptedRoom("room", Terms("replica"), (None, None))
    replica = RoomReplica(table.whole(None))
    rng = Random(1)
    while table.result is None:
        assert {replica.apply(update) for update in table.opponent_turn(rng)} == {ApplyResult.APPLIED}
    assert replica.result == table.result
    assert replica.scene == table.scene


@pytest.mark.parametrize(
    ("seat", "ply", "code"),
    [(0, 1, ErrorCode.STALE_PLY), (1, 0, ErrorCode.NOT_YOUR_TURN), (0, 0, ErrorCode.MOVE_ILLEGAL)],
)
def test_wrong_turns_are_refused(seat: int, ply: int, code: ErrorCode) -> None:
    """A turn must be for the current ply, by the seat to move, and legal."""
    with pytest.raises(Refusal) as refused:
        room().play(seat, Play(id=1, room="room", ply=ply, picks=(9999,)))
    assert refused.value.code == code


def test_a_player_who_resigns_loses() -> None:
    """The other seat wins, and no further turn is accepted."""
    table = room()
    table.resign(0)
    assert table.result == Result(1, "resigned")
    with pytest.raises(Refusal):
        table.resign(1)


def test_a_lost_history_starts_a_new_epoch() -> None:
    """Cursors of the old epoch are no longer valid."""
    table = room()
    before = RoomReplica(table.whole(0)).cursor
    table.lose_history()
    assert table.updates.since(before) is None
