"""When nodes lived. Each says so twice a second, and the store notes the times in which none did."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import hiredis

from parlour.server.store import keys
from parlour.server.store.line import settle
from parlour.server.store.pipe import Pipe, script

log = logging.getLogger(__name__)

BEAT = script("beat.lua")

BEAT_EVERY = 0.5  # seconds
SILENCE = 3_000  # milliseconds without a beat of any node: then nobody was served, and not only slowly
KEPT = 1_000  # outages


class Outage(NamedTuple):
    """A time in which no node could serve anybody: all were dead, or none could reach the store."""

    since: int
    until: int


class Heartbeat:
    """This node's beats, and every outage there was.

    An outage is found by the first beat after it, inside the store and therefore once. Up to `sure_until` this node
    knows of all of them: a later one cannot have ended by then, since it would have to begin after the last beat. Who
    charges anybody with time beyond that calls `catch_up` before.

    Who `serves` nobody, such as a worker that thinks for the computer, asks but does not beat.
    """

    def __init__(self, pipe: Pipe, serves: bool = True) -> None:
        self.outages: list[Outage] = []  # oldest first
        self.newest = 0  # when the last of them ended
        self.sure_until = 0
        self._now = 0  # when we asked last, by the store's clock
        self.on_outage: Callable[[], None] = lambda: None  # there was another one
        self._pipe = pipe
        self._serves = serves
        self._answer: asyncio.Future[None] | None = None  # of the beat under way
        self._task: asyncio.Task[None] | None = None
        pipe.load(BEAT)

    async def open(self) -> None:
        """Beat once, and then again and again; raises ConnectionError when the store is not there."""
        await self.beat()
        self._task = asyncio.create_task(self._go_on(), name="heartbeat")

    async def close(self) -> None:
        """Stop to beat."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))
            self._task = None

    async def beat(self) -> None:
        """Say that this node lives, and learn of outages; raises ConnectionError when the store is not there."""
        if self._answer is None:
            answer = self._answer = asyncio.get_running_loop().create_future()
            args = (2, keys.LAST_BEAT, keys.OUTAGES, SILENCE, self.newest, KEPT, int(self._serves))
            self._pipe.run(BEAT, args, partial(self._answered, answer))
        await asyncio.shield(self._answer)

    async def catch_up(self) -> None:
        """Learn of every outage up to now, as soon as the store is there, and a node."""
        while True:
            await self._pipe.ready()
            with suppress(ConnectionError):
                await self.beat()
                if self._now <= self.sure_until:
                    return
                await asyncio.sleep(BEAT_EVERY)

    def _answered(self, answer: asyncio.Future[None], reply: Any) -> None:
        self._answer = None
        if isinstance(reply, Exception):
            settle(answer, reply)
            answer.exception()  # whoever asked may be gone
            return
        now, last, *outages = reply
        self._now, self.sure_until = int(now), int(last) + SILENCE
        for outage in outages:
            since, _, until = outage.partition(b"-")
            self.outages.append(Outage(int(since), int(until)))
            self.newest = int(until)
        del self.outages[:-KEPT]
        if outages:
            log.info("no node served from %d to %d", *self.outages[-1])
            self.on_outage()
        settle(answer, None)

    async def _go_on(self) -> None:
        while True:
            await asyncio.sleep(BEAT_EVERY)
            with suppress(ConnectionError, hiredis.ReplyError):
                await self.beat()
