"""The heartbeat of the nodes, from which all of them know the periods in which players were not served."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any

from parlour.server.outages import SILENCE, Outage
from parlour.server.store import keys
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.pipeline import Pipeline, script
from parlour.server.store.resp import resolve

logger = logging.getLogger(__name__)

HEARTBEAT = script("heartbeat")
SCRIPT_KEYS = (keys.LAST_BEAT, keys.OUTAGES, keys.BEATS)

BEAT_EVERY = 0.5  # seconds
MAX_OUTAGES = 1_000  # remembered


class Heartbeat:
    """Sends this node's beats, and knows all outages.

    Outages are recorded inside the store and therefore once: that of all nodes by the first beat after it, that of a
    single node by another node's beat as soon as it has been silent for too long. Up to `known_until` this node knows
    all outages of all nodes: a later one would begin after the last beat and cannot have ended by then. Before charging
    a player with time beyond that, call `catch_up`.

    A process that does not serve players, such as a bot worker, reads the outages but does not beat.
    """

    def __init__(
        self, pipeline: Pipeline, node: str, *, serves_players: bool = True, max_outages: int = MAX_OUTAGES
    ) -> None:
        self.node = node
        self.outages: list[Outage] = []  # oldest first
        self.last_outage_end = 0
        self.known_until = 0
        self.beats: dict[str, int] = {}  # the last known beat of each node that is alive
        self.ticks = 0  # how often the event loop has come round to beat
        self.on_outage: Callable[[], None] = lambda: None  # called when there is a new one
        self.on_health: Callable[[bool], None] = lambda healthy: None  # called when `is_healthy` has changed
        self._now = 0  # the store's time at the last beat
        self._written_at = 0.0  # when the last beat was confirmed, by the monotonic clock
        self._missed = 0  # ticks since then
        self._pipeline = pipeline
        self._serves_players = serves_players
        self._max_outages = max_outages
        self._reply: asyncio.Future[None] | None = None  # of the beat in flight
        self._task: asyncio.Task[None] | None = None
        pipeline.load(HEARTBEAT)

    @property
    def is_healthy(self) -> bool:
        """Whether a beat was written within the last 3 seconds.

        Seconds in which the event loop itself was busy do not count, because it could not notice a reply.
        """
        return self._missed * BEAT_EVERY * 1000 < SILENCE

    @property
    def last_written(self) -> float:
        """When the last beat was confirmed, by the monotonic clock."""
        return self._written_at

    async def open(self) -> None:
        """Beat once, and then periodically. Raise StoreUnavailable."""
        await self.beat()
        self._task = asyncio.create_task(self._beat_periodically(), name="heartbeat")

    async def close(self) -> None:
        """Stop beating. The store forgets this node: it is not silent, it has stopped."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))
            self._task = None
            self._pipeline.send_and_forget(b"HDEL", keys.BEATS, self.node)

    async def beat(self) -> None:
        """Tell the store that this node is alive, and learn of outages. Raise StoreUnavailable."""
        await asyncio.shield(self._send())

    def script_args(self) -> tuple[str | int, ...]:
        """Return the arguments of the script after its keys."""
        return SILENCE, self.last_outage_end, self._max_outages, self.node if self._serves_players else ""

    async def catch_up(self) -> None:
        """Learn of every outage up to now. Wait for the store, and for a node that beats."""
        while True:
            await self._pipeline.ready()
            with suppress(StoreUnavailable):
                await self.beat()
                if self._now <= self.known_until:
                    return
            await asyncio.sleep(BEAT_EVERY)

    def _send(self) -> asyncio.Future[None]:
        """Send a beat, unless one is in flight already."""
        if self._reply is None:
            reply = self._reply = asyncio.get_running_loop().create_future()
            args = (len(SCRIPT_KEYS), *SCRIPT_KEYS, *self.script_args())
            self._pipeline.run(HEARTBEAT, args, partial(self._receive, reply))
        return self._reply

    def _receive(self, future: asyncio.Future[None], reply: Any) -> None:
        self._reply = None
        if isinstance(reply, Exception):
            resolve(future, reply)
            future.exception()  # the caller may have been cancelled
            return
        now, last_beat, beats, outages = reply
        self._now, self.known_until = int(now), int(last_beat) + SILENCE
        self.beats = {node.decode(): int(at) for node, at in zip(beats[::2], beats[1::2], strict=True)}
        for outage in outages:
            since, until, node = outage.decode().split("-", 2)
            self.outages.append(Outage(int(since), int(until), node))
            self.last_outage_end = int(until)
        del self.outages[: -self._max_outages]
        if outages:
            newest = self.outages[-1]
            logger.info("%s served no players from %d to %d", newest.node or "the nodes", newest.since, newest.until)
            self.on_outage()
        self._written_at = monotonic()
        self._count_missed(0)
        resolve(future, None)

    async def _beat_periodically(self) -> None:
        # Late ticks are not repeated, so a tick without a reply is time in which the event loop was free to receive it.
        while True:
            await asyncio.sleep(BEAT_EVERY)
            self.ticks += 1
            self._count_missed(self._missed + 1)
            self._send().add_done_callback(_retrieve)

    def _count_missed(self, missed: int) -> None:
        was_healthy = self.is_healthy
        self._missed = missed
        if self.is_healthy != was_healthy:
            self.on_health(self.is_healthy)


def _retrieve(reply: asyncio.Future[None]) -> None:
    """Mark an exception as retrieved: the next beat is sent anyway."""
    if not reply.cancelled():
        reply.exception()
