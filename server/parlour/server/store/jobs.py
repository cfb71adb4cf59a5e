"""Work for the computer: a stream of jobs that whatever worker is free takes, and takes over from one that died."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct
from redis.asyncio import Redis
from redis.exceptions import ResponseError

from parlour.server.store import keys

GROUP = "workers"
# A job that nobody has finished after so long belongs to a worker that died. Nobody thinks for longer than two seconds.
ABANDONED = 6_000  # milliseconds
# The same turn is asked for only once in this time, however many nodes see that it is the computer's.
ASKED_FOR = 5  # seconds
# Jobs that nobody takes are not kept for ever.
LONGEST = 10_000


class Job(Struct, frozen=True, array_like=True):
    """Something to think about: the turn of a room, or what is thought of one of its positions."""

    room: str
    ply: int
    answer_to: str = ""  # the channel of a node that wants an opinion; empty: the move is to be made
    number: int = 0  # of the question on that node


class Taken(Struct, frozen=True):
    """A job that this worker has now."""

    id: bytes
    job: Job


class Jobs:
    """The stream of jobs. Every method may be repeated without harm."""

    def __init__(self, redis: Redis, waiting: Redis, worker: str) -> None:
        """`waiting` is a client whose commands may take long."""
        self._redis = redis
        self._waiting = waiting
        self._worker = worker
        self._last = b"0-0"  # how far the search for abandoned jobs has come

    async def ask(self, job: Job) -> None:
        """Have it done by somebody. A turn that was asked for a moment ago is not asked for again."""
        if not job.answer_to:
            once = keys.asked(job.room, job.ply)
            if not await self._redis.set(once, b"1", nx=True, ex=ASKED_FOR):
                return
        await self._redis.xadd(keys.JOBS, {b"job": msgspec.msgpack.encode(job)}, maxlen=LONGEST, approximate=True)

    async def begin(self) -> None:
        """Make the group of workers, if nobody has done so."""
        with suppress(ResponseError):  # it is there already
            await self._redis.xgroup_create(keys.JOBS, GROUP, id="0", mkstream=True)

    async def take(self, within: int) -> Taken | None:
        """The next job, or None if there is none for so many milliseconds."""
        try:
            found: Any = await self._waiting.xreadgroup(GROUP, self._worker, {keys.JOBS: ">"}, count=1, block=within)
        except ResponseError:  # the store was emptied
            await self.begin()
            return None
        for entries in found.values():
            for id, fields in entries:
                return _taken(id, fields)
        return None

    async def take_over(self) -> Taken | None:
        """A job of a worker that died, if there is one."""
        with suppress(ResponseError):
            self._last, entries, *_ = await self._redis.xautoclaim(
                keys.JOBS, GROUP, self._worker, ABANDONED, start_id=self._last, count=1
            )
            for id, fields in entries:
                return _taken(id, fields)
        return None

    async def done(self, taken: Taken) -> None:
        """Nobody else has to do it."""
        await self._redis.xack(keys.JOBS, GROUP, taken.id)
        await self._redis.xdel(keys.JOBS, taken.id)


def _taken(id: bytes, fields: dict[bytes, bytes]) -> Taken:
    return Taken(id, msgspec.msgpack.decode(fields[b"job"], type=Job))
