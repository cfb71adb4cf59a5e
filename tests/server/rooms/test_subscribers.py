"""What subscribers of a room are sent, and when: updates, snapshots, choices and presence."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    Choices,
    Cursor,
    Describe,
    Described,
    Explore,
    Moved,
    Ok,
    Presence,
    Refused,
    Room,
    RoomEvent,
    ServerMessage,
)  # fmt: skip
from parlour.protocol.scene import patch
from parlour.protocol.types import Result
from parlour.server.rooms import view
from parlour.server.rooms.events import AnyEvent, Disconnected, Ended, Participant, Played, TakenBack
from parlour.server.rooms.state import RoomState, evolve
from parlour.server.rooms.subscribers import PRESENCE_EVERY, Moment, Subscribers
from tests.server.rooms.room_histories import over_the_wire
from tests.server.rooms.sample_rooms import ADA, BEN, EVE, GAME, NOON, SECOND, fold, new_room, played
from tests.server.rooms.scripted_context import ScriptedContext, ScriptedSubscriber

DELAY = 10 * SECOND


class Published:
    """The subscribers of a room, and what the test publishes to them."""

    def __init__(self, state: RoomState, *subscribers: ScriptedSubscriber) -> None:
        self.state = state
        self.context = ScriptedContext(state)
        self.subscribers = Subscribers(state, self.context)
        for subscriber in subscribers:
            self.subscribers.add(subscriber)

    def publish(self, event: AnyEvent) -> ServerMessage:
        """Apply an event and publish its update."""
        self.state = evolve(self.state, event)
        update, _ = view.update(self.subscribers.scene, self.state, event)
        self.subscribers.publish(self.state, self.subscribers.prepare(event, self.state))
        return update

    def move(self) -> ServerMessage:
        """Play the first legal move."""
        return self.publish(Played(self.context.time, self.state.rules.moves(self.state.state)[0]))


# -- coming and going


def test_subscribers_are_counted_by_seat() -> None:
    """A player may have several sessions; everyone else is a spectator."""
    phone, laptop, eve = ScriptedSubscriber(ADA), ScriptedSubscriber(ADA), ScriptedSubscriber(EVE)
    subscribers = Published(new_room(), phone, laptop, eve).subscribers
    assert (list(subscribers.of_seat(0)), list(subscribers.of_seat(1))) == ([phone, laptop], [])
    assert subscribers.spectators == 1
    assert subscribers.remove(phone)
    assert not subscribers.remove(phone)
    assert list(subscribers.of_seat(0)) == [laptop]


def test_adding_a_subscriber_twice_changes_nothing() -> None:
    """It is counted once and receives updates once."""
    eve = ScriptedSubscriber(EVE)
    published = Published(new_room(), eve, eve)
    published.move()
    assert (published.subscribers.spectators, len(eve.take())) == (1, 1)


def test_a_room_without_subscribers_is_idle() -> None:
    """The registry closes it after a while."""
    eve = ScriptedSubscriber(EVE)
    subscribers = Published(new_room()).subscribers
    assert subscribers.idle_since is not None
    subscribers.add(eve)
    assert subscribers.idle_since is None
    subscribers.remove(eve)
    assert subscribers.idle_since is not None


# -- updates


def test_an_update_reaches_every_subscriber() -> None:
    """Without a delay, players and spectators are sent the same update at once."""
    ada, eve = ScriptedSubscriber(ADA), ScriptedSubscriber(EVE)
    published = Published(new_room(), ada, eve)
    update = published.move()
    assert isinstance(update, Moved)
    assert ada.take() == eve.take() == [update]
    assert published.context.metrics.updates_delivered == 2


def test_a_dropped_update_is_made_up_for_later() -> None:
    """A connection that is full is marked for the whole room; the others are not affected."""
    ada, eve = ScriptedSubscriber(ADA), ScriptedSubscriber(EVE)
    published = Published(new_room(), ada, eve)
    eve.wire.full = True
    update = published.move()
    assert (ada.take(), eve.take()) == ([update], [])
    assert (ada.resends, eve.resends) == ([], ["room"])
    metrics = published.context.metrics
    assert (metrics.updates_delivered, metrics.updates_dropped) == (1, 1)


# -- snapshots and resuming


def test_a_snapshot_is_sent_to_one_subscriber() -> None:
    """It has the subscriber's seat, and the id of the command that asked for it."""
    ben, eve = ScriptedSubscriber(BEN), ScriptedSubscriber(EVE)
    published = Published(new_room(), ben, eve)
    published.subscribers.send_snapshot(ben, 5)
    (snapshot,) = ben.take()
    assert isinstance(snapshot, Room)
    assert (snapshot.id, snapshot.seat, snapshot.seq, snapshot.spectators) == (5, 1, published.state.seq, 1)
    assert eve.take() == []


def test_resuming_sends_what_was_missed() -> None:
    """The updates since the cursor, and then the reply."""
    eve = ScriptedSubscriber(EVE)
    published = Published(new_room(), eve)
    cursor = published.subscribers.cursor(eve)
    missed = [published.move(), published.move()]
    eve.take()
    published.subscribers.resume(eve, cursor, 6)
    assert eve.take() == [*missed, Ok(id=6, seq=published.state.seq, epoch=view.EPOCH)]
    assert published.context.metrics.resumes == {"range": 1, "snapshot": 0}


