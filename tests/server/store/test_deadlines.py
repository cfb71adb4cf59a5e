"""Deadlines: what is due, who gets it, and that none is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from parlour.server.store.deadlines import CLAIMED_FOR, Deadlines
from parlour.server.store.pipe import Pipe


@pytest.fixture
async def deadlines(valkey: str, redis: Redis) -> AsyncIterator[Deadlines]:
    pipe = Pipe(valkey)
    await pipe.open()
    yield Deadlines(pipe)
    await pipe.close()


async def test_what_is_due(deadlines: Deadlines) -> None:
    """Rooms are due from their time on, the earliest first, and only as many as asked for."""
    for room, at in (("late", 300), ("early", 100), ("middle", 200)):
        deadlines.set(room, at)
    assert await deadlines.due(99, 10) == []
    assert await deadlines.due(250, 1) == ["early"]
    assert await deadlines.due(250, 10) == ["middle"]
    assert await deadlines.due(300, 10) == ["late"]


async def test_never_later(deadlines: Deadlines) -> None:
    """To set a deadline again makes it earlier or leaves it."""
    deadlines.set("r", 200)
    deadlines.set("r", 300)
    assert await deadlines.due(200, 10) == ["r"]
    deadlines.settle("r", 500)
    deadlines.set("r", 400)
    assert await deadlines.due(400, 10) == ["r"]


async def test_one_node_at_a_time(deadlines: Deadlines) -> None:
    """A room that somebody looks into is not given to others, until that takes too long."""
    deadlines.set("r", 100)
    assert await deadlines.due(100, 10) == ["r"]
    assert await deadlines.due(100 + CLAIMED_FOR - 1, 10) == []
    assert await deadlines.due(100 + CLAIMED_FOR, 10) == ["r"]
    deadlines.settle("r", None)
    assert await deadlines.due(10**12, 10) == []


async def test_set_while_somebody_looks(deadlines: Deadlines) -> None:
    """A deadline set while a node looks into the room is kept, whatever that node makes of what it saw."""
    for found in (None, 900):
        deadlines.set("r", 100)
        assert await deadlines.due(100, 10) == ["r"]
        deadlines.set("r", 700)  # another node appends, later than the claim and earlier than what the first one saw
        deadlines.settle("r", found)
        assert await deadlines.due(699, 10) == []
        assert await deadlines.due(700, 10) == ["r"]
        deadlines.clear("r")


async def test_cleared(deadlines: Deadlines) -> None:
    """A room that is cleared is not due any more, even if somebody looks into it."""
    deadlines.set("r", 100)
    deadlines.clear("r")
    assert await deadlines.due(100, 10) == []
    deadlines.set("r", 100)
    assert await deadlines.due(100, 10) == ["r"]
    deadlines.clear("r")
    assert await deadlines.due(10**12, 10) == []


async def test_due_and_overdue_at_once(deadlines: Deadlines) -> None:
    """A room that is due while a claim on it runs out is given once."""
    deadlines.set("r", 100)
    assert await deadlines.due(100, 10) == ["r"]
    deadlines.set("r", 200)
    assert await deadlines.due(100 + CLAIMED_FOR, 10) == ["r"]


async def test_many_nodes_sweep(valkey: str, deadlines: Deadlines) -> None:
    """When several nodes sweep at once every room goes to exactly one of them."""
    rooms = [f"r{n}" for n in range(500)]
    for n, room in enumerate(rooms):
        deadlines.set(room, n)
    await deadlines.due(-1, 1)
    pipes = [Pipe(valkey) for _ in range(4)]
    for pipe in pipes:
        await pipe.open()

    async def sweep(pipe: Pipe) -> list[str]:
        got: list[str] = []
        node = Deadlines(pipe)
        while some := await node.due(1000, 7):
            got += some
        return got

    shares = await asyncio.gather(*(sweep(pipe) for pipe in pipes))
    assert sorted(room for share in shares for room in share) == sorted(rooms)
    for pipe in pipes:
        await pipe.close()
