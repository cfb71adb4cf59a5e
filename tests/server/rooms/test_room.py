"""The path of a command through a room, without a store and without an event loop."""

from __future__ import annotations

import pytest

from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Moved, Offer, Ok, Refused, Resign, Room, RoomEvent
from parlour.protocol.types import Clock
from parlour.server.outages import Outage, SeatNode
from parlour.server.rooms import room as rooms
from parlour.server.rooms import view
from parlour.server.rooms.commands import FIRST_MOVE_WITHIN, decide
from parlour.server.rooms.events import AnyEvent, Disconnected, Ended, Excused, Offered, Played, Reconnected, encode
from parlour.server.rooms.room import FIRST_SNAPSHOT
from parlour.server.rooms.work_queue import MAX_BACKLOG
from parlour.server.store.room_log import Appended, published_header
from tests.server.rooms.sample_rooms import (
    ADA,
    BEN,
    EVE,
    FISCHER,
    NOON,
    SECOND,
    answer,
    commanded,
    fold,
    new_room,
    play,
    played,
)
from tests.server.rooms.scripted_context import ScriptedSubscriber, open_room


def test_nothing_is_published_or_acknowledged_before_it_is_in_the_log() -> None:
    """The update and the reply leave only when the append is confirmed: first the update, then the reply."""
    ada, ben = ScriptedSubscriber(ADA), ScriptedSubscriber(BEN)
    room, context = open_room(new_room(), ada, ben)
    before = room.state
    room.command(ada, play(before, id=7))
    (append,) = context.log.appends
    assert (append.first_seq, [type(event) for event in append.events]) == (before.seq + 1, [Played])
    assert (ada.take(), ben.take(), room.state) == ([], [], before)

    append.outcome(Appended.OK)

    assert room.state == fold(before, *append.events)
    update, reply = ada.take()
    assert isinstance(update, Moved)
    assert reply == Ok(id=7, seq=before.seq + 1, epoch=view.EPOCH)
    assert ben.take() == [update]


def test_a_refused_command_changes_nothing() -> None:
    """A move out of turn is refused at once, without a word to the store."""
    ada, ben = ScriptedSubscriber(ADA), ScriptedSubscriber(BEN)
    room, context = open_room(new_room(), ada, ben)
    room.command(ben, play(room.state, id=3))
    (refused,) = ben.take()
    assert isinstance(refused, Refused)
    assert (refused.code, refused.id) == (ErrorCode.NOT_YOUR_TURN, 3)
    assert (context.log.appends, ada.take(), room.is_idle) == ([], [], True)


def test_after_a_conflict_the_room_catches_up_and_decides_again() -> None:
    """Another node's event is applied and published first, then the command is committed behind it."""
    ada, ben = ScriptedSubscriber(ADA), ScriptedSubscriber(BEN)
    room, context = open_room(new_room(), ada, ben)
    seq = room.state.seq
    room.command(ada, play(room.state, id=7))
    context.log.add(Offered(NOON, 1, "draw", BEN.id, 4))
    context.log.appends.pop().outcome(Appended.CONFLICT)

    again = context.log.appends.pop()
    assert again.first_seq == seq + 2
    offered = ben.take()
    assert [(message.kind, message.seq) for message in offered if isinstance(message, RoomEvent)] == [
        ("offered", seq + 1)
    ]
    again.outcome(Appended.OK)
    assert ada.take()[-1] == Ok(id=7, seq=seq + 2, epoch=view.EPOCH)


def test_a_command_that_another_node_committed_is_not_committed_again() -> None:
    """The client sent the same command to two nodes: the slower one replies with the seq of the other's event."""
    ada = ScriptedSubscriber(ADA)
    room, context = open_room(new_room(), ada)
    command = play(room.state, id=7)
    room.command(ada, command)
    context.log.add(*decide(room.state, ADA.id, command, NOON, session=ada.session_id))
    context.log.appends.pop().outcome(Appended.CONFLICT)
    assert context.log.appends == []
    assert ada.take()[-1] == Ok(id=7, seq=room.state.seq, epoch=view.EPOCH)


