"""Messages about a room are complete, and contain nothing that clients must not see."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.games.perft import random_move
from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import (
    ROOM_EVENTS,
    Moved,
    Play,
    RoomEvent,
)  # fmt: skip
from parlour.protocol.scene import scene_hash
from parlour.protocol.types import Clock, Pick, Player, Result, SeatedPlayer, Step, Terms, TimeLeft
from parlour.server.rooms import view
from parlour.server.rooms.commands import decide
from parlour.server.rooms.events import (
    AnyEvent,
    Created,
    Disconnected,
    Ended,
    Offered,
    Played,
    TakenBack,
)  # fmt: skip
from parlour.server.rooms.state import evolve
from tests.server.rooms.room_histories import (
    ADA,
    BEN,
    HISTORIES,
    PLAYERS,
    ROOM_EVENT_EXAMPLES,
    Moment,
    after_moves,
    over_the_wire,
    snapshot,
    then,
)
from tests.server.rooms.sample_rooms import FISCHER, GAME, NOON, SECOND


@given(moments=HISTORIES)
@settings(max_examples=80)
def test_every_event_makes_one_update_with_the_right_hash(moments: list[Moment]) -> None:
    """The update has the room's seq and the hash of the scene after the event."""
    for before, moment in pairwise(moments):
        update = moment.update
        assert update is not None
        assert (update.room, update.epoch, update.seq) == ("room", view.EPOCH, moment.room.seq)
        assert update.seq == before.room.seq + 1
        assert moment.scene == view.scene(moment.room)
        assert update.hash == scene_hash(moment.scene)
        assert snapshot(moment).hash == update.hash
        assert over_the_wire(update) == update
        assert over_the_wire(snapshot(moment)) == snapshot(moment)


@given(moments=HISTORIES)
@settings(max_examples=80)
def test_no_message_contains_a_player_id(moments: list[Moment]) -> None:
    """Clients know players by name; their ids are secret."""
    for moment in moments:
        messages: list[Any] = [snapshot(moment), snapshot(moment, ADA)]
        messages += [moment.update] if moment.update is not None else []
        messages += [view.choices(moment.room)] if moment.room.to_move is not None else []
        for message in messages:
            assert b"id-of" not in MSGPACK.encode(message)


def test_the_creation_of_a_room_has_no_update() -> None:
    """A room without subscribers needs none, and a subscriber that joins is sent the whole room."""
    moment = after_moves()
    with pytest.raises(ValueError, match="Created"):
        view.update(moment.scene, moment.room, Created(NOON, "replica", {}, Clock(), PLAYERS))


def test_every_kind_of_event_has_an_example() -> None:
    """The examples cover every kind of event that the protocol has."""
    assert set(ROOM_EVENT_EXAMPLES) == set(ROOM_EVENTS)


@pytest.mark.parametrize("what", ROOM_EVENT_EXAMPLES)
def test_an_update_has_its_kind_and_fields(what: str) -> None:
    """Each event is sent with its kind, and with the fields that belong to it."""
    event, facts = ROOM_EVENT_EXAMPLES[what]
    update = then(after_moves(plies=3), event).update
    assert isinstance(update, RoomEvent)
    assert update.kind == what
    assert {name: getattr(update, name) for name in facts} == facts


@GAME
def test_a_move_is_sent_with_the_clock_of_the_mover(key: str) -> None:
    """The clock is charged and compensated for lag; a game without a time limit has no clock."""
    moment = after_moves(key, FISCHER, plies=2)
    move = moment.room.rules.moves(moment.room.state)[0]
    update = then(moment, Played(NOON + 10 * SECOND, move, 400)).update
    assert isinstance(update, Moved)
    assert update.clock == 60 * SECOND - 10 * SECOND + 400 + 3 * SECOND
    assert update.move == moment.room.rules.write(moment.room.state, move)
    moment = after_moves(key, Clock(), plies=2)
    update = then(moment, Played(NOON + 10 * SECOND, move)).update
    assert isinstance(update, Moved)
    assert update.clock is None


@pytest.mark.parametrize(
    "event", [TakenBack(NOON + 9 * SECOND, 1, 2), Ended(NOON + 9 * SECOND, Result(0, "resigned"), 1)]
)
def test_an_update_that_stops_a_turn_has_both_clocks(event: AnyEvent) -> None:
    """The interrupted turn is charged, and the update has both clocks."""
    moment = after_moves(plies=3)
    assert moment.room.times.running == 1
    update = then(moment, event).update
    assert isinstance(update, RoomEvent)
    assert update.clocks == (TimeLeft(63 * SECOND), TimeLeft(51 * SECOND))


