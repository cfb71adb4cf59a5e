"""A client's replica of a room equals the room, whenever the client joined."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings

from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import (
    Moved,
)  # fmt: skip
from parlour.protocol.messages import Room as WholeRoom
from parlour.protocol.replica import RoomReplica, Update
from parlour.protocol.types import Result
from parlour.server.rooms import clock as clocks
from parlour.server.rooms import view
from parlour.server.rooms.clock import Times
from parlour.server.rooms.events import (
    Ended,
    Offered,
    Participant,
    Played,
    Rematch,
)  # fmt: skip
from tests.server.rooms.room_histories import (
    DELAY,
    HISTORIES,
    PLAYERS,
    ROOM_EVENT_EXAMPLES,
    Moment,
    after_moves,
    followed,
    snapshot,
    then,
)
from tests.server.rooms.sample_rooms import NOON, SECOND

FACTS: dict[str, tuple[Callable[[RoomReplica], object], Callable[[WholeRoom], object]]] = {
    "seq": (lambda replica: (replica.epoch, replica.seq), lambda room: (room.epoch, room.seq)),
    "scene": (lambda replica: replica.scene, lambda room: room.scene),
    "moves": (lambda replica: tuple(replica.moves), lambda room: room.moves),
    "players": (lambda replica: tuple(replica.players), lambda room: room.players),
    "offers": (lambda replica: sorted(replica.offers), lambda room: sorted(room.offers)),
    "status": (lambda replica: replica.status, lambda room: room.status),
    "result": (lambda replica: replica.result, lambda room: room.result),
}


@given(moments=HISTORIES)
@settings(max_examples=160)
def test_a_replica_from_any_point_equals_the_room(moments: list[Moment]) -> None:
    """A snapshot at any moment and every update since yield what a later snapshot says."""
    wholes = {moment.room.seq: snapshot(moment) for moment in moments}
    for replica, moment, _ in followed(moments):
        for fact, (of_copy, of_room) in FACTS.items():
            assert of_copy(replica) == of_room(wholes[moment.room.seq]), fact


@given(moments=HISTORIES)
@settings(max_examples=120)
def test_the_clocks_of_a_replica_are_those_of_the_room(moments: list[Moment]) -> None:
    """Counted down from the last message that set them, they show what the server would send."""
    for replica, (at, room, _, _), since in followed(moments):
        first = since[0]
        if room.clock.kind == "delay" and first.at > first.room.times.since:
            continue  # came in during a turn: see below
        assert replica.running == room.times.running
        if not replica.clocks:
            assert room.clock.kind == "none"
            continue
        heard = next(moment.at for moment in reversed(since) if moment is first or sets_clocks(moment.update))
        ada, ben = replica.clocks
        counted = Times((ada, ben), replica.running, heard)
        assert tuple(clocks.left_at(room.clock, counted, seat, at) for seat in (0, 1)) == view.times(room, at)


def sets_clocks(update: Update | None) -> bool:
    return isinstance(update, Moved) or (update is not None and update.clocks is not None)


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.player.name)
@given(moments=HISTORIES)
@settings(max_examples=60)
def test_a_player_always_knows_its_seat(player: Participant, moments: list[Moment]) -> None:
    """Also after the choice of who moves first has swapped the seats."""
    for replica, moment, since in followed(moments, player):
        if since[0].room.seat_of(player.id) is not None:
            assert replica.seat == snapshot(moment, player).seat == moment.room.seat_of(player.id)


@pytest.mark.parametrize("what", ["moved", "ended", "taken_back", "rematch"])
def test_a_replica_knows_when_offers_are_closed(what: str) -> None:
    """A move, a takeback, the end and a rematch close all offers, in the room and in every replica."""
    moment = then(then(after_moves(plies=3), Offered(NOON, 0, "draw")), Offered(NOON, 1, "takeback"))
    replica = RoomReplica(snapshot(moment))
    assert replica.offers == {"0:draw", "1:takeback"}
    move = moment.room.rules.moves(moment.room.state)[0]
    after = then(moment, Played(NOON, move) if what == "moved" else ROOM_EVENT_EXAMPLES[what][0])
    assert after.update is not None
    replica.apply(after.update)
    assert (replica.offers, snapshot(after).offers) == (set(), ())


def test_a_snapshot_during_a_delay_says_how_much_is_left() -> None:
    """A clock that starts late is shown differently at different moments of the delay."""
    moment = after_moves(clock=DELAY, plies=2)
    assert moment.room.times.running == 0
    assert snapshot(moment, at=moment.at + SECOND) != snapshot(moment, at=moment.at + 4 * SECOND)


def test_a_snapshot_after_a_rematch_names_its_room() -> None:
    """The snapshot says where the next game is, as the update did."""
    over = then(after_moves(), Ended(NOON, Result(0, "resigned"), 1))
    moment = then(over, Rematch(NOON, 1, "next-one"))
    assert b"next-one" in MSGPACK.encode(snapshot(moment))
