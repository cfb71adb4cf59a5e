"""The job queue: each job is done by one worker, by another one if that dies, and every owner has a fair share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from redis.asyncio import Redis

from parlour.server.store.errors import StoreRefused
from parlour.server.store.jobs import Job, JobQueue
from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from tests.redis_client import client
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import WITHIN

TURN = Job("room01", 7)
NOON = 43_200_000

keys = Keys()


@pytest.fixture
async def blocking(valkey: str) -> AsyncIterator[Pipeline]:
    connected = Pipeline(valkey)
    await connected.open()
    yield connected
    await connected.close()


@pytest.fixture
def queue(pipeline: Pipeline, blocking: Pipeline) -> JobQueue:
    return JobQueue(pipeline, blocking, lambda: NOON)


async def all_jobs(queue: JobQueue) -> list[Job]:
    """Take and complete all jobs, and return them in their order."""
    found = []
    while (taken := await queue.take(10)) is not None:
        found.append(taken.job)
        await queue.complete(taken)
    return found


async def test_a_room_has_one_turn_in_the_queue(queue: JobQueue) -> None:
    """However many nodes ask for it, waiting or being done; the newest turn replaces an earlier one."""
    await asyncio.gather(*(queue.enqueue(TURN) for _ in range(4)))
    taken = await queue.take(50)
    assert taken is not None
    assert taken.job == TURN
    await queue.enqueue(TURN)
    assert await queue.take(10) is None
    for ply in (8, 9):
        await queue.enqueue(Job(TURN.room, ply))
    await queue.complete(taken)
    assert await all_jobs(queue) == [Job(TURN.room, 9)]


async def test_the_next_turn_can_be_taken_before_the_last_one_is_completed(queue: JobQueue) -> None:
    """A worker that completes a turn late does not remove the next one, which another worker does."""
    await queue.enqueue(TURN)
    first = await queue.take(50)
    await queue.enqueue(Job(TURN.room, 8))
    second = await queue.take(50)
    assert first is not None
    assert second is not None
    await queue.complete(first)
    await queue.enqueue(second.job)
    assert await queue.take(10) is None  # it is still being done


async def test_owners_take_turns(queue: JobQueue) -> None:
    """A job of a player who has asked for little comes before the long list of another, and so for addresses."""
    many = [Job(f"room-{number}", 1) for number in range(4)]
    for job in many:
        await queue.enqueue(job, ("player:eve", "address:1"))
    crowd = [Job(f"crowd-{number}", 1) for number in range(2)]
    for number, job in enumerate(crowd):
        await queue.enqueue(job, (f"player:{number}", "address:1"))
    await queue.enqueue(TURN, ("player:ada", "address:2"))
    taken = await queue.take(50)
    assert taken is not None
    assert (taken.job, taken.waiting) == (many[0], 6)
    assert (await all_jobs(queue))[0] == TURN


async def test_a_share_recovers(pipeline: Pipeline, blocking: Pipeline, redis: Redis) -> None:
    """Who has waited long enough is as good as new, and takes no room in the store."""
    now = NOON
    queue = JobQueue(pipeline, blocking, lambda: now)
    for number in range(3):
        await queue.enqueue(Job(f"room-{number}", 1), ("player:eve",))
    now += 10_000
    await queue.enqueue(TURN, ("player:ada",))
    assert await redis.zrange(keys.job_shares, 0, -1) == [b"player:ada"]


async def test_every_evaluation_is_requested(queue: JobQueue) -> None:
    """Requests for the same position are separate jobs."""
    for number in (1, 2):
        await queue.enqueue(Job("room01", 7, "channel", number))
    assert [job.number for job in await all_jobs(queue)] == [1, 2]


async def test_an_abandoned_request_is_dropped(queue: JobQueue, redis: Redis) -> None:
    """No worker is given a request whose time has passed."""
    await queue.enqueue(Job("room01", 7, "channel", 1, NOON))
    await queue.enqueue(Job("room01", 7, "channel", 2, NOON + 1))
    assert [job.number for job in await all_jobs(queue)] == [2]
    assert await redis.keys("*jobs*") in ([], [keys.job_signals.encode()])


async def test_a_job_can_return_to_the_queue(queue: JobQueue) -> None:
    """Another worker takes a job that one could not do."""
    await queue.enqueue(TURN)
    taken = await queue.take(50)
    assert taken is not None
    await queue.requeue(taken)
    assert await all_jobs(queue) == [TURN]


async def test_a_dead_worker_is_replaced(pipeline: Pipeline, blocking: Pipeline) -> None:
    """The unfinished job of a dead worker is taken over, but not too early; a completed job is not repeated."""
    now = NOON
    queue = JobQueue(pipeline, blocking, lambda: now, abandoned_after=6_000)
    await queue.enqueue(TURN)
    await queue.enqueue(Job("room02", 3))
    first, second = await queue.take(50), await queue.take(50)
    assert first is not None
    assert second is not None
    await queue.complete(second)
    now += 5_999
    assert await queue.take(10) is None  # the worker may still be busy with it
    await queue.keep(first, 500)
    now += 6_499
    assert await queue.take(10) is None
    now += 1
    assert await all_jobs(queue) == [TURN]


async def test_the_queue_is_bounded(pipeline: Pipeline, blocking: Pipeline, redis: Redis) -> None:
    """When it is full, the job that would have to wait longest is dropped."""
    queue = JobQueue(pipeline, blocking, lambda: NOON, max_length=3)
    for number in range(5):
        await queue.enqueue(Job(f"room-{number}", 1), ("player:eve",))
    await queue.enqueue(TURN, ("player:ada",))
    assert await redis.llen(keys.job_signals) == await redis.hlen(keys.job_data) == 3
    assert {job.room for job in await all_jobs(queue)} == {"room-0", "room-1", TURN.room}


async def test_a_worker_is_woken(queue: JobQueue, redis: Redis) -> None:
    """A worker that waits takes a job as soon as there is one, also after the store was emptied."""
    assert await queue.take(10) is None
    await redis.flushall()
    waiting = asyncio.create_task(queue.take(60_000))
    await queue.enqueue(TURN)
    async with asyncio.timeout(WITHIN):
        taken = await waiting
    assert taken is not None
    assert taken.job == TURN


async def test_a_store_that_becomes_a_replica(start_valkey: Callable[..., PrivateValkey]) -> None:
    """Taking a job fails instead of returning at once, so a worker pauses, and works again on a master."""
    server = start_valkey()
    operator, blocking, pipeline = client(server.url), Pipeline(server.url), Pipeline(server.url)
    await pipeline.open()
    await blocking.open()
    queue = JobQueue(pipeline, blocking, lambda: NOON)
    await operator.replicaof("127.0.0.1", "1")
    with pytest.raises(StoreRefused, match="READONLY"):
        await queue.take(10)
    await operator.replicaof("NO", "ONE")
    await asyncio.wait_for(blocking.ready(), WITHIN)
    assert await queue.take(10) is None
    await operator.aclose()
    for each in (blocking, pipeline):
        await each.close()
