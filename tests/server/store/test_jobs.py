"""Jobs: each is done by one worker, and by another one if that dies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from parlour.server.store import jobs as store
from parlour.server.store.connection import blocking_client
from parlour.server.store.jobs import Job, Jobs

TURN = Job("room01", 7)


@pytest.fixture
async def waiting(valkey: str) -> AsyncIterator[Redis]:
    connected = blocking_client(valkey)
    yield connected
    await connected.aclose()


@pytest.fixture
async def workers(redis: Redis, waiting: Redis) -> tuple[Jobs, Jobs]:
    one, two = Jobs(redis, waiting, "one"), Jobs(redis, waiting, "two")
    await one.begin()
    await two.begin()
    return one, two


async def test_a_job_is_taken_once(workers: tuple[Jobs, Jobs]) -> None:
    """By whoever is first, however many nodes have asked for the same turn."""
    one, two = workers
    await asyncio.gather(*(each.ask(TURN) for each in (one, two, one, two)))
    found = await asyncio.gather(one.take(50), two.take(50))

    assert [taken.job for taken in found if taken is not None] == [TURN]


async def test_questions_are_all_asked(workers: tuple[Jobs, Jobs]) -> None:
    """Two people may want to know the same."""
    one, _ = workers
    for number in (1, 2):
        await one.ask(Job("room01", 7, "channel", number))
    found = [await one.take(50), await one.take(50)]

    assert [taken.job.number for taken in found if taken is not None] == [1, 2]


async def test_a_dead_worker_is_replaced(workers: tuple[Jobs, Jobs], monkeypatch: pytest.MonkeyPatch) -> None:
    """What it had taken and not done is taken over, but not too early; what was done is not done again."""
    one, two = workers
    await one.ask(TURN)
    await one.ask(Job("room02", 3))
    first, second = await one.take(50), await one.take(50)
    assert first is not None
    assert second is not None
    await one.done(second)

    assert await two.take_over() is None  # it may still be thinking
    monkeypatch.setattr(store, "ABANDONED", 0)
    taken = await two.take_over()
    assert taken is not None
    assert taken.job == TURN
    await two.done(taken)
    assert await one.take_over() is None


async def test_work_begins_before_there_is_any(workers: tuple[Jobs, Jobs], redis: Redis) -> None:
    """Nobody waits for ever, and a store that was emptied is set up again."""
    one, _ = workers
    assert await one.take(10) is None
    await redis.flushall()
    assert await one.take(10) is None
    await one.ask(TURN)
    taken = await one.take(50)

    assert taken is not None
    assert taken.job == TURN