def test_overtime_periods_are_sent_with_the_clock() -> None:
    """Where the time left includes a count, the update of a move has it."""
    moment = after_moves(clock=Clock("byoyomi", main=20 * SECOND, step=10 * SECOND, count=3), plies=2)
    update = then(moment, Played(NOON + SECOND, moment.room.rules.moves(moment.room.state)[0])).update
    assert isinstance(update, Moved)
    assert update.clock == TimeLeft(19 * SECOND, 3)


def test_no_seat_is_to_move_after_the_end() -> None:
    """Whatever ended the game, no seat is to move in the scene; the pieces and marks stay."""
    moment = after_moves(plies=3)
    ended = then(moment, Ended(NOON, Result(None, "agreed"), 0))
    assert ended.scene.to_move is None
    assert (ended.scene.pieces, ended.scene.marks) == (moment.scene.pieces, moment.scene.marks)


@GAME
def test_a_snapshot_is_complete(key: str) -> None:
    """It has the board, terms, players, moves, clocks, the receiver's seat and the number of spectators."""
    moment = then(then(after_moves(key, FISCHER, plies=3), Offered(NOON, 0, "draw")), Disconnected(NOON, 1))
    room, shown = moment.room, snapshot(moment, BEN, at=NOON + SECOND)
    assert (shown.room, shown.seq, shown.status, shown.seat, shown.spectators) == ("room", room.seq, "playing", 1, 3)
    assert shown.board == room.rules.board(room.options)
    assert shown.terms == Terms(key, room.options, FISCHER)
    assert shown.players == (SeatedPlayer(Player("Ada", 1600), True), SeatedPlayer(Player("Ben", bot=True), False))
    assert (shown.moves, shown.offers, shown.result) == (room.texts, ("0:draw",), None)
    assert shown.clocks[room.movers[-1]] == room.times.left[room.movers[-1]]
    assert room.to_move is not None
    assert shown.clocks[room.to_move] == TimeLeft(59 * SECOND)
    assert snapshot(moment).seat is None
    assert shown.terms.options is not room.options


# -- choices


def turns(step: Step, made: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], bool]]:
    """Yield the leaves of a tree: the picks that lead there, and whether they are a complete turn."""
    for pick in step.picks:
        place = pick if isinstance(pick, int) else pick.place
        if isinstance(pick, Pick) and pick.then is not None:
            yield from turns(pick.then, (*made, place))
        else:
            yield (*made, place), isinstance(pick, int) or not pick.more


@GAME
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 60))
@settings(max_examples=8)
def test_only_legal_picks_are_offered(key: str, seed: int, plies: int) -> None:
    """Every complete turn in the choices is accepted, and no turn is missing."""
    room, chance = after_moves(key).room, Random(seed)
    for _ in range(plies):
        after = evolve(room, Played(NOON, random_move(room.rules, room.state, chance)))
        if room.rules.to_move(after.state) is None:
            break
        room = after
    offered = over_the_wire(view.choices(room, id=5))
    assert over_the_wire(offered) == offered
    assert (offered.room, offered.ply, offered.picks, offered.id) == ("room", len(room.moves), (), 5)
    found = list(turns(offered.step))
    sample = found if len(found) < 50 else chance.sample(found, 50)
    assert room.to_move is not None
    for picks, complete in sample:
        if complete:
            command = Play(id=1, room="room", ply=offered.ply, picks=picks)
            assert isinstance(decide(room, PLAYERS[room.to_move].id, command, NOON)[0], Played)
        else:
            explored = view.choices(room, picks, id=6)
            assert explored.picks == picks
            assert explored.step.picks
    if all(complete for _, complete in found):
        assert {room.rules.canonical(picks) for picks, _ in found} == set(room.rules.moves(room.state))


@GAME
def test_exploring_continues_after_the_picks(key: str) -> None:
    """After some picks, exactly the legal next picks are offered, each step with an existing prompt."""
    room = after_moves(key, plies=3).room
    for move in room.rules.moves(room.state)[:10]:
        for made in range(len(move)):
            explored = over_the_wire(view.choices(room, move[:made]))
            places = [pick if isinstance(pick, int) else pick.place for pick in explored.step.picks]
            assert places == list(room.rules.steps(room.state, move[:made]))
            assert explored.picks == move[:made]
            assert explored.prompts[explored.step.prompt] == room.rules.half_turn(room.state, move[:made]).prompt
