"""What is told of a room says everything, and nobody sees what is nobody's business."""

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
    HAPPENINGS,
    Happened,
    Moved,
    Play,
)  # fmt: skip
from parlour.protocol.scene import scene_hash
from parlour.protocol.tables import Chair, Clock, Pick, Player, Result, Step, Terms, TimeLeft
from parlour.server.rooms import presenter
from parlour.server.rooms.core import evolve
from parlour.server.rooms.decide import decide
from parlour.server.rooms.events import (
    AnyEvent,
    Created,
    Ended,
    Gone,
    Offered,
    Played,
    Seated,
    TakenBack,
)  # fmt: skip
from tests.server.rooms.moments import (
    ADA,
    BEN,
    HISTORIES,
    PLAYERS,
    SAID,
    Moment,
    first_moment,
    over_the_wire,
    table,
    then,
    whole,
)
from tests.server.rooms.tables import FISCHER, GAME, NOON, SECOND


@given(moments=HISTORIES)
@settings(max_examples=80)
def test_every_event_makes_one_update_with_the_right_hash(moments: list[Moment]) -> None:
    """It has the seq of the room, and the hash of the scene that everybody sees after it."""
    for before, moment in pairwise(moments):
        update = moment.update
        assert update is not None
        assert (update.room, update.epoch, update.seq) == ("room", presenter.EPOCH, moment.room.seq)
        assert update.seq == before.room.seq + 1
        assert moment.scene == presenter.scene(moment.room)
        assert update.hash == scene_hash(moment.scene)
        assert whole(moment).hash == update.hash
        assert over_the_wire(update) == update
        assert over_the_wire(whole(moment)) == whole(moment)


@given(moments=HISTORIES)
@settings(max_examples=80)
def test_nobody_learns_the_ids_of_players(moments: list[Moment]) -> None:
    """Messages have names; ids, which belong to the server, are in none of them."""
    for moment in moments:
        messages: list[Any] = [whole(moment), whole(moment, ADA)]
        messages += [moment.update] if moment.update is not None else []
        messages += [presenter.choices(moment.room)] if moment.room.to_move is not None else []
        for message in messages:
            assert b"id-of" not in MSGPACK.encode(message)


def test_nobody_is_told_that_a_room_was_made() -> None:
    """There was nobody to tell, and whoever comes gets the room whole."""
    moment = table()
    with pytest.raises(ValueError, match="Created"):
        presenter.update(moment.scene, moment.room, Created(NOON, "replica", {}, Clock()))


def test_every_happening_is_here() -> None:
    """The list has every word that the protocol has."""
    assert set(SAID) == set(HAPPENINGS)


@pytest.mark.parametrize("what", SAID)
def test_an_update_says_what_happened(what: str) -> None:
    """Each kind of event has its word, and the facts that belong to it."""
    event, facts = SAID[what]
    update = then(table(plies=3), event).update
    assert isinstance(update, Happened)
    assert update.what == what
    assert {name: getattr(update, name) for name in facts} == facts


def test_somebody_who_sits_down_is_shown_with_name_rating_and_kind() -> None:
    """Everybody is told of all chairs, and that a bot is one."""
    moment = then(first_moment("isaac", Clock()), Seated(NOON, 1, "id-of-ben", "Ben", 1200, True))
    assert isinstance(moment.update, Happened)
    assert moment.update.chairs == (Chair(), Chair(Player("Ben", 1200, bot=True), online=True))
    assert moment.update.status == "waiting"


@GAME
def test_an_update_of_a_move_has_the_clock_of_the_mover(key: str) -> None:
    """After the charge, with what was given back; a game without a limit has none."""
    moment = table(key, FISCHER, plies=2)
    move = moment.room.rules.moves(moment.room.state)[0]
    update = then(moment, Played(NOON + 10 * SECOND, move, 400)).update
    assert isinstance(update, Moved)
    assert update.clock == 60 * SECOND - 10 * SECOND + 400 + 3 * SECOND
    assert update.move == moment.room.rules.write(moment.room.state, move)
    moment = table(key, Clock(), plies=2)
    update = then(moment, Played(NOON + 10 * SECOND, move)).update
    assert isinstance(update, Moved)
    assert update.clock is None


