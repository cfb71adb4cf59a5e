"""What the tests of matchmaking share."""

from __future__ import annotations

from parlour.protocol.messages import Join, Paired, Room
from parlour.protocol.types import Player, Terms
from parlour.server.rooms.events import Participant
from tests.server.running_node import Caller, RunningNode

ISAAC = Terms("isaac")


async def participant_of(node: RunningNode, caller: Caller) -> Participant:
    """Return a caller's player, as it is seated in rooms."""
    player = await node.store.players.find(caller.token)
    assert player is not None
    return Participant(player.id, Player(player.name, guest=True))


async def games_of(node: RunningNode, *callers: Caller) -> list[int]:
    """Return how many games each caller has."""
    return [await node.store.seats.count((await participant_of(node, caller)).id) for caller in callers]


async def expect_game(caller: Caller, opponent: Participant, seek: str) -> None:
    """Assert that the caller is paired with the opponent."""
    paired = await caller.hears(Paired)
    assert paired.seek == seek
    room = await caller.ask(Join(id=0, room=paired.room))
    assert isinstance(room, Room)
    assert room.seat == paired.seat
    assert room.players[1 - paired.seat].player == opponent.player
