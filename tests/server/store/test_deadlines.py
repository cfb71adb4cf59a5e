"""Deadlines: which rooms are due, which node gets them, and that none is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from parlour.server.store.deadlines import CLAIM_TTL, Deadlines
from parlour.server.store.keys import DEADLINE_SHARDS, deadline_shard
from parlour.server.store.pipeline import Pipeline


@pytest.fixture
async def deadlines(valkey: str, redis: Redis) -> AsyncIterator[Deadlines]:
    pipeline = Pipeline(valkey)
    await pipeline.open()
    yield Deadlines(pipeline)
    await pipeline.close()


async def test_due_rooms(deadlines: Deadlines) -> None:
    """Rooms are due from their time on, in each shard earliest first, and at most as many as requested."""
    early, middle, late = [room for room in map(str, range(100)) if deadline_shard(room) == 5][:3]
    for room, at in ((late, 300), (early, 100), (middle, 200)):
        deadlines.set(room, at)
    assert await deadlines.claim_due(99, 10) == []
    assert await deadlines.claim_due(250, 1) == [early]
    assert await deadlines.claim_due(250, 10) == [middle]
    assert await deadlines.claim_due(300, 10) == [late]


async def test_every_room_is_found(deadlines: Deadlines) -> None:
    """A sweep asks all shards, and each room is in one of them."""
    rooms = [f"room {number}" for number in range(200)]
    assert {deadline_shard(room) for room in rooms} == set(range(DEADLINE_SHARDS))
    for room in rooms:
        deadlines.set(room, 100)
    assert sorted(await deadlines.claim_due(100, 200)) == sorted(rooms)


async def test_a_deadline_is_never_postponed(deadlines: Deadlines) -> None:
    """Setting a deadline again makes it earlier or leaves it unchanged."""
    deadlines.set("r", 200)
    deadlines.set("r", 300)
    assert await deadlines.claim_due(200, 10) == ["r"]
    deadlines.settle("r", 500)
    deadlines.set("r", 400)
    assert await deadlines.claim_due(400, 10) == ["r"]


async def test_one_node_at_a_time(deadlines: Deadlines) -> None:
    """A claimed room is not given to other nodes until the claim expires."""
    deadlines.set("r", 100)
    assert await deadlines.claim_due(100, 10) == ["r"]
    assert await deadlines.claim_due(100 + CLAIM_TTL - 1, 10) == []
    assert await deadlines.claim_due(100 + CLAIM_TTL, 10) == ["r"]
    deadlines.settle("r", None)
    assert await deadlines.claim_due(10**12, 10) == []


async def test_a_deadline_set_during_a_claim(deadlines: Deadlines) -> None:
    """A deadline that is set while a node checks the room is kept, whatever that node settles on."""
    for found in (None, 900):
        deadlines.set("r", 100)
        assert await deadlines.claim_due(100, 10) == ["r"]
        deadlines.set("r", 700)  # by another node, earlier than what the first one settles on
        deadlines.settle("r", found)
        assert await deadlines.claim_due(699, 10) == []
        assert await deadlines.claim_due(700, 10) == ["r"]
        deadlines.clear("r")


async def test_clearing(deadlines: Deadlines) -> None:
    """A cleared room is not due any more, even if it was claimed."""
    deadlines.set("r", 100)
    deadlines.clear("r")
    assert await deadlines.claim_due(100, 10) == []
    deadlines.set("r", 100)
    assert await deadlines.claim_due(100, 10) == ["r"]
    deadlines.clear("r")
    assert await deadlines.claim_due(10**12, 10) == []


async def test_due_while_a_claim_expires(deadlines: Deadlines) -> None:
    """A room that is due while its claim expires is returned once."""
    deadlines.set("r", 100)
    assert await deadlines.claim_due(100, 10) == ["r"]
    deadlines.set("r", 200)
    assert await deadlines.claim_due(100 + CLAIM_TTL, 10) == ["r"]


async def test_many_nodes_sweep(valkey: str, deadlines: Deadlines) -> None:
    """When several nodes claim at once, each room goes to exactly one of them."""
    rooms = [f"r{n}" for n in range(500)]
    for n, room in enumerate(rooms):
        deadlines.set(room, n)
    await deadlines.claim_due(-1, 1)
    pipelines = [Pipeline(valkey) for _ in range(4)]
    for pipeline in pipelines:
        await pipeline.open()

    async def sweep(pipeline: Pipeline) -> list[str]:
        claimed: list[str] = []
        node = Deadlines(pipeline)
        while rooms_due := await node.claim_due(1000, 7):
            claimed += rooms_due
        return claimed

    claims = await asyncio.gather(*(sweep(pipeline) for pipeline in pipelines))
    assert sorted(room for claim in claims for room in claim) == sorted(rooms)
    for pipeline in pipelines:
        await pipeline.close()