@pytest.mark.parametrize(
    "event", [TakenBack(NOON + 9 * SECOND, 1, 2), Ended(NOON + 9 * SECOND, Result(0, "resigned"), 1)]
)
def test_an_update_that_stops_a_turn_has_both_clocks(event: AnyEvent) -> None:
    """The turn that was broken off is charged, and everybody is told."""
    moment = table(plies=3)
    assert moment.room.times.running == 1
    update = then(moment, event).update
    assert isinstance(update, Happened)
    assert update.clocks == (TimeLeft(63 * SECOND), TimeLeft(51 * SECOND))


def test_a_clock_with_periods_is_sent_with_them() -> None:
    """Where a count belongs to the time left, it is in the update of the move."""
    moment = table(clock=Clock("byoyomi", main=20 * SECOND, step=10 * SECOND, count=3), plies=2)
    update = then(moment, Played(NOON + SECOND, moment.room.rules.moves(moment.room.state)[0])).update
    assert isinstance(update, Moved)
    assert update.clock == TimeLeft(19 * SECOND, 3)


def test_after_the_end_nobody_is_to_move() -> None:
    """Whatever ended the game, the scene offers no turn to anybody; everything else stays on the board."""
    moment = table(plies=3)
    ended = then(moment, Ended(NOON, Result(None, "agreed"), 0))
    assert ended.scene.to_move is None
    assert (ended.scene.pieces, ended.scene.marks) == (moment.scene.pieces, moment.scene.marks)


@GAME
def test_a_whole_room_says_everything(key: str) -> None:
    """Board, terms, chairs, moves, clocks, own seat and how many watch."""
    moment = then(then(table(key, FISCHER, plies=3), Offered(NOON, 0, "draw")), Gone(NOON, 1))
    room, shown = moment.room, whole(moment, BEN, at=NOON + SECOND)
    assert (shown.room, shown.seq, shown.status, shown.seat, shown.watchers) == ("room", room.seq, "playing", 1, 3)
    assert shown.board == room.rules.board(room.options)
    assert shown.terms == Terms(key, room.options, FISCHER)
    assert shown.chairs == (Chair(Player("Ada", 1600), True), Chair(Player("Ben", bot=True), False))
    assert (shown.moves, shown.offers, shown.result) == (room.texts, ("0:draw",), None)
    assert shown.clocks[room.movers[-1]] == room.times.left[room.movers[-1]]
    assert room.to_move is not None
    assert shown.clocks[room.to_move] == TimeLeft(59 * SECOND)
    assert whole(moment).seat is None
    assert shown.terms.options is not room.options


# -- choices


def turns(step: Step, made: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], bool]]:
    """The ends of a tree: the picks that lead there, and whether the turn is complete with them."""
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
    """Whatever whole turn a client finds in the choices is accepted, and no turn is missing."""
    room, chance = table(key).room, Random(seed)
    for _ in range(plies):
        after = evolve(room, Played(NOON, random_move(room.rules, room.state, chance)))
        if room.rules.to_move(after.state) is None:
            break
        room = after
    offered = presenter.choices(room, id=5)
    assert over_the_wire(offered) == offered
    assert (offered.room, offered.ply, offered.picks, offered.id) == ("room", len(room.moves), (), 5)
    found = list(turns(offered.step))
    sample = found if len(found) < 50 else chance.sample(found, 50)
    assert room.to_move is not None
    for picks, complete in sample:
        if complete:
            command = Play(id=1, room="room", ply=offered.ply, picks=picks)
            assert isinstance(decide(room, PLAYERS[room.to_move].player, command, NOON)[0], Played)
        else:
            explored = presenter.choices(room, picks, id=6)
            assert explored.picks == picks
            assert explored.step.picks
    if all(complete for _, complete in found):
        assert {room.rules.canonical(picks) for picks, _ in found} == set(room.rules.moves(room.state))


@GAME
def test_exploring_goes_on_where_the_picks_end(key: str) -> None:
    """After some picks exactly the picks that follow them are offered, with prompts that exist."""
    room = table(key, plies=3).room
    for move in room.rules.moves(room.state)[:10]:
        for made in range(len(move)):
            explored = presenter.choices(room, move[:made])
            places = [pick if isinstance(pick, int) else pick.place for pick in explored.step.picks]
            assert places == list(room.rules.steps(room.state, move[:made]))
            assert explored.picks == move[:made]
            assert explored.prompts[explored.step.prompt] == room.rules.half_turn(room.state, move[:made]).prompt
