"""Bot workers: take jobs, have an engine search, and play the move or send the evaluation.

When many jobs wait, each gets less time rather than no answer.

Every node runs a worker unless that is switched off, and `parlour worker` runs one alone. When a worker dies,
another one takes over its jobs.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from time import monotonic

import msgspec

from parlour.bots.engine import Answer, Request
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Play
from parlour.server.bots.engine_pool import EngineFailed, EnginePool
from parlour.server.bots.evaluation import Evaluation
from parlour.server.bots.pacing import Pace, share, time_budget
from parlour.server.metrics import JobOutcome, Metrics
from parlour.server.rooms.commands import Events, decide
from parlour.server.rooms.registry import RoomRegistry
from parlour.server.rooms.room import Room
from parlour.server.rooms.state import RoomState
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.jobs import JobQueue, Line, TakenJob

logger = logging.getLogger(__name__)

WAIT = 1_000  # milliseconds for a new job; then the worker looks for jobs of dead workers
PAUSE = 1.0  # seconds after an error
WATCH_EVERY = 1.0  # seconds between two measurements of the queue
EVALUATION_TIME = 1.0  # seconds of search

encode = msgspec.msgpack.Encoder().encode


class Worker:
    """Does as many jobs at a time as there are engines."""

    def __init__(
        self,
        registry: RoomRegistry,
        jobs: JobQueue,
        engines: EnginePool,
        publish: Callable[[str, bytes], None],
        now: Callable[[], int],
        pace: Pace,
        report: Callable[[Exception], None],
        metrics: Metrics,
    ) -> None:
        """`report` is called with the errors of the store."""
        self._registry = registry
        self._jobs = jobs
        self._engines = engines
        self._publish = publish
        self._now = now
        self._pace = pace
        self._report = report
        self._metrics = metrics

    async def run(self) -> None:
        """Take and do jobs until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._watch_queue())
            for _ in range(self._engines.count):
                group.create_task(self._work(group))

    async def _work(self, group: asyncio.TaskGroup) -> None:
        while True:
            try:
                taken = await self._jobs.take(WAIT)
                if taken is not None:
                    await self._do_counted(taken, group)
            except StoreUnavailable as error:
                self._report(error)
                await asyncio.sleep(PAUSE)

    async def _watch_queue(self) -> None:
        while True:
            with suppress(StoreUnavailable):
                self._metrics.jobs_queued = await self._jobs.length()
            await asyncio.sleep(WATCH_EVERY)

    async def _do_counted(self, taken: TakenJob, group: asyncio.TaskGroup) -> None:
        """Do a job, count it, and log its failure: another attempt follows some seconds later."""
        context = {"room": taken.job.room}
        metrics, started, outcome = self._metrics, monotonic(), JobOutcome.FAILED
        metrics.jobs_running += 1
        try:
            outcome = await self._do(taken, group)
        except StoreUnavailable:
            raise
        except EngineFailed as failure:
            logger.error("an engine failed: %s", failure, extra=context)
            await asyncio.sleep(PAUSE)
        except Exception:
            logger.exception("a bot's job failed", extra=context)
            await asyncio.sleep(PAUSE)
        finally:
            metrics.jobs_running -= 1
            metrics.jobs[outcome] += 1
            metrics.job_seconds.observe(monotonic() - started)

    async def _do(self, taken: TakenJob, group: asyncio.TaskGroup) -> JobOutcome:
        """Search, then send the evaluation, or schedule the move so that the engine is free until it is played."""
        try:
            if taken.job.reply_to:
                await self._evaluate(taken)
            elif (found := await self._move(taken)) is not None:
                room, answer = found
                wait = self._pace.wait(room.state, self._now())
                if wait > 0:
                    await self._jobs.keep(taken, int(wait * 1000))
                group.create_task(self._play(taken, room, answer, wait))
                return JobOutcome.DONE
        except Refusal as refusal:
            if refusal.code is ErrorCode.RULES_UNSUPPORTED:
                await asyncio.sleep(PAUSE)
                await self._jobs.requeue(taken)  # another worker may support them
                return JobOutcome.REQUEUED
            await self._refused(taken, refusal)
            return JobOutcome.REFUSED
        await self._jobs.complete(taken)
        return JobOutcome.DONE

    async def _refused(self, taken: TakenJob, refusal: Refusal) -> None:
        logger.info("a bot's job was refused: %s", refusal.sentence, extra={"room": taken.job.room})
        await self._jobs.complete(taken)

    async def _move(self, taken: TakenJob) -> tuple[Room, Answer] | None:
        """Return the move to play, and where; None if the game has moved on, as after another worker's move."""
        job = taken.job
        room = await self._registry.open(job.room)
        state = room.state
        level = state.level_to_move
        if level is None or state.ply != job.ply:
            return None
        seconds = share(time_budget(state, self._now()), taken.waiting, self._engines.count)
        return room, await self._engines.ask(_request(state, job.ply, level, seconds))

    async def _play(self, taken: TakenJob, room: Room, answer: Answer, wait: float) -> None:
        """Play the move when it is time. If that fails, another attempt follows some seconds later."""
        await asyncio.sleep(wait)
        try:
            try:
                await _play(room, answer, taken.job.ply)
                await self._jobs.complete(taken)
            except Refusal as refusal:
                await self._refused(taken, refusal)
        except StoreUnavailable as error:
            self._report(error)
        except Exception:
            logger.exception("a bot's move failed", extra={"room": taken.job.room})

    async def _evaluate(self, taken: TakenJob) -> None:
        """Send the evaluation of a position to the node that asked."""
        job = taken.job
        try:
            seconds = share(EVALUATION_TIME, taken.waiting, self._engines.count)
            if job.line is not None:
                request = _line_request(job.line, seconds)
            else:
                room = await self._registry.load(job.room)
                if room is None or job.ply > room.ply:
                    return
                request = _request(room, job.ply, None, seconds)
            answer = await self._engines.ask(request)
            evaluation = Evaluation(job.number, answer)
        except Refusal as refusal:
            if refusal.code is ErrorCode.RULES_UNSUPPORTED:
                raise
            evaluation = Evaluation(job.number, None, refusal.code, refusal.sentence)
        self._publish(job.reply_to, encode(evaluation))


def _request(room: RoomState, ply: int, level: str | None, seconds: float | None) -> Request:
    return Request(
        game=room.game,
        options=dict(room.options),
        position=room.position,
        moves=room.texts[:ply],
        level=level,
        seconds=seconds,
        seed=int.from_bytes(blake2b(f"{room.id} {ply}".encode(), digest_size=6).digest(), "big"),
    )


def _line_request(line: Line, seconds: float | None) -> Request:
    return Request(
        game=line.game, options=dict(line.options), position=line.position, moves=line.moves, seconds=seconds
    )


async def _play(room: Room, answer: Answer, ply: int) -> None:
    """Play the move, unless the game has moved on without it."""

    def rule(state: RoomState, now: int) -> Events:
        seat = state.to_move
        if state.level_to_move is None or seat is None or state.ply != ply:
            return ()
        # The same turn has the same command id, whichever worker plays it.
        command = Play(id=state.seq, room=state.id, ply=ply, move=answer.move)
        return decide(state, state.players[seat].id, command, now)

    await room.change(rule)
