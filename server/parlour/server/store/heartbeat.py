"""The heartbeats of the nodes, which tell all of them when players were not served."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal

from parlour.server.outages import SILENCE, Outage
from parlour.server.store.clock import TOLERANCE, StoreClock
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.health import StoreHealth
from parlour.server.store.pipeline import Pipeline, script

logger = logging.getLogger(__name__)

HEARTBEAT = script("heartbeat")

BEAT_EVERY = 0.5  # seconds
MAX_OUTAGES = 1_000  # remembered
NEVER_BEATEN = 1_000_000  # more missed ticks than a healthy node has
ANY_TIME = 0  # for a beat that is not checked against the expected time


class Heartbeat:
    """Sends this node's beats, and knows all outages.

    Outages are recorded inside the store and therefore once: that of all nodes by the first beat after it, that of a
    single node by another node's beat as soon as it has been silent for too long. Up to `known_until` this node knows
    all outages of all nodes: a later one would begin after the last beat and cannot have ended by then. Before charging
    a player with time beyond that, call `catch_up`.

    A beat says which time the node expects. If the store has another one, its clock has jumped, and the beat is
    repeated when Parlour's time has been corrected: a jump is not an outage.

    A process that does not serve players, such as a bot worker, reads the outages but does not beat.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        clock: StoreClock,
        health: StoreHealth,
        node: str,
        *,
        serves_players: bool = True,
        max_outages: int = MAX_OUTAGES,
    ) -> None:
        self.node = node
        self.outages: list[Outage] = []  # oldest first
        self.outage_counts: dict[Literal["all", "one"], int] = {"all": 0, "one": 0}  # since this process started
        self.last_outage_end = 0
        self.known_until = 0
        self.beats: dict[str, int] = {}  # the last known beat of each node that is alive
        self.ticks = 0  # how many times the event loop has been free to beat
        self.on_outage: Callable[[], None] = lambda: None  # called when there is a new one
        self.on_health: Callable[[bool], None] = lambda healthy: None  # called when `is_healthy` has changed
        self._missed = NEVER_BEATEN  # ticks since the last beat that was written
        self._pipeline = pipeline
        self._keys = pipeline.keys
        self.script_keys = (
            self._keys.last_beat, self._keys.outages, self._keys.beats, self._keys.clock_correction,
        )  # fmt: skip
        self._clock = clock
        self._health = health
        self._serves_players = serves_players
        self._max_outages = max_outages
        self._beating: asyncio.Task[None] | None = None  # the beat in flight
        self._task: asyncio.Task[None] | None = None
        pipeline.load(HEARTBEAT)

    @property
    def is_healthy(self) -> bool:
        """Whether a beat was written within the last 3 seconds.

        Seconds in which the event loop itself was busy do not count, because it could not notice a reply.
        """
        return self._missed * BEAT_EVERY * 1000 < SILENCE

    async def open(self) -> None:
        """Send one beat, then more periodically. Raise StoreUnavailable."""
        await self.beat()
        self._task = asyncio.create_task(self._beat_periodically(), name="heartbeat")

    async def close(self) -> None:
        """Stop beating. The node is removed from the store, so it counts as stopped rather than silent."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))
            self._task = None
            self._missed = NEVER_BEATEN
            self._pipeline.send_and_forget(b"HDEL", self._keys.beats, self.node)

    async def beat(self) -> None:
        """Send a beat and receive new outages. Raise StoreUnavailable."""
        await asyncio.shield(self._start_beat())

    def script_args(self, expected: int) -> tuple[str | int, ...]:
        """Return the arguments of the script after its keys; `expected` is the time, or ANY_TIME."""
        node = self.node if self._serves_players else ""
        return SILENCE, self.last_outage_end, self._max_outages, node, expected, TOLERANCE

    async def catch_up(self, until: int) -> None:
        """Learn of every outage up to a time. This waits for the store, and for a node that beats."""
        while True:
            await self._pipeline.ready(self._keys.last_beat)
            with suppress(StoreUnavailable):
                await self.beat()
            if until <= self.known_until:
                return
            await asyncio.sleep(BEAT_EVERY)

    def _start_beat(self) -> asyncio.Task[None]:
        """Send a beat, unless one is in flight already."""
        if self._beating is None:
            self._beating = asyncio.create_task(self._beat(), name="beat")
            self._beating.add_done_callback(self._finished)
        return self._beating

    async def _beat(self) -> None:
        # A beat must not be written unless other writes could be, too: an outage is the time without a beat.
        await self._pipeline.probe()
        reply = await self._run(self._clock.now())
        if len(reply) == 1:  # not the time that this node expects: the beat was slow, or the clock was set
            await self._clock.measure()
            reply = await self._run(ANY_TIME)
        self._learn(*reply)
        self._count_missed(0)
        if self._serves_players:
            self._health.written()

    async def _run(self, expected: int) -> list[Any]:
        args = (len(self.script_keys), *self.script_keys, *self.script_args(expected))
        reply: list[Any] = await self._pipeline.call_script(HEARTBEAT, *args)
        return reply

    def _learn(self, _now: bytes, last_beat: bytes, beats: list[bytes], outages: list[bytes]) -> None:
        is_news = self.known_until > 0  # the first beat learns of everything that happened before this process
        self.known_until = int(last_beat) + SILENCE
        self.beats = {node.decode(): int(at) for node, at in zip(beats[::2], beats[1::2], strict=True)}
        for outage in outages:
            since, until, node = outage.decode().split("-", 2)
            self.outages.append(Outage(int(since), int(until), node))
            self.last_outage_end = int(until)
            self.outage_counts["one" if node else "all"] += is_news
        del self.outages[: -self._max_outages]
        if outages:
            newest = self.outages[-1]
            logger.info("%s served no players from %d to %d", newest.node or "the nodes", newest.since, newest.until)
            self.on_outage()

    def _finished(self, beating: asyncio.Task[None]) -> None:
        self._beating = None
        error = None if beating.cancelled() else beating.exception()
        if isinstance(error, StoreUnavailable):
            self._health.report(error)

    async def _beat_periodically(self) -> None:
        # Late ticks are not repeated, so a tick without a reply is time in which the event loop was free to receive it.
        while True:
            await asyncio.sleep(BEAT_EVERY)
            self.ticks += 1
            self._count_missed(self._missed + 1)
            self._start_beat()

    def _count_missed(self, missed: int) -> None:
        was_healthy = self.is_healthy
        self._missed = missed
        if self.is_healthy != was_healthy:
            self.on_health(self.is_healthy)
