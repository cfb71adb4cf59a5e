"""Games between bots go on only while they have subscribers."""

from __future__ import annotations

from parlour.protocol.types import Player
from parlour.server.rooms.events import Participant
from tests.server.rooms.sample_rooms import ADA, new_room
from tests.server.rooms.scripted_context import ScriptedSubscriber, open_room

ONE, TWO = (Participant(f"computer 2 {seat}", Player("Computer 2", bot=True), "2") for seat in range(2))


def test_bots_do_not_think_about_a_game_without_subscribers() -> None:
    """They go on as soon as there is one, and wait again when the last one has left."""
    room, context = open_room(new_room(players=(ONE, TWO)))
    room.check_deadlines()
    assert context.requested == []
    ada = ScriptedSubscriber(ADA)
    room.join(ada, 1)
    assert [state.ply for state in context.requested] == [0]
    room.leave(ada)
    room.check_deadlines()
    assert len(context.requested) == 1


def test_a_bot_plays_on_while_its_opponent_is_away() -> None:
    """A person with days for a move finds the bot's answer later."""
    room, context = open_room(new_room(players=(ONE, ADA)))
    room.check_deadlines()
    assert [state.ply for state in context.requested] == [0]
