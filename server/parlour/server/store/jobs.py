"""Jobs for bot workers: a fair queue in the store, from which any free worker takes the next job.

A room has one turn in the queue, however often it is requested. Every owner of a job (a player, an address) has a share
of the workers' time: a job is placed after the earlier jobs of its owners, so no owner waits for the long list of
another. A worker that does not complete a job in time is presumed dead, and another one takes the job over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct

from parlour.protocol.types import OptionValue
from parlour.server.store.errors import StoreRefused
from parlour.server.store.pipeline import Pipeline, script
from parlour.server.store.resp import Arg

SCRIPTS = ENQUEUE, TAKE, COMPLETE = tuple(script(name) for name in ("enqueue_job", "take_job", "complete_job"))

# The worker of a job that is not done after this time has died: no search takes longer than two seconds.
ABANDONED_AFTER = 6_000  # milliseconds
MAX_LENGTH = 10_000  # jobs; beyond it, those that would wait longest are dropped
TURN_COST, EVALUATION_COST = 500, 1_000  # about this many milliseconds of an engine


class Line(Struct, frozen=True, array_like=True):
    """A position outside rooms, given by a first position and the moves from there."""

    game: str
    options: dict[str, OptionValue]
    position: str | None  # None: the first position of the game
    moves: tuple[str, ...]


class Job(Struct, frozen=True, array_like=True):
    """A turn to play in a room, or a position to evaluate."""

    room: str
    ply: int
    reply_to: str = ""  # the channel of the node that wants an evaluation; empty: play the turn
    number: int = 0  # identifies the request on that node
    until: int = 0  # when the request is abandoned, in Parlour's time; 0: never
    line: Line | None = None  # the position to evaluate, if it is not in a room

    @property
    def id(self) -> str:
        """The id of the job in the queue, which has at most one turn of each room."""
        return f"{self.reply_to} {self.number}" if self.reply_to else self.room


class TakenJob(Struct, frozen=True):
    """A job that this worker has taken."""

    job: Job
    waiting: int = 0  # how many more wait


class JobQueue:
    """The queue. Every method is idempotent and raises StoreUnavailable."""

    def __init__(
        self,
        pipeline: Pipeline,
        blocking: Pipeline,
        now: Callable[[], int],
        *,
        abandoned_after: int = ABANDONED_AFTER,
        max_length: int = MAX_LENGTH,
    ) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        self._blocking = blocking  # a separate connection, so that waiting for jobs does not hold up other commands
        self._now = now
        self._abandoned_after = abandoned_after
        self._max_length = max_length
        for each in SCRIPTS:
            pipeline.load(each)

    async def enqueue(self, job: Job, owners: Sequence[str] = ()) -> None:
        """Add a job, unless it is waiting or taken; a later turn of a room replaces an earlier one."""
        cost = EVALUATION_COST if job.reply_to else TURN_COST
        keys = self._keys
        script_keys = (keys.jobs, keys.job_data, keys.taken_job_data, keys.job_shares, keys.job_signals)
        args: tuple[Arg, ...] = (job.id, msgspec.msgpack.encode(job), self._now(), cost, self._max_length, *owners)
        await self._pipeline.call_script(ENQUEUE, len(script_keys), *script_keys, *args)

    async def take(self, within: int) -> TakenJob | None:
        """Return the next job, or None if there is none for `within` milliseconds."""
        taken = await self._take()
        if taken is not None:
            return taken
        try:
            await self._blocking.call(b"BLPOP", self._keys.job_signals, f"{within / 1000:.3f}")
        except StoreRefused:
            self._blocking.reconnect()  # the address may lead to another server now
            raise
        return await self._take()

    async def _take(self) -> TakenJob | None:
        keys = self._keys
        script_keys = (keys.jobs, keys.job_data, keys.taken_jobs, keys.taken_job_data)
        while True:
            now = self._now()
            args = (now, now + self._abandoned_after)
            found = await self._pipeline.call_script(TAKE, len(script_keys), *script_keys, *args)
            if found is None:
                return None
            taken = TakenJob(msgspec.msgpack.decode(found[0], type=Job), found[1])
            if not taken.job.until or now < taken.job.until:
                return taken
            await self.complete(taken)  # the request was abandoned

    async def keep(self, taken: TakenJob, milliseconds: int) -> None:
        """Extend the time of a job, which its worker will complete only later."""
        until = self._now() + milliseconds + self._abandoned_after
        await self._pipeline.call(b"ZADD", self._keys.taken_jobs, b"XX", until, taken.job.id)

    async def requeue(self, taken: TakenJob) -> None:
        """Return a job to the queue, for another worker."""
        await self.complete(taken)
        await self.enqueue(taken.job)

    async def length(self) -> int:
        """Return how many jobs are not done: those waiting and those taken."""
        waiting, taken = await self._pipeline.call_all((b"ZCARD", self._keys.jobs), (b"ZCARD", self._keys.taken_jobs))
        return int(waiting) + int(taken)

    async def complete(self, taken: TakenJob) -> None:
        """Remove a job that is done, unless a later turn of its room has been taken since."""
        script_keys = (self._keys.taken_jobs, self._keys.taken_job_data)
        args = (taken.job.id, msgspec.msgpack.encode(taken.job))
        await self._pipeline.call_script(COMPLETE, len(script_keys), *script_keys, *args)