def test_a_repeated_command_gets_the_same_reply() -> None:
    """It is answered from the room's memory, whatever has happened since."""
    ada, ben = ScriptedSubscriber(ADA), ScriptedSubscriber(BEN)
    room, context = open_room(new_room(), ada, ben)
    command = play(room.state, id=7)
    room.command(ada, command)
    context.log.appends.pop().outcome(Appended.OK)
    reply = ada.take()[-1]
    room.command(ben, play(room.state, id=1))
    context.log.appends.pop().outcome(Appended.OK)
    ada.take()
    room.command(ada, command)
    assert (ada.take(), context.log.appends) == ([reply], [])


def test_the_same_id_in_another_session_is_another_command() -> None:
    """Two connections of one player may choose the same ids: each command is executed, and gets its own reply."""
    one, two = ScriptedSubscriber(ADA, session_id="one"), ScriptedSubscriber(ADA, session_id="two")
    room, context = open_room(new_room(), one, two)
    for subscriber, command in ((one, play(room.state, id=1)), (two, Offer(id=1, room="room", kind="draw"))):
        room.command(subscriber, command)
        context.log.appends.pop().outcome(Appended.OK)
        assert subscriber.take()[-1] == Ok(id=1, seq=room.state.seq, epoch=view.EPOCH)


def test_a_different_command_with_the_same_id_is_refused() -> None:
    """Whatever was executed under the id, also a move that was taken back since, is not taken for the new command."""
    ada, ben = ScriptedSubscriber(ADA), ScriptedSubscriber(BEN)
    room, context = open_room(new_room(), ada, ben)
    first, second = room.state.rules.moves(room.state.state)[:2]
    takeback = Offer(id=8, room="room", kind="takeback")
    for subscriber, command in ((ada, play(room.state, first, id=7)), (ada, takeback), (ben, answer("takeback", True))):
        room.command(subscriber, command)
        context.log.appends.pop().outcome(Appended.OK)
        ada.take()
        for reused in (
            play(room.state, second, id=7),
            Offer(id=7, room="room", kind="draw"),
            Resign(id=7, room="room"),
        ):
            room.command(ada, reused)
            (refused,) = ada.take()
            assert isinstance(refused, Refused)
            assert (refused.code, refused.id) == (ErrorCode.ID_REUSED, 7)
    assert context.log.appends == []


def test_an_unconfirmed_append_that_is_in_the_log_counts() -> None:
    """The reply to the append was lost, and the log shows that it succeeded."""
    ada, ben = ScriptedSubscriber(ADA), ScriptedSubscriber(BEN)
    room, context = open_room(new_room(), ada, ben)
    seq = room.state.seq
    room.command(ada, play(room.state, id=7))
    append = context.log.appends.pop()
    context.log.add(*append.events)
    append.outcome(Appended.UNKNOWN)
    assert ada.take()[-1] == Ok(id=7, seq=seq + 1, epoch=view.EPOCH)
    assert len(ben.take()) == 1
    assert (room.state.seq, context.log.appends) == (seq + 1, [])


def test_an_unconfirmed_append_that_is_not_in_the_log_is_decided_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a pause the command is appended again, at the same place."""
    monkeypatch.setattr(rooms, "APPEND_PAUSES", (0,))
    ada = ScriptedSubscriber(ADA)
    room, context = open_room(new_room(), ada)
    room.command(ada, play(room.state, id=7))
    first = context.log.appends.pop()
    first.outcome(Appended.UNKNOWN)
    context.wake()
    second = context.log.appends.pop()
    assert (second.first_seq, second.events) == (first.first_seq, first.events)
    second.outcome(Appended.OK)
    assert ada.take()[-1] == Ok(id=7, seq=first.first_seq, epoch=view.EPOCH)


def test_a_store_that_stays_silent_is_reported_to_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command is refused with `try_again`, and the room carries on."""
    monkeypatch.setattr(rooms, "VERIFY_WITHIN", -1)
    ada = ScriptedSubscriber(ADA)
    room, context = open_room(new_room(), ada)
    room.command(ada, play(room.state, id=7))
    context.log.unavailable = True
    context.log.appends.pop().outcome(Appended.UNKNOWN)
    (refused,) = ada.take()
    assert isinstance(refused, Refused)
    assert (refused.code, refused.id) == (ErrorCode.TRY_AGAIN, 7)
    assert room.is_idle


