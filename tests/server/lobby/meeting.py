"""What the tests of the lobby share."""

from __future__ import annotations

from parlour.protocol.messages import Join, Paired, Room
from parlour.protocol.tables import Terms
from parlour.server.rooms.opening import Guest
from tests.server.running_node import Caller, RunningNode

ISAAC = Terms("isaac")


async def player_of(node: RunningNode, caller: Caller) -> Guest:
    """Somebody who is connected, as he sits at tables."""
    player = await node.store.players.find(caller.token)
    assert player is not None
    return Guest(player.id, player.name, guest=True)


async def games_of(node: RunningNode, *callers: Caller) -> list[int]:
    """How many games each of them has."""
    return [await node.store.playing.count((await player_of(node, caller)).player) for caller in callers]


async def expect_game(caller: Caller, opponent: Guest, seek: str) -> None:
    """The caller is paired with the opponent."""
    paired = await caller.hears(Paired)
    assert paired.seek == seek
    room = await caller.ask(Join(id=0, room=paired.room))
    assert isinstance(room, Room)
    assert room.seat == paired.seat
    player = room.chairs[1 - paired.seat].player
    assert player is not None
    assert player.name == opponent.name
