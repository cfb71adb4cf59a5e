"""Messages between nodes about a room can be told apart on the wire."""

from __future__ import annotations

import msgspec
import pytest

from parlour.protocol.messages import Rated
from parlour.server.rooms.context import ChatLine, PlayerHere, RoomContext, RoomMessage, WhoHasPlayer
from tests.server.rooms.sample_rooms import ADA, NOON, new_room
from tests.server.rooms.scripted_context import ScriptedContext, ScriptedSubscriber, open_room

MESSAGES = (
    WhoHasPlayer(room="room", seat=1),
    PlayerHere(room="room", seat=0),
    ChatLine(room="room", name="Ada", text="Hello", at=NOON, seat=0, by=ADA.id),
    Rated(room="room", ratings=(1510, 1490)),
)


def test_every_message_has_an_example() -> None:
    """The examples cover every message that nodes send each other about a room."""
    assert {type(message) for message in MESSAGES} == set(RoomMessage.__args__)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_messages_between_nodes_survive_the_wire(message: RoomMessage) -> None:
    """Each is decoded as the kind it was."""
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(message), type=RoomMessage) == message


def test_a_node_answers_only_for_its_own_players() -> None:
    """The question for Ada is answered where Ada is connected; the one for Ben is not."""
    room, context = open_room(new_room(), ScriptedSubscriber(ADA))
    for seat in (0, 1):
        room.receive(WhoHasPlayer(room="room", seat=seat))
    assert context.told == [PlayerHere(room="room", seat=0)]


def test_a_room_needs_nothing_but_its_context() -> None:
    """The scripted context of these tests is complete: the type checker accepts it as a node."""
    context: RoomContext = ScriptedContext(new_room())
    assert context.now() == NOON