def test_commands_wait_for_each_other() -> None:
    """The second command is decided on the state after the first one."""
    ada, ben = ScriptedSubscriber(ADA), ScriptedSubscriber(BEN)
    state = new_room()
    after = commanded(state, ADA, play(state, id=1))
    room, context = open_room(state, ada, ben)
    room.command(ada, play(state, id=1))
    room.command(ben, play(after, id=1))
    assert len(context.log.appends) == 1
    context.log.appends.pop().outcome(Appended.OK)
    assert [type(event) for event in context.log.appends[0].events] == [Played]
    context.log.appends.pop().outcome(Appended.OK)
    assert room.state.ply == 2
    assert ben.take()[-1] == Ok(id=1, seq=room.state.seq, epoch=view.EPOCH)


def test_a_full_backlog_refuses_further_commands() -> None:
    """Beyond the limit a command is refused with `try_again` at once."""
    ada = ScriptedSubscriber(ADA)
    room, context = open_room(new_room(), ada)
    for id in range(MAX_BACKLOG + 1):
        room.command(ada, Offer(id=id, room="room", kind="draw"))
    assert ada.take() == []
    room.command(ada, Offer(id=999, room="room", kind="draw"))
    (refused,) = ada.take()
    assert isinstance(refused, Refused)
    assert (refused.code, refused.id) == (ErrorCode.TRY_AGAIN, 999)
    assert len(context.log.appends) == 1


def test_an_overdue_game_ends_before_a_late_command() -> None:
    """A move that comes after the flag has fallen is refused, and the game is over."""
    state = played(new_room(clock=FISCHER), None, None)
    ada, ben = ScriptedSubscriber(ADA), ScriptedSubscriber(BEN)
    room, context = open_room(state, ada, ben)
    context.time = NOON + 70 * SECOND
    room.command(ada, play(state, id=7))
    append = context.log.appends.pop()
    assert [type(event) for event in append.events] == [Ended]
    append.outcome(Appended.OK)
    refused = ada.take()[-1]
    assert isinstance(refused, Refused)
    assert refused.code == ErrorCode.GAME_OVER
    assert context.finished == [room.state]


def test_an_outage_is_excused_before_time_is_charged() -> None:
    """The log records the outage first, so the move that follows is in time."""
    state = played(new_room(clock=FISCHER), None, None)
    ada = ScriptedSubscriber(ADA)
    room, context = open_room(state, ada)
    context.time = NOON + 70 * SECOND
    context.beat.outages = [Outage(NOON + SECOND, NOON + 69 * SECOND)]
    context.beat.last_outage_end = NOON + 69 * SECOND
    room.command(ada, play(state, id=7))
    excused = context.log.appends.pop()
    assert [type(event) for event in excused.events] == [Excused]
    excused.outcome(Appended.OK)
    move = context.log.appends.pop()
    assert [type(event) for event in move.events] == [Played]
    move.outcome(Appended.OK)
    assert ada.take()[-1] == Ok(id=7, seq=room.state.seq, epoch=view.EPOCH)


async def test_outages_are_learned_before_time_is_charged() -> None:
    """A node that may have missed an outage asks the store before it decides."""
    ada = ScriptedSubscriber(ADA)
    room, context = open_room(new_room(clock=FISCHER), ada)
    context.beat.known_until = NOON - 1
    room.command(ada, play(room.state, id=7))
    assert context.beat.learned == 1
    assert len(context.log.appends) == 1


CUT_OFF = SeatNode("there", "", NOON - SECOND)  # a player on another node


def test_no_flag_falls_while_the_players_node_may_be_cut_off() -> None:
    """The check at the deadline is postponed until that node has beaten again, and then the game is over."""
    room, context = open_room(played(new_room(clock=Clock("move", main=5 * SECOND)), None, None))
    context.players_at.nodes = (CUT_OFF, SeatNode())
    context.beat.beats = {"there": NOON + 4 * SECOND}
    context.time = NOON + 6 * SECOND
    room.check_deadlines()
    assert context.log.appends == []
    assert context.checks[-1] == (room.state.id, context.time + rooms.SETTLE_WITHIN)

    context.beat.beats = {"there": NOON + 6 * SECOND}
    room.check_deadlines()
    (ended,) = context.log.appends.pop().events
    assert isinstance(ended, Ended)
    assert ended.result.reason == "flag"


