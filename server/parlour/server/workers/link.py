"""A worker's link to its supervisor."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress

from parlour.server.workers.channel import Channel, open_channel
from parlour.server.workers.messages import (
    Family,
    FromSupervisor,
    Health,
    Listen,
    Opened,
    Sample,
    Sampled,
    Scrape,
    Scraped,
    StoreOutage,
)

logger = logging.getLogger(__name__)

DECIDE_WITHIN = 1.0  # seconds for the supervisor to say whether the port stays open


async def _ignore(is_open: bool) -> None:
    """Leave the port as it is."""


class WorkerLink:
    """The messages between a worker and its supervisor.

    Set the callbacks, then call `open`. `store_url` is the address of the supervisor's embedded store, if it has one.
    """

    def __init__(self, end: socket.socket, store_url: str | None) -> None:
        self.store_url = store_url
        self.store_outage: str | None = None  # why the embedded store is down, as a sentence
        self.ended = False  # whether the supervisor has ended
        self.on_listen: Callable[[bool], Awaitable[None]] = _ignore  # opens or closes the port
        self.on_end: Callable[[], None] = lambda: None  # called when the supervisor has ended
        self.sample: Callable[[], list[Family]] = list  # returns this worker's metrics
        self._end = end
        self._channel: Channel[FromSupervisor] | None = None
        self._decided = asyncio.Event()
        self._scrapes: deque[asyncio.Future[list[Family]]] = deque()

    async def open(self) -> None:
        """Connect to the supervisor."""
        self._channel = await open_channel(self._end, FromSupervisor)

    def close(self) -> None:
        """Disconnect."""
        assert self._channel is not None
        self._channel.close()

    async def run(self) -> None:
        """Execute the supervisor's commands until it ends."""
        assert self._channel is not None
        async for message in self._channel.receive():
            match message:
                case Listen(is_open):
                    await self.on_listen(is_open)
                    self._decided.set()
                case StoreOutage(sentence):
                    self.store_outage = sentence
                case Sample():
                    self._channel.send(Sampled(self.sample()))
                case Scraped(families):
                    if self._scrapes and not (waiting := self._scrapes.popleft()).done():
                        waiting.set_result(families)
        self.close()
        logger.error("the supervisor has ended; stopping")
        self.ended = True
        self.on_end()

    def opened(self) -> None:
        """Tell the supervisor that the port is open."""
        assert self._channel is not None
        self._channel.send(Opened())

    async def report_health(self, healthy: bool) -> None:
        """Tell the supervisor whether the store accepts writes; return when the port is open or closed accordingly."""
        assert self._channel is not None
        self._decided.clear()
        self._channel.send(Health(healthy))
        with suppress(TimeoutError):
            async with asyncio.timeout(DECIDE_WITHIN):
                await self._decided.wait()

    async def scrape(self) -> list[Family]:
        """Return the metrics of all workers."""
        assert self._channel is not None
        waiting: asyncio.Future[list[Family]] = asyncio.get_running_loop().create_future()
        self._scrapes.append(waiting)
        self._channel.send(Scrape())
        return await waiting
