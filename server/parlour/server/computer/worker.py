"""Does the computer's work: takes jobs, thinks, and makes its moves in the rooms like any other player.

Every node has a worker, unless it is told not to, and `parlour bots` runs one by itself. A job that is lost with its
worker is taken over by another one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from hashlib import blake2b

import msgspec
from redis.exceptions import RedisError

from parlour.bots.engine import Answer, Request
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import Play
from parlour.server.computer.engines import Broken, Engines
from parlour.server.computer.opinion import Opinion
from parlour.server.computer.pace import Pace, thinking_time
from parlour.server.house import House
from parlour.server.rooms.core import Room
from parlour.server.rooms.decide import Events, decide
from parlour.server.rooms.live import LiveRoom
from parlour.server.store.jobs import Job, Jobs

log = logging.getLogger(__name__)

WAIT = 1_000  # milliseconds for a new job, after which those of dead workers are looked at
REST = 1.0  # seconds after something went wrong
OPINION_SECONDS = 1.0  # that an opinion takes

encode = msgspec.msgpack.Encoder().encode


class Worker:
    """As many jobs at a time as there are engines."""

    def __init__(
        self,
        house: House,
        jobs: Jobs,
        engines: Engines,
        publish: Callable[[str, bytes], None],
        now: Callable[[], int],
        pace: Pace,
    ) -> None:
        self._house = house
        self._jobs = jobs
        self._engines = engines
        self._publish = publish
        self._now = now
        self._pace = pace

    async def run(self) -> None:
        """Work until cancelled."""
        await self._jobs.begin()
        async with asyncio.TaskGroup() as group:
            for _ in range(self._engines.count):
                group.create_task(self._work())

    async def _work(self) -> None:
        while True:
            try:
                taken = await self._jobs.take(WAIT) or await self._jobs.take_over()
                if taken is not None:
                    await self._do(taken.job)
                    await self._jobs.done(taken)
            except (OSError, RedisError):
                await asyncio.sleep(REST)  # the store is away
            except Broken as broken:
                log.error("the computer cannot think: %s", broken)
                await asyncio.sleep(REST)  # the job is taken over some seconds later
            except Exception:
                log.exception("a job of the computer failed")
                await asyncio.sleep(REST)

    async def _do(self, job: Job) -> None:
        try:
            if job.answer_to:
                await self._say(job)
            else:
                await self._move(job)
        except Refusal as refusal:
            log.info("the computer does not play: %s", refusal.sentence, extra={"room": job.room})

    async def _move(self, job: Job) -> None:
        live = await self._house.open(job.room)
        room = live.room
        level = room.thinking
        if level is None or room.ply != job.ply:
            return  # somebody else has done it, or the game went another way
        thought = await self._engines.think(_question(room, job.ply, level, thinking_time(room, self._now())))
        await asyncio.sleep(self._pace.wait(room, self._now()))
        await _played(live, thought, job.ply)

    async def _say(self, job: Job) -> None:
        """Tell a node what to think of a position."""
        try:
            room = await self._house.load(job.room)
            if room is None or job.ply > room.ply:
                return
            thought = await self._engines.think(_question(room, job.ply, None, OPINION_SECONDS))
            opinion = Opinion(job.number, thought)
        except Refusal as refusal:
            opinion = Opinion(job.number, None, refusal.code, refusal.sentence)
        self._publish(job.answer_to, encode(opinion))


def _question(room: Room, ply: int, level: str | None, seconds: float | None) -> Request:
    return Request(
        game=room.game,
        options=dict(room.options),
        position=room.position,
        moves=room.texts[:ply],
        level=level,
        seconds=seconds,
        seed=int.from_bytes(blake2b(f"{room.id} {ply}".encode(), digest_size=6).digest(), "big"),
    )


async def _played(live: LiveRoom, thought: Answer, ply: int) -> None:
    """Make the move, unless the game has gone on without it."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def make(room: Room, now: int) -> Events:
        seat = room.to_move
        if room.thinking is None or seat is None or room.ply != ply:
            return ()
        chair = room.chairs[seat]
        assert chair is not None
        # The same turn is the same command, whoever has thought about it.
        return decide(room, chair.player, Play(id=room.seq, room=room.id, ply=ply, move=thought.move), now)

    def fail(refusal: Refusal) -> None:
        if not done.done():
            done.set_exception(refusal)

    def then() -> None:
        if not done.done():
            done.set_result(None)

    live.act(make, then, fail)
    await done
