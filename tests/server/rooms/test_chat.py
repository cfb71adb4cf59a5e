"""The chat of a room: lines reach every subscriber and the other nodes, and are kept for later subscribers."""

from __future__ import annotations

import pytest

from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Ok, Refused, Said, Say
from parlour.server.rooms.chat import KEPT, Chat
from parlour.server.rooms.context import ChatLine
from parlour.server.rooms.subscribers import Subscribers
from parlour.server.store.block_lists import BlockLists
from tests.server.rooms.sample_rooms import ADA, BEN, EVE, NOON, RESIGN, commanded, new_room, played
from tests.server.rooms.scripted_context import ScriptedContext, ScriptedSubscriber, open_room


def say(text: str, id: int = 1) -> Say:
    return Say(id=id, room="room", text=text)


def test_a_line_reaches_every_subscriber_and_the_other_nodes() -> None:
    """The line has its author's name and seat; the author is sent a reply as well."""
    ada, eve = ScriptedSubscriber(ADA), ScriptedSubscriber(EVE)
    room, context = open_room(new_room(), ada, eve)
    room.command(ada, say("Good luck", id=7))
    line = Said(room="room", name="Ada", text="Good luck", at=NOON, seat=0)
    assert ada.take() == [line, Ok(id=7)]
    assert eve.take() == [line]
    assert context.told == [ChatLine(room="room", name="Ada", text="Good luck", at=NOON, seat=0, by=ADA.id)]


def test_players_do_not_see_spectators_lines_until_the_game_is_over() -> None:
    """Spectators see them at once; the players are shown them when the game has ended."""
    state = played(new_room(), None)
    context, ada, eve = ScriptedContext(state), ScriptedSubscriber(ADA), ScriptedSubscriber(EVE)
    subscribers = Subscribers(state, context)
    for subscriber in (ada, eve):
        subscribers.add(subscriber)
    chat = Chat("room", subscribers, context)
    chat.say(eve, say("Take the king", id=1))
    line = Said(room="room", name="Eve", text="Take the king", at=NOON, seat=None)
    assert eve.take() == [line, Ok(id=1)]
    assert ada.take() == []
    assert context.told == [ChatLine(room="room", name="Eve", text="Take the king", at=NOON, seat=None, by=EVE.id)]
    for subscriber, lines in ((ada, []), (eve, [line])):
        chat.send_history(subscriber)
        assert subscriber.take() == lines

    subscribers.state = commanded(state, ADA, RESIGN)
    chat.release()
    assert ada.take() == [line]
    chat.say(eve, say("Well played", id=2))
    (shown,) = ada.take()
    assert isinstance(shown, Said)
    assert shown.text == "Well played"


def test_a_line_of_another_node_is_shown_but_not_passed_on() -> None:
    """Otherwise two nodes would repeat it forever."""
    ada = ScriptedSubscriber(ADA)
    room, context = open_room(new_room(), ada)
    line = ChatLine(room="room", name="Ben", text="Hello", at=NOON, seat=1, by=BEN.id)
    room.receive(line)
    assert ada.take() == [Said(room="room", name="Ben", text="Hello", at=NOON, seat=1)]
    assert context.told == []


def test_a_line_sent_twice_is_said_once() -> None:
    """A command that is sent again has the same reply and no other effect."""
    ada = ScriptedSubscriber(ADA)
    room, context = open_room(new_room(), ada)
    for _ in range(2):
        room.command(ada, say("Hello", id=3))
    assert ada.take().count(Ok(id=3)) == 2
    assert len(context.told) == len(room.chat.history) == 1


def test_lines_with_the_same_id() -> None:
    """Another session's line is another command; another line of the same session is refused."""
    one, two = ScriptedSubscriber(ADA, session_id="one"), ScriptedSubscriber(ADA, session_id="two")
    room, context = open_room(new_room(), one, two)
    room.command(one, say("Hello", id=3))
    room.command(two, say("Good luck", id=3))
    assert [line.text for line in room.chat.history] == ["Hello", "Good luck"]
    one.take()
    room.command(one, say("Good luck", id=3))
    (refused,) = one.take()
    assert isinstance(refused, Refused)
    assert (refused.code, refused.id) == (ErrorCode.ID_REUSED, 3)
    assert len(context.told) == 2


@pytest.mark.parametrize("text", ["", "   ", "two\nlines", "\x07"])
def test_text_that_is_not_one_line_is_refused(text: str) -> None:
    """Empty and unprintable texts are not shown."""
    ada = ScriptedSubscriber(ADA)
    room, context = open_room(new_room(), ada)
    room.command(ada, say(text))
    (refused,) = ada.take()
    assert isinstance(refused, Refused)
    assert refused.code == ErrorCode.TEXT_REFUSED
    assert context.told == []


def test_later_subscribers_are_sent_the_newest_lines() -> None:
    """A bounded number of lines is kept."""
    ada, ben = ScriptedSubscriber(ADA), ScriptedSubscriber(BEN)
    room, _ = open_room(new_room(), ada)
    for number in range(KEPT + 5):
        room.command(ada, say(f"line {number}", id=number))
    room.join(ben, None)
    texts = [message.text for message in ben.take() if isinstance(message, Said)]
    assert texts == [f"line {number}" for number in range(5, KEPT + 5)]


@pytest.mark.parametrize("lists", [BlockLists(blocked=frozenset({BEN.id})), BlockLists(muted=frozenset({BEN.id}))])
def test_a_player_does_not_get_the_chat_of_blocked_and_muted_players(lists: BlockLists) -> None:
    """Neither when it is said nor when the player joins later; all others get it."""
    ada, ben, eve = ScriptedSubscriber(ADA), ScriptedSubscriber(BEN), ScriptedSubscriber(EVE)
    ada.block_lists = lists
    room, _ = open_room(new_room(), ada, ben, eve)
    room.command(ben, say("Hello"))
    room.command(ada, say("Hello Ben"))
    assert [line.text for line in ada.take() if isinstance(line, Said)] == ["Hello Ben"]
    assert [line.text for line in eve.take() if isinstance(line, Said)] == ["Hello", "Hello Ben"]
    assert [line.text for line in room.chat.visible_to(ada)] == ["Hello Ben"]
    assert room.chat.lines_of(BEN.id) == ("Hello",)
