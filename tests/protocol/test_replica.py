"""A client's replica of a room applies the next update and no other."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from parlour.protocol.messages import Cursor, RoomEvent
from parlour.protocol.replica import ApplyResult, RoomReplica
from parlour.protocol.scene import scene_hash
from parlour.protocol.types import TimeLeft
from tests.protocol.counted_table import ROOM, Table


def event(replica: RoomReplica, kind: str, **fields: Any) -> RoomEvent:
    """Return the next event, which does not change the scene."""
    return RoomEvent(
        room=ROOM, epoch=replica.epoch, seq=replica.seq + 1, hash=scene_hash(replica.scene), kind=kind, **fields
    )


def test_updates_are_sorted_by_their_number() -> None:
    """The next update is applied, an earlier one is stale, a later one shows a gap."""
    table = Table()
    replica = RoomReplica(table.room(None))
    first, second, third = (table.play(text) for text in "abc")

    assert replica.apply(first) is ApplyResult.APPLIED
    assert replica.apply(first) is ApplyResult.STALE
    assert replica.apply(third) is ApplyResult.GAP
    assert replica.apply(second) is ApplyResult.APPLIED
    assert (replica.moves, replica.cursor) == (["a", "b"], Cursor(ROOM, 1, 2))


def test_a_wrong_hash_makes_the_replica_diverge() -> None:
    """After a wrong hash no update is applied, and the cursor asks for the whole room."""
    table = Table()
    replica = RoomReplica(table.room(None))
    first, second = table.play("a"), table.play("b")

    assert replica.apply(replace(first, hash=first.hash ^ 1)) is ApplyResult.DIVERGED
    assert replica.apply(second) is ApplyResult.DIVERGED
    assert not replica.in_sync
    assert replica.cursor == Cursor(ROOM, 0, 0)


@pytest.mark.parametrize(("epoch", "result"), [(0, ApplyResult.STALE), (2, ApplyResult.DIVERGED)])
def test_an_update_of_another_epoch_is_not_applied(epoch: int, result: ApplyResult) -> None:
    """Sequence numbers of different epochs cannot be compared."""
    table = Table()
    replica = RoomReplica(table.room(None))
    assert replica.apply(replace(table.play("a"), epoch=epoch)) is result


def test_events_change_what_surrounds_the_board() -> None:
    """Offers, seats, clocks and the result follow the events."""
    replica = RoomReplica(replace(Table().room(None), seat=0))
    replica.apply(event(replica, "offered", seat=1, offer="draw"))
    assert replica.offers == {"1:draw"}
    replica.apply(event(replica, "declined", seat=0, offer="draw"))
    assert replica.offers == set()
    replica.apply(event(replica, "swapped", clocks=(TimeLeft(1), TimeLeft(2)), status="playing"))
    assert (replica.seat, replica.clocks, replica.status) == (1, [TimeLeft(1), TimeLeft(2)], "playing")
    replica.apply(event(replica, "rematch", next="another"))
    assert replica.next == "another"