def test_resuming_from_an_unknown_point_sends_the_whole_room() -> None:
    """For example after an event that this node has never sent."""
    eve = ScriptedSubscriber(EVE)
    published = Published(new_room(), eve)
    published.subscribers.resume(eve, Cursor("room", view.EPOCH, published.state.seq + 5), 6)
    (snapshot,) = eve.take()
    assert isinstance(snapshot, Room)
    assert published.context.metrics.resumes == {"range": 0, "snapshot": 1}


# -- choices


def choices_sent(published: Published, player: Participant, *, wanted: bool = True) -> list[Choices]:
    """Return the choices that a new subscriber is sent."""
    subscriber = ScriptedSubscriber(player, wants_choices=wanted)
    published.subscribers.send_choices(subscriber)
    return [message for message in subscriber.take() if isinstance(message, Choices)]


@GAME
def test_the_player_to_move_is_sent_the_choices(key: str) -> None:
    """Other subscribers are not, and neither is a client that declined them."""
    published = Published(played(new_room(key), None, None))
    assert published.state.to_move is not None
    mover = published.state.players[published.state.to_move]
    other = published.state.players[1 - published.state.to_move]
    assert choices_sent(published, mover) == [over_the_wire(view.choices(published.state))]
    assert choices_sent(published, mover, wanted=False) == []
    assert choices_sent(published, other) == choices_sent(published, EVE) == []


def test_the_choices_of_a_position_are_computed_once() -> None:
    """An event that leaves the position alone does not cause another computation; a move does."""
    published = Published(played(new_room(), None, None))
    ada = ScriptedSubscriber(ADA, wants_choices=True)
    published.subscribers.send_choices(ada)
    published.publish(Disconnected(NOON, 1))
    published.subscribers.send_choices(ada)
    first, again = ada.wire.frames
    assert again is first
    published.move()
    (after,) = choices_sent(published, BEN)
    assert after == over_the_wire(view.choices(published.state))


def test_another_position_at_the_same_ply_has_its_own_choices() -> None:
    """After a takeback and another move the ply is the same, but the position is not."""
    published = Published(new_room())
    one, other, *_ = published.state.rules.moves(published.state.state)
    for event in (Played(NOON, one), TakenBack(NOON, 1, 0), Played(NOON, other)):
        published.publish(event)
        choices_sent(published, BEN)
    assert choices_sent(published, BEN) == [over_the_wire(view.choices(published.state))]


def test_exploring_sends_what_follows_some_picks() -> None:
    """The reply has the id of the command and the picks that were made."""
    ada, published = ScriptedSubscriber(ADA), Published(new_room())
    first_pick = published.state.rules.moves(published.state.state)[0][:1]
    published.subscribers.explore(ada, Explore(id=4, room="room", ply=0, picks=first_pick))
    assert ada.take() == [over_the_wire(view.choices(published.state, first_pick, 4))]


EXPLORE_REFUSALS = {
    "a stale ply": (BEN, Explore(id=4, room="room", ply=0, picks=()), ErrorCode.STALE_PLY),
    "the player not to move": (ADA, Explore(id=4, room="room", ply=1, picks=()), ErrorCode.NOT_YOUR_TURN),
    "a spectator": (EVE, Explore(id=4, room="room", ply=1, picks=()), ErrorCode.NOT_YOUR_TURN),
    "illegal picks": (BEN, Explore(id=4, room="room", ply=1, picks=(10**6,)), ErrorCode.MOVE_ILLEGAL),
}


@pytest.mark.parametrize("case", EXPLORE_REFUSALS)
def test_exploring_is_refused(case: str) -> None:
    """Only the player to move may explore, only the current position, and only legal picks."""
    player, command, code = EXPLORE_REFUSALS[case]
    subscriber = ScriptedSubscriber(player)
    Published(played(new_room(), None)).subscribers.explore(subscriber, command)
    (refused,) = subscriber.take()
    assert isinstance(refused, Refused)
    assert (refused.code, refused.id) == (code, 4)


def test_the_last_move_is_described_for_its_reader() -> None:
    """The player who moved reads “You”, all others the name of that player."""
    published = Published(new_room())
    published.publish(Played(NOON, published.state.rules.read(published.state.state, "g5-f4")))
    texts = []
    for player in (ADA, BEN, EVE):
        subscriber = ScriptedSubscriber(player)
        published.subscribers.describe(subscriber, Describe(id=4, room="room", ply=1))
        (answer,) = subscriber.take()
        assert isinstance(answer, Described)
        texts.append(answer.text)
    assert texts == ["Your man on g5 steps to f4.", *["Ada’s man on g5 steps to f4."] * 2]


