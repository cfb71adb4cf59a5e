"""The heartbeat of the nodes, from which the store knows the periods in which no player was served."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import NamedTuple

from parlour.server.store import keys
from parlour.server.store.clock import TOLERANCE, StoreClock
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.health import StoreHealth
from parlour.server.store.pipeline import Pipeline, script

logger = logging.getLogger(__name__)

HEARTBEAT = script("heartbeat")

BEAT_EVERY = 0.5  # seconds
SILENCE = 3_000  # milliseconds without a beat of any node that count as an outage
MAX_OUTAGES = 1_000  # remembered
HEALTHY_FOR = 3.0  # seconds after a beat


class Outage(NamedTuple):
    """A period in which no player was served: all nodes were down, or none could reach the store."""

    since: int
    until: int


class Heartbeat:
    """Sends this node's beats, and knows all outages.

    The first beat after an outage records it, inside the store and therefore once. Up to `known_until` this node knows
    all outages: a later one would begin after the last beat and cannot have ended by then. Before charging a player
    with time beyond that, call `catch_up`.

    A process that does not serve players, such as a bot worker, reads the outages but does not beat.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        clock: StoreClock,
        health: StoreHealth,
        serves_players: bool = True,
        *,
        max_outages: int = MAX_OUTAGES,
    ) -> None:
        self.outages: list[Outage] = []  # oldest first
        self.last_outage_end = 0
        self.known_until = 0
        self.on_outage: Callable[[], None] = lambda: None  # called when there is a new one
        self.last_written: float | None = None  # monotonic time of the last beat that was written
        self._pipeline = pipeline
        self._clock = clock
        self._health = health
        self._serves_players = serves_players
        self._max_outages = max_outages
        self._beating: asyncio.Task[None] | None = None  # the beat in flight
        self._task: asyncio.Task[None] | None = None
        pipeline.load(HEARTBEAT)

    async def open(self) -> None:
        """Beat once, and then periodically. Raise StoreUnavailable."""
        await self.beat()
        self._task = asyncio.create_task(self._beat_periodically(), name="heartbeat")

    async def close(self) -> None:
        """Stop beating."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))
            self._task = None

    @property
    def is_healthy(self) -> bool:
        """Whether this node has written a beat within the last seconds."""
        return self.last_written is not None and monotonic() - self.last_written < HEALTHY_FOR

    async def beat(self) -> None:
        """Tell the store that this node is alive, and learn of outages. Raise StoreUnavailable."""
        if self._beating is None:
            self._beating = asyncio.create_task(self._beat(), name="beat")
            self._beating.add_done_callback(self._finished)
        await asyncio.shield(self._beating)

    async def catch_up(self, until: int) -> None:
        """Learn of every outage until then. Wait for the store, and for a node that beats."""
        while True:
            await self._pipeline.ready()
            with suppress(StoreUnavailable):
                await self.beat()
            if until <= self.known_until:
                return
            await asyncio.sleep(BEAT_EVERY)

    async def _beat(self) -> None:
        reply = await self._run(self._clock.now())
        if len(reply) == 1:  # not the time that this node expects: the beat has taken long, or the clock was set
            await self._clock.measure()
            reply = await self._run(0)
        self._learn(reply)
        if self._serves_players:
            self.last_written = monotonic()
            self._health.written()

    async def _run(self, expected: int) -> list[bytes]:
        script_keys = (3, keys.LAST_BEAT, keys.OUTAGES, keys.CLOCK_CORRECTION)
        args = (SILENCE, self.last_outage_end, self._max_outages, int(self._serves_players), expected, TOLERANCE)
        reply: list[bytes] = await self._pipeline.call_script(HEARTBEAT, *script_keys, *args)
        return reply

    def _learn(self, reply: list[bytes]) -> None:
        _, last_beat, *outages = reply
        self.known_until = int(last_beat) + SILENCE
        for outage in outages:
            since, _, until = outage.partition(b"-")
            self.outages.append(Outage(int(since), int(until)))
            self.last_outage_end = int(until)
        del self.outages[: -self._max_outages]
        if outages:
            logger.info("no node served players from %d to %d", *self.outages[-1])
            self.on_outage()

    def _finished(self, beating: asyncio.Task[None]) -> None:
        self._beating = None
        error = None if beating.cancelled() else beating.exception()
        if isinstance(error, StoreUnavailable):
            self._health.report(error)

    async def _beat_periodically(self) -> None:
        while True:
            await asyncio.sleep(BEAT_EVERY)
            with suppress(StoreUnavailable):
                await self.beat()
