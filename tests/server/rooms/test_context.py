"""Messages between nodes about a room can be told apart on the wire, and what an absent player is told."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from parlour.protocol.messages import Rated, Resign, YourGame
from parlour.server.rooms.context import ChatLine, PlayerHere, RoomContext, RoomMessage, WhoHasPlayer
from parlour.server.store.room_log import Appended
from tests.server.rooms.sample_rooms import ADA, BEN, NOON, new_room, play
from tests.server.rooms.scripted_context import ScriptedContext, ScriptedSubscriber, open_room

MESSAGES = (
    WhoHasPlayer(room="room", seat=1),
    PlayerHere(room="room", seat=0),
    ChatLine(room="room", name="Ada", text="Hello", at=NOON, seat=0, by="ada"),
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


def test_a_player_who_left_is_told_of_the_turn_and_of_the_end() -> None:
    """Only the player who is not in the room, and only when it is that player's turn or the game is over."""
    ada, ben = ScriptedSubscriber(ADA), ScriptedSubscriber(BEN)
    room, context = open_room(new_room(), ada, ben)
    room.command(ada, play(room.state, id=1))
    context.log.appends.pop().outcome(Appended.OK)
    assert context.told_players == []
    room.leave(ada)
    context.log.appends.pop().outcome(Appended.OK)
    assert context.told_players == []
    room.command(ben, play(room.state, id=2))
    context.log.appends.pop().outcome(Appended.OK)
    turn = YourGame(room=room.state.id, game=room.state.game, opponent=BEN.player, ply=2, to_move=0)
    assert context.told_players == [(ADA.id, turn)]
    room.command(ben, Resign(id=3, room=room.state.id))
    context.log.appends.pop().outcome(Appended.OK)
    assert context.told_players[1:] == [(ADA.id, replace(turn, to_move=None))]
