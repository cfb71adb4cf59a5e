"""Sessions join, resume and leave rooms; a room takes a limited number of spectators."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from parlour.protocol.messages import Choices, Explore, Join, Leave, Offer, Ok, Room, RoomEvent, Sync
from parlour.protocol.types import Terms
from parlour.server.rooms.view import EPOCH
from tests.server.running_node import RunningNode, running_node

ISAAC = Terms("isaac")


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey, spectators_per_room=2) as running:
        yield running


async def test_joining_sends_the_whole_room_and_its_updates(node: RunningNode) -> None:
    """The snapshot has the id of the command."""
    ada, ben, eve = await node.call(), await node.call(), await node.call()
    room = await node.table(ISAAC, ada, ben)
    joined = await eve.ask(Join(id=0, room=room), id=9)
    assert isinstance(joined, Room)
    assert (joined.id, joined.seat) == (9, None)
    await ada.ask(Offer(id=0, room=room, kind="draw"))
    assert (await eve.hears(RoomEvent)).seq == joined.seq + 1


async def test_leaving_ends_the_updates(node: RunningNode) -> None:
    """Leaving a room twice is no error."""
    ada, ben, eve = await node.call(), await node.call(), await node.call()
    room = await node.table(ISAAC, ada, ben)
    await eve.ask(Join(id=0, room=room))
    for _ in range(2):
        assert isinstance(await eve.ask(Leave(id=0, room=room)), Ok)
    await ada.ask(Offer(id=0, room=room, kind="draw"))
    await ben.hears(RoomEvent)
    assert isinstance(await eve.ask(Leave(id=0, room=room)), Ok)
    assert eve.has_heard(RoomEvent) == []


async def test_a_room_takes_a_limited_number_of_spectators(node: RunningNode) -> None:
    """A spectator over the limit is refused until another one leaves; players can always join."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(ISAAC, ada, ben)
    first, second, third = await node.call(), await node.call(), await node.call()
    for spectator in (first, second):
        assert isinstance(await spectator.ask(Join(id=0, room=room)), Room)
    assert await third.code(Join(id=0, room=room)) == "room_full"
    assert isinstance(await first.ask(Join(id=0, room=room)), Room)
    assert isinstance(await (await node.call(ada.token)).ask(Join(id=0, room=room)), Room)
    await first.ask(Leave(id=0, room=room))
    assert isinstance(await third.ask(Join(id=0, room=room)), Room)


async def test_slow_commands_are_answered_in_order(node: RunningNode) -> None:
    """Sync and explore wait until the event loop is idle, but not for later commands."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(ISAAC, ada, ben)
    await ada.send(Explore(id=101, room=room, ply=0, picks=()))
    await ada.send(Sync(id=102, room=room, epoch=EPOCH + 1, seq=0))
    assert (await ada.hears(Choices, lambda choices: choices.id is not None)).id == 101
    assert (await ada.hears(Room, lambda sent: sent.id == 102)).room == room


async def test_a_slow_command_after_leaving_is_refused(node: RunningNode) -> None:
    """The room is left before the command runs."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(ISAAC, ada, ben)
    await ada.send(Leave(id=103, room=room))
    assert await ada.code(Sync(id=0, room=room, epoch=EPOCH, seq=0)) == "not_in_room"
