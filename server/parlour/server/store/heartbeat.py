"""The heartbeat of the nodes, from which the store knows the periods in which no player was served."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from parlour.server.store import keys
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.pipeline import Pipeline, script
from parlour.server.store.resp import resolve

logger = logging.getLogger(__name__)

HEARTBEAT = script("heartbeat")

BEAT_EVERY = 0.5  # seconds
SILENCE = 3_000  # milliseconds without a beat of any node that count as an outage
MAX_OUTAGES = 1_000  # remembered


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

    def __init__(self, pipeline: Pipeline, serves_players: bool = True, *, max_outages: int = MAX_OUTAGES) -> None:
        self.outages: list[Outage] = []  # oldest first
        self.last_outage_end = 0
        self.known_until = 0
        self.on_outage: Callable[[], None] = lambda: None  # called when there is a new one
        self._now = 0  # the store's time at the last beat
        self._pipeline = pipeline
        self._serves_players = serves_players
        self._max_outages = max_outages
        self._reply: asyncio.Future[None] | None = None  # of the beat in flight
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

    async def beat(self) -> None:
        """Tell the store that this node is alive, and learn of outages. Raise StoreUnavailable."""
        if self._reply is None:
            reply = self._reply = asyncio.get_running_loop().create_future()
            script_keys = (2, keys.LAST_BEAT, keys.OUTAGES)
            args = (SILENCE, self.last_outage_end, self._max_outages, int(self._serves_players))
            self._pipeline.run(HEARTBEAT, (*script_keys, *args), partial(self._receive, reply))
        await asyncio.shield(self._reply)

    async def catch_up(self) -> None:
        """Learn of every outage up to now. Wait for the store, and for a node that beats."""
        while True:
            await self._pipeline.ready()
            with suppress(StoreUnavailable):
                await self.beat()
                if self._now <= self.known_until:
                    return
                await asyncio.sleep(BEAT_EVERY)

    def _receive(self, future: asyncio.Future[None], reply: Any) -> None:
        self._reply = None
        if isinstance(reply, Exception):
            resolve(future, reply)
            future.exception()  # the caller may have been cancelled
            return
        now, last_beat, *outages = reply
        self._now, self.known_until = int(now), int(last_beat) + SILENCE
        for outage in outages:
            since, _, until = outage.partition(b"-")
            self.outages.append(Outage(int(since), int(until)))
            self.last_outage_end = int(until)
        del self.outages[: -self._max_outages]
        if outages:
            logger.info("no node served players from %d to %d", *self.outages[-1])
            self.on_outage()
        resolve(future, None)

    async def _beat_periodically(self) -> None:
        while True:
            await asyncio.sleep(BEAT_EVERY)
            with suppress(StoreUnavailable):
                await self.beat()