def test_time_on_a_node_that_was_cut_off_is_excused() -> None:
    """Once the other nodes know of the outage, the log records it for the player on that node."""
    room, context = open_room(played(new_room(clock=Clock("move", main=5 * SECOND)), None, None))
    context.players_at.nodes = (CUT_OFF, SeatNode())
    context.beat.outages = [Outage(NOON + SECOND, NOON + 4 * SECOND, "there")]
    context.beat.last_outage_end = NOON + 4 * SECOND
    context.time = NOON + 6 * SECOND
    room.check_deadlines()
    append = context.log.appends.pop()
    (excused,) = append.events
    assert isinstance(excused, Excused)
    assert excused.seat == 0
    append.outcome(Appended.OK)
    assert context.log.appends == []
    assert room.state.status == "playing"


def test_a_late_move_from_a_node_that_may_be_cut_off_is_sent_again() -> None:
    """Nothing is decided until it is known whether the node that the player has left was cut off."""
    ada = ScriptedSubscriber(ADA)
    room, context = open_room(played(new_room(clock=Clock("move", main=5 * SECOND)), None, None), ada)
    context.players_at.nodes = (SeatNode("here", "there", NOON + 6 * SECOND), SeatNode())
    context.beat.beats = {"there": NOON + SECOND}
    context.time = NOON + 6 * SECOND
    room.command(ada, play(room.state, id=7))
    (refused,) = ada.take()
    assert isinstance(refused, Refused)
    assert (refused.code, refused.id) == (ErrorCode.TRY_AGAIN, 7)
    assert (context.log.appends, room.state.status) == ([], "playing")


def test_the_node_of_each_player_is_recorded() -> None:
    """A player's node is recorded when the first connection comes and when the last one goes."""
    ada, eve = ScriptedSubscriber(ADA), ScriptedSubscriber(EVE)
    room, context = open_room(new_room(), ada, eve)
    assert context.players_at.recorded == [(ADA.id, True)]
    room.leave(ada)
    assert context.players_at.recorded[1:] == [(ADA.id, False)]


def test_entries_of_other_nodes_are_applied_once() -> None:
    """A published entry that arrives during an own commit waits, and is skipped if it is known by then."""
    ada, ben = ScriptedSubscriber(ADA), ScriptedSubscriber(BEN)
    room, context = open_room(new_room(), ada, ben)
    seq = room.state.seq
    offer = Offered(NOON, 1, "draw", BEN.id, 4)
    room.command(ada, play(room.state, id=7))
    context.log.add(offer)
    room.receive_published(published(seq + 1, offer))
    context.log.appends.pop().outcome(Appended.CONFLICT)
    context.log.appends.pop().outcome(Appended.OK)
    assert room.state.seq == seq + 2
    kinds = [message.kind for message in ben.take() if isinstance(message, RoomEvent)]
    assert kinds == ["offered"]


def test_the_update_is_computed_on_one_node() -> None:
    """A node that follows another one's event publishes the update with its own, and relays what it is sent."""
    ada, ben = ScriptedSubscriber(ADA), ScriptedSubscriber(BEN)
    here, context = open_room(new_room(), ada)
    there, other = open_room(new_room(), ben)
    updates = []
    for id in range(4):
        mover, room, log, follower = (ada, here, context.log, there) if id % 2 == 0 else (ben, there, other.log, here)
        room.command(mover, play(room.state, id=id))
        append = log.appends.pop()
        append.outcome(Appended.OK)
        follower.receive_published(published(append.first_seq, *append.events) + append.update)
        updates.append(append.update)
    assert [bool(update) for update in updates] == [False, True, True, True]
    first, second = ([each for each in player.take() if isinstance(each, Moved)] for player in (ada, ben))
    assert first == second
    assert len(first) == 4
    assert here.subscribers.scene == there.subscribers.scene == view.scene(here.state)


