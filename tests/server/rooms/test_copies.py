"""Whoever follows a room from any point on sees what is true."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings

from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import (
    Moved,
)  # fmt: skip
from parlour.protocol.messages import Room as WholeRoom
from parlour.protocol.mirror import Mirror, Update
from parlour.protocol.tables import Result
from parlour.server.rooms import clock as clocks
from parlour.server.rooms import presenter
from parlour.server.rooms.clock import Times
from parlour.server.rooms.events import (
    Ended,
    Offered,
    Played,
    Rematch,
)  # fmt: skip
from parlour.server.rooms.opening import Guest
from tests.server.rooms.moments import (
    DELAY,
    HISTORIES,
    PLAYERS,
    SAID,
    Moment,
    followed,
    table,
    then,
    whole,
)
from tests.server.rooms.tables import NOON, SECOND

FACTS: dict[str, tuple[Callable[[Mirror], object], Callable[[WholeRoom], object]]] = {
    "seq": (lambda mirror: (mirror.epoch, mirror.seq), lambda room: (room.epoch, room.seq)),
    "scene": (lambda mirror: mirror.scene, lambda room: room.scene),
    "moves": (lambda mirror: tuple(mirror.moves), lambda room: room.moves),
    "chairs": (lambda mirror: tuple(mirror.chairs), lambda room: room.chairs),
    "offers": (lambda mirror: sorted(mirror.offers), lambda room: sorted(room.offers)),
    "status": (lambda mirror: mirror.status, lambda room: room.status),
    "result": (lambda mirror: mirror.result, lambda room: room.result),
}


@given(moments=HISTORIES)
@settings(max_examples=160)
def test_a_copy_from_any_point_on_is_the_room(moments: list[Moment]) -> None:
    """Who takes the whole room at any moment and every update since has what the whole room says later."""
    wholes = {moment.room.seq: whole(moment) for moment in moments}
    for mirror, moment, _ in followed(moments):
        for fact, (of_copy, of_room) in FACTS.items():
            assert of_copy(mirror) == of_room(wholes[moment.room.seq]), fact


@given(moments=HISTORIES)
@settings(max_examples=120)
def test_the_clocks_of_a_copy_are_those_of_the_room(moments: list[Moment]) -> None:
    """Counted down from the last message that set them, they show what the server would send."""
    for mirror, (at, room, _, _), since in followed(moments):
        first = since[0]
        if room.clock.kind == "delay" and first.at > first.room.times.since:
            continue  # came in during a turn: see below
        assert mirror.running == room.times.running
        if not mirror.clocks:
            assert room.clock.kind == "none"
            continue
        heard = next(moment.at for moment in reversed(since) if moment is first or sets_clocks(moment.update))
        ada, ben = mirror.clocks
        counted = Times((ada, ben), mirror.running, heard)
        assert tuple(clocks.left_at(room.clock, counted, seat, at) for seat in (0, 1)) == presenter.times(room, at)


def sets_clocks(update: Update | None) -> bool:
    return isinstance(update, Moved) or (update is not None and update.clocks is not None)


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.name)
@given(moments=HISTORIES)
@settings(max_examples=60)
def test_a_player_always_knows_his_seat(player: Guest, moments: list[Moment]) -> None:
    """Also when the choice of who moves first has changed the seats."""
    for mirror, moment, since in followed(moments, player):
        if since[0].room.seat_of(player.player) is not None:
            assert mirror.seat == whole(moment, player).seat == moment.room.seat_of(player.player)


@pytest.mark.parametrize("what", ["moved", "ended", "taken_back", "rematch"])
def test_a_copy_knows_when_offers_are_gone(what: str) -> None:
    """A move, a takeback, the end and the next game leave no offer open, for the room and for every copy."""
    moment = then(then(table(plies=3), Offered(NOON, 0, "draw")), Offered(NOON, 1, "takeback"))
    mirror = Mirror(whole(moment))
    assert mirror.offers == {"0:draw", "1:takeback"}
    move = moment.room.rules.moves(moment.room.state)[0]
    after = then(moment, Played(NOON, move) if what == "moved" else SAID[what][0])
    assert after.update is not None
    mirror.take(after.update)
    assert (mirror.offers, whole(after).offers) == (set(), ())


def test_who_comes_in_during_a_delay_can_tell_how_much_of_it_is_left() -> None:
    """A clock that starts late is shown differently at different moments of the delay."""
    moment = table(clock=DELAY, plies=2)
    assert moment.room.times.running == 0
    assert whole(moment, at=moment.at + SECOND) != whole(moment, at=moment.at + 4 * SECOND)


def test_who_comes_in_after_a_rematch_can_find_it() -> None:
    """The whole room says where the next game is, as the update did."""
    over = then(table(), Ended(NOON, Result(0, "resigned"), 1))
    moment = then(over, Rematch(NOON, 1, "next-one"))
    assert b"next-one" in MSGPACK.encode(whole(moment))