def test_a_turn_is_described_before_it_is_played() -> None:
    """As a preview of what picks would do: in words, and as the change of the board."""
    ada, published = ScriptedSubscriber(ADA), Published(new_room())
    turn = published.state.rules.read(published.state.state, "h7-d7")
    published.subscribers.describe(ada, Describe(id=4, room="room", ply=0, picks=turn))
    (described,) = ada.take()
    assert isinstance(described, Described)
    assert described.text == "Your man on h7 jumps over 3 friends to d7."
    assert described.change is not None
    before = published.subscribers.scene
    published.publish(Played(published.context.time, turn))
    assert patch(before, described.change) == published.subscribers.scene


@pytest.mark.parametrize(
    ("ply", "picks", "code"),
    [(1, None, ErrorCode.STALE_PLY), (0, None, ErrorCode.STALE_PLY), (0, (1, 2), ErrorCode.MOVE_ILLEGAL)],
)
def test_describing_is_refused(ply: int, picks: tuple[int, ...] | None, code: ErrorCode) -> None:
    """For another position, before the first move, and for picks that are no turn."""
    ada = ScriptedSubscriber(ADA)
    Published(new_room()).subscribers.describe(ada, Describe(id=4, room="room", ply=ply, picks=picks))
    (refused,) = ada.take()
    assert isinstance(refused, Refused)
    assert (refused.code, refused.id) == (code, 4)


# -- delayed spectators


def delayed_room() -> RoomState:
    return replace(new_room(), delay=DELAY)


def test_spectators_see_a_delayed_room_later() -> None:
    """Players see a move at once, spectators when it is old enough."""
    ada, eve = ScriptedSubscriber(ADA), ScriptedSubscriber(EVE)
    published = Published(delayed_room(), ada, eve)
    before = published.state
    update = published.move()
    assert (ada.take(), eve.take()) == ([update], [])
    assert published.subscribers.view(ada)[0] == published.state
    assert published.subscribers.view(eve)[0] == before
    (release,) = published.context.timers
    assert release.seconds == DELAY / 1000
    published.context.time += DELAY
    release.fire()
    assert eve.take() == [update]
    assert published.subscribers.view(eve)[0] == published.state


def test_each_update_is_released_at_its_own_time() -> None:
    """One timer after the other, in order."""
    eve = ScriptedSubscriber(EVE)
    published = Published(delayed_room(), eve)
    first = published.move()
    published.context.time += 4 * SECOND
    second = published.move()
    published.context.time = NOON + DELAY
    published.context.timers[-1].fire()
    assert eve.take() == [first]
    assert published.context.timers[-1].seconds == 4
    published.context.time += 4 * SECOND
    published.context.timers[-1].fire()
    assert eve.take() == [second]


def test_the_end_of_the_game_ends_the_delay() -> None:
    """Spectators are sent everything at once, in order, and see the present."""
    eve = ScriptedSubscriber(EVE)
    published = Published(delayed_room(), eve)
    move = published.move()
    end = published.publish(Ended(NOON, Result(1, "resigned"), 0))
    assert eve.take() == [move, end]
    assert not published.subscribers.is_delayed(eve)
    assert published.subscribers.view(eve)[0].status == "over"


def test_a_room_opened_late_continues_its_delay() -> None:
    """The registry says what spectators may see already, and what follows at which time."""
    eve = ScriptedSubscriber(EVE)
    old, new = delayed_room(), replace(played(delayed_room(), None), delay=DELAY)
    published = Published(new, eve)
    update, scene = view.update(view.scene(old), new, Played(NOON, new.moves[0]))
    published.subscribers.delay(Moment(NOON, old, view.scene(old)), [Moment(NOON - 3 * SECOND, new, scene, update)])
    assert published.subscribers.view(eve)[0] == old
    (release,) = published.context.timers
    assert release.seconds == 7
    published.context.time += 7 * SECOND
    release.fire()
    assert eve.take() == [update]


# -- presence


def test_presence_is_announced_once_however_many_come_and_go() -> None:
    """The announcement waits a moment and says who is online and how many watch."""
    ada, eve = ScriptedSubscriber(ADA), ScriptedSubscriber(EVE)
    published = Published(fold(new_room(), Disconnected(NOON, 1)), ada, eve)
    for _ in range(3):
        published.subscribers.announce_presence()
    (timer,) = published.context.timers
    assert timer.seconds == PRESENCE_EVERY
    timer.fire()
    wait = published.state.claim_after
    assert eve.take() == [Presence(room="room", online=(True, False), spectators=1, claim_in=wait)]


def test_closing_cancels_all_timers() -> None:
    """A closed room sends nothing more."""
    eve = ScriptedSubscriber(EVE)
    published = Published(delayed_room(), eve)
    published.move()
    published.subscribers.announce_presence()
    published.subscribers.close()
    assert [timer.is_cancelled for timer in published.context.timers] == [True, True]
    assert eve.wire.groups == set()


def test_an_update_about_presence_is_an_event_too() -> None:
    """That a player is offline is part of the history, with a number of its own."""
    ben = ScriptedSubscriber(BEN)
    update = Published(new_room(), ben).publish(Disconnected(NOON, 0))
    assert isinstance(update, RoomEvent)
    assert ben.take() == [update]
