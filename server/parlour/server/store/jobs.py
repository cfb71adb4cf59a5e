"""Jobs for bot workers: any free worker takes the next one from a stream, or takes over that of a dead worker."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import Struct

from parlour.server.store.errors import StoreRefused
from parlour.server.store.pipeline import Pipeline

GROUP = "workers"
# A job that is not done after this time belongs to a worker that died: no search takes longer than two seconds.
ABANDONED_AFTER = 6_000  # milliseconds
# The same turn is enqueued only once in each such period, however many nodes see that it is the bot's. The periods are
# counted in Parlour's time: a key that expires by the clock of a store outlives its time if that clock is set back.
ENQUEUE_ONCE_IN = 5_000  # milliseconds
MAX_LENGTH = 10_000  # jobs beyond this are dropped, oldest first


class Job(Struct, frozen=True, array_like=True):
    """A turn to play in a room, or a position to evaluate."""

    room: str
    ply: int
    reply_to: str = ""  # the channel of the node that wants an evaluation; empty: play the turn
    number: int = 0  # identifies the request on that node


class TakenJob(Struct, frozen=True):
    """A job that this worker has to do now."""

    id: bytes
    job: Job


class JobQueue:
    """The stream of jobs. Every method is idempotent and raises StoreUnavailable."""

    def __init__(
        self,
        pipeline: Pipeline,
        blocking: Pipeline,
        worker: str,
        now: Callable[[], int],
        *,
        abandoned_after: int = ABANDONED_AFTER,
    ) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        self._blocking = blocking  # for `take`, which waits, and for what has to happen on the same server
        self._worker = worker
        self._now = now
        self._abandoned_after = abandoned_after
        self._scan_from = b"0-0"  # how far the search for abandoned jobs has come

    async def enqueue(self, job: Job) -> None:
        """Add a job, unless it is a turn that was enqueued a moment ago."""
        if not job.reply_to:
            key = self._keys.enqueued(job.room, job.ply, self._now() // ENQUEUE_ONCE_IN)
            if not await self._pipeline.call(b"SET", key, b"1", b"NX", b"PX", ENQUEUE_ONCE_IN):
                return
        await self.requeue(job)

    async def requeue(self, job: Job) -> None:
        """Add a job that was taken, for another worker."""
        packed = msgspec.msgpack.encode(job)
        await self._pipeline.call(b"XADD", self._keys.jobs, b"MAXLEN", b"~", MAX_LENGTH, b"*", b"job", packed)

    async def create_group(self) -> None:
        """Create the consumer group of the workers, if it does not exist."""
        try:
            await self._blocking.call(b"XGROUP", b"CREATE", self._keys.jobs, GROUP, b"0", b"MKSTREAM")
        except StoreRefused as refused:
            if not str(refused).startswith("BUSYGROUP"):
                raise

    async def take(self, within: int) -> TakenJob | None:
        """Return the next job, or None if there is none for `within` milliseconds."""
        group = (b"GROUP", GROUP, self._worker)
        command = (b"XREADGROUP", *group, b"COUNT", 1, b"BLOCK", within, b"STREAMS", self._keys.jobs, b">")
        try:
            found = await self._blocking.call(*command)
        except StoreRefused as refused:
            if str(refused).startswith("NOGROUP"):  # the first worker on this store, or the store was emptied
                await self.create_group()
                return None
            self._blocking.reconnect()  # the address may lead to another server now
            raise
        for _, entries in found or ():
            for id, fields in entries:
                return TakenJob(id, _unpack(fields[1]))
        return None

    async def take_over(self) -> TakenJob | None:
        """Return an abandoned job of a worker that died, or None."""
        try:
            which = (self._abandoned_after, self._scan_from, b"COUNT", 1)
            claimed = await self._pipeline.call(b"XAUTOCLAIM", self._keys.jobs, GROUP, self._worker, *which)
            self._scan_from, entries, *_ = claimed
        except StoreRefused as refused:
            if not str(refused).startswith("NOGROUP"):
                raise
            return None  # `take` creates the group
        for id, fields in entries:
            return TakenJob(id, _unpack(fields[1]))
        return None

    async def length(self) -> int:
        """Return how many jobs are not done: those that wait, and those that a worker has taken."""
        length: int = await self._pipeline.call(b"XLEN", self._keys.jobs)
        return length

    async def complete(self, taken: TakenJob) -> None:
        """Remove a job that is done."""
        await self._pipeline.call_all((b"XACK", self._keys.jobs, GROUP, taken.id), (b"XDEL", self._keys.jobs, taken.id))


def _unpack(packed: bytes) -> Job:
    return msgspec.msgpack.decode(packed, type=Job)