def test_a_gap_in_published_entries_is_read_from_the_log() -> None:
    """An entry that is not the next one makes the room read what it missed."""
    ada = ScriptedSubscriber(ADA)
    room, context = open_room(new_room(), ada)
    seq = room.state.seq
    first, second = Offered(NOON, 1, "draw", BEN.id, 4), Offered(NOON, 1, "takeback", BEN.id, 5)
    context.log.add(first, second)
    room.receive_published(published(seq + 2, second))
    assert [message.seq for message in ada.take() if isinstance(message, RoomEvent)] == [seq + 1, seq + 2]
    assert context.metrics.gaps_repaired == 1


def test_a_failed_catch_up_is_repeated() -> None:
    """Nothing announces the missed entries again, so the room tries by itself."""
    room, context = open_room(new_room())
    context.log.add(Offered(NOON, 1, "draw", BEN.id, 4))
    context.log.unavailable = True
    context.timers.clear()
    room.catch_up()
    (retry,) = context.timers
    context.log.unavailable = False
    retry.fire()
    assert room.state.offers == ((1, "draw"),)


def test_a_store_that_lost_the_room_is_reported() -> None:
    """A log without the last known event is gone; without a record the room does not exist any more."""
    ada = ScriptedSubscriber(ADA)
    room, context = open_room(new_room(), ada)
    room.command(ada, play(room.state, id=7))
    context.log.entries.clear()
    context.log.appends.pop().outcome(Appended.CONFLICT)
    (refused,) = ada.take()
    assert isinstance(refused, Refused)
    assert (refused.code, refused.id) == (ErrorCode.ROOM_UNKNOWN, 7)


def test_losing_the_last_connection_is_recorded() -> None:
    """The log says when a player is offline, and when that is over."""
    ada, ben = ScriptedSubscriber(ADA), ScriptedSubscriber(BEN)
    room, context = open_room(new_room(), ada, ben)
    room.leave(ben)
    gone = context.log.appends.pop()
    assert gone.events == (Disconnected(NOON, 1),)
    gone.outcome(Appended.OK)
    room.join(ben, 5)
    back = context.log.appends.pop()
    assert back.events == (Reconnected(NOON, 1),)


def test_a_spectator_leaves_no_trace_in_the_log() -> None:
    """Only players' presence is part of the game."""
    eve = ScriptedSubscriber(EVE)
    room, context = open_room(new_room(), eve)
    room.leave(eve)
    assert context.log.appends == []


def test_a_room_without_a_first_move_is_aborted_when_due() -> None:
    """The check at the deadline commits what has become true by itself, and plans the next one."""
    room, context = open_room(new_room(clock=Clock("fischer", main=60 * SECOND)))
    context.time = NOON + FIRST_MOVE_WITHIN
    room.check_deadlines()
    append = context.log.appends.pop()
    assert [type(event) for event in append.events] == [Ended]
    append.outcome(Appended.OK)
    assert room.state.status == "over"


def test_the_whole_room_is_sent_on_joining() -> None:
    """A new subscriber gets everything in one message, with the id of its command."""
    eve = ScriptedSubscriber(EVE)
    room, _ = open_room(new_room())
    room.join(eve, 9)
    (snapshot,) = eve.take()
    assert isinstance(snapshot, Room)
    assert (snapshot.id, snapshot.seq, snapshot.seat) == (9, room.state.seq, None)


def test_a_long_game_is_saved_as_a_snapshot() -> None:
    """The node is asked to save one after enough events."""
    room, context = open_room(new_room())
    first_seq = room.state.seq + 1
    events: list[AnyEvent] = [Disconnected(NOON, 0), Reconnected(NOON, 0)] * FIRST_SNAPSHOT
    room.receive_published(published(first_seq, *events[: FIRST_SNAPSHOT - first_seq]))
    assert context.snapshots == []
    room.receive_published(published(room.state.seq + 1, events[FIRST_SNAPSHOT - first_seq]))
    assert [saved.seq for saved in context.snapshots] == [FIRST_SNAPSHOT]


def published(first_seq: int, *events: AnyEvent) -> bytes:
    """Return what the store publishes for these entries."""
    entries = [encode(event) for event in events]
    return published_header(first_seq, entries) + b"".join(entries)
