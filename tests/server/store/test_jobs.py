"""The job queue: each job is done by one worker, and by another one if that worker dies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from redis.asyncio import Redis

from parlour.server.store.errors import StoreRefused
from parlour.server.store.jobs import ENQUEUE_ONCE_IN, Job, JobQueue
from parlour.server.store.pipeline import Pipeline
from tests.redis_client import client
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import WITHIN

TURN = Job("room01", 7)
NOON = 43_200_000


@pytest.fixture
async def blocking(valkey: str) -> AsyncIterator[Pipeline]:
    connected = Pipeline(valkey)
    await connected.open()
    yield connected
    await connected.close()


@pytest.fixture
async def workers(pipeline: Pipeline, blocking: Pipeline) -> tuple[JobQueue, JobQueue]:
    one, two = (JobQueue(pipeline, blocking, name, lambda: NOON) for name in ("one", "two"))
    await one.create_group()
    await two.create_group()
    return one, two


async def test_a_job_is_taken_once(workers: tuple[JobQueue, JobQueue]) -> None:
    """A turn that several nodes enqueue is taken by one worker."""
    one, two = workers
    await asyncio.gather(*(each.enqueue(TURN) for each in (one, two, one, two)))
    found = await asyncio.gather(one.take(50), two.take(50))

    assert [taken.job for taken in found if taken is not None] == [TURN]


async def test_a_job_can_return_to_the_queue(workers: tuple[JobQueue, JobQueue]) -> None:
    """Another worker takes a turn that was enqueued a moment ago."""
    one, two = workers
    await one.enqueue(TURN)
    taken = await one.take(50)
    assert taken is not None
    await one.requeue(taken.job)
    await one.complete(taken)
    again = await two.take(50)
    assert again is not None
    assert again.job == TURN


async def test_a_turn_is_enqueued_again_later(pipeline: Pipeline, blocking: Pipeline) -> None:
    """In case the job was lost, by the nodes' time and not by that of the store."""
    now = NOON
    queue = JobQueue(pipeline, blocking, "one", lambda: now)
    await queue.create_group()
    for _ in range(2):
        await queue.enqueue(TURN)
    now += ENQUEUE_ONCE_IN
    await queue.enqueue(TURN)
    found = [await queue.take(50) for _ in range(3)]

    assert [taken is not None for taken in found] == [True, True, False]


async def test_every_evaluation_is_requested(workers: tuple[JobQueue, JobQueue]) -> None:
    """Requests for the same position are separate jobs."""
    one, _ = workers
    for number in (1, 2):
        await one.enqueue(Job("room01", 7, "channel", number))
    found = [await one.take(50), await one.take(50)]

    assert [taken.job.number for taken in found if taken is not None] == [1, 2]


async def test_a_dead_worker_is_replaced(
    workers: tuple[JobQueue, JobQueue], pipeline: Pipeline, blocking: Pipeline
) -> None:
    """The unfinished job of a dead worker is taken over, but not too early; a completed job is not repeated."""
    one, two = workers
    await one.enqueue(TURN)
    await one.enqueue(Job("room02", 3))
    first, second = await one.take(50), await one.take(50)
    assert first is not None
    assert second is not None
    await one.complete(second)

    assert await two.take_over() is None  # the worker may still be busy with it
    late = JobQueue(pipeline, blocking, "late", lambda: NOON, abandoned_after=0)
    taken = await late.take_over()
    assert taken is not None
    assert taken.job == TURN
    await late.complete(taken)
    assert await late.take_over() is None


async def test_an_emptied_store(workers: tuple[JobQueue, JobQueue], redis: Redis) -> None:
    """Taking a job does not block without a limit, and recreates the consumer group if the store was emptied."""
    one, _ = workers
    assert await one.take(10) is None
    await redis.flushall()
    assert await one.take(10) is None
    await one.enqueue(TURN)
    taken = await one.take(50)

    assert taken is not None
    assert taken.job == TURN


async def test_a_store_that_becomes_a_replica(start_valkey: Callable[..., PrivateValkey]) -> None:
    """Taking a job fails instead of returning at once, so a worker pauses, and works again on a master."""
    server = start_valkey()
    operator, blocking, pipeline = client(server.url), Pipeline(server.url), Pipeline(server.url)
    await pipeline.open()
    await blocking.open()
    queue = JobQueue(pipeline, blocking, "one", lambda: NOON)
    await queue.create_group()
    await operator.replicaof("127.0.0.1", "1")
    with pytest.raises(StoreRefused, match=r"^READONLY"):
        await queue.take(10)
    with pytest.raises(StoreRefused, match=r"^READONLY"):
        await queue.take_over()
    await operator.replicaof("NO", "ONE")
    await asyncio.wait_for(blocking.ready(), WITHIN)
    assert await queue.take(10) is None
    await operator.aclose()
    for each in (blocking, pipeline):
        await each.close()
