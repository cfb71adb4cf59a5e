"""Which node serves a player, as the nodes themselves have recorded it."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from parlour.server.outages import SeatNode
from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.room_log import RoomLog
from parlour.server.store.seat_nodes import SeatNodeStore

keys = Keys()

ROOM = "ABCDEF"


@pytest.fixture(autouse=True)
async def room(pipeline: Pipeline) -> None:
    """A room that exists."""
    await RoomLog(pipeline, "one").create(ROOM, [b"created"])


async def test_nodes_are_recorded_in_turn(pipeline: Pipeline) -> None:
    """The node that serves a player is known, and the one before with the time of the change."""
    one, two = SeatNodeStore(pipeline, "one"), SeatNodeStore(pipeline, "two")
    assert await one.read(ROOM, "ada", "bob") == (SeatNode(), SeatNode())
    one.record(ROOM, "ada", is_here=True, now=100)
    assert await one.read(ROOM, "ada", "bob") == (SeatNode("one", "", 100), SeatNode())
    two.record(ROOM, "ada", is_here=True, now=200)
    two.record(ROOM, "ada", is_here=True, now=300)  # a second connection changes nothing
    assert (await one.read(ROOM, "ada", "bob"))[0] == SeatNode("two", "one", 200)


async def test_a_player_who_has_left_is_on_no_node(pipeline: Pipeline) -> None:
    """Only the node that serves the player can say so: one that lost it earlier says so too late."""
    one, two = SeatNodeStore(pipeline, "one"), SeatNodeStore(pipeline, "two")
    one.record(ROOM, "ada", is_here=True, now=100)
    two.record(ROOM, "ada", is_here=True, now=200)
    one.record(ROOM, "ada", is_here=False, now=300)
    assert (await one.read(ROOM, "ada", "bob"))[0] == SeatNode("two", "one", 200)
    two.record(ROOM, "ada", is_here=False, now=400)
    assert (await one.read(ROOM, "ada", "bob"))[0] == SeatNode("", "two", 400)


async def test_it_does_not_outlive_the_log(pipeline: Pipeline, redis: Redis) -> None:
    """The record expires with the room's log."""
    store = SeatNodeStore(pipeline, "one")
    store.record(ROOM, "ada", is_here=True, now=100)
    await store.read(ROOM, "ada", "bob")
    assert 0 < await redis.pexpiretime(keys.seat_nodes(ROOM)) <= await redis.pexpiretime(keys.log(ROOM))
