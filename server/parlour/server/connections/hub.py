"""What all connections of a node share: the set of them, one write per loop iteration, keep-alive pings."""

from __future__ import annotations

import asyncio
import logging
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from parlour.server.connections.incidents import Count, Incident
from parlour.server.connections.limits import ConnectionCounts, Limits, Rate
from parlour.server.connections.listener import Listener

if TYPE_CHECKING:
    from parlour.server.connections.connection import Connection

logger = logging.getLogger(__name__)

PING_SLOTS = 10  # pings are spread over the interval in this many groups


class Polled(Protocol):
    """A connection that has to be asked how full it is."""

    def poll(self) -> None: ...


class Hub:
    """The connections of a node.

    Everything sent to a connection in one iteration of the event loop leaves in one write at its end.
    """

    def __init__(self, listener: Listener, limits: Limits, count: Count) -> None:
        self.listener = listener
        self.received = listener.received
        self.limits = limits
        self.count = count
        self.rate = Rate(limits.rate, limits.burst)
        self.counts = ConnectionCounts(limits)
        self.connections: set[Connection] = set()
        self.behind: dict[Connection, float] = {}  # since when each misses broadcasts
        self.polled: set[Polled] = set()
        self.stopping = False  # new connections are aborted
        self.close_within = limits.close_timeout  # seconds for the other side to close too
        self._call_soon = asyncio.get_running_loop().call_soon
        self._unflushed: list[Connection] = []
        self._slots: list[set[Connection]] = [set() for _ in range(PING_SLOTS)]
        self._tick = 0

    # -- writing once per loop iteration

    def schedule_flush(self, connection: Connection) -> None:
        """Flush a connection at the end of this loop iteration."""
        unflushed = self._unflushed
        if not unflushed:
            self._call_soon(self.flush)
        unflushed.append(connection)

    def flush(self) -> None:
        """Write what has been sent to any connection so far."""
        unflushed, self._unflushed = self._unflushed, []
        for connection in unflushed:
            connection.flush()

    # -- coming and going

    def add(self, connection: Connection, *, pings: bool) -> None:
        """Add a connection that is open now. `pings`: whether the hub has to keep it alive."""
        connection.start()
        if pings:
            # The slot just visited: the next ping is a whole interval away. The first one leaves now, because the
            # lag must be known before the first move.
            self._slots[self._tick % PING_SLOTS].add(connection)
            connection.ping(self._payload())

    def remove(self, connection: Connection) -> None:
        """Forget a connection that is closed."""
        self.connections.discard(connection)
        self.behind.pop(connection, None)
        for slot in self._slots:
            slot.discard(connection)

    def log_failure(self, connection: Connection, event: str) -> None:
        """Log and count an exception that the listener raised; the connection carries on."""
        logger.exception("the node failed in %s", event, extra={"address": connection.address})
        self.count(Incident.LISTENER_FAILED)

    # -- keep-alive

    async def keep_alive(self) -> None:
        """Ping every connection once per interval, and abort those that do not answer or never catch up."""
        while True:
            await asyncio.sleep(self.limits.ping_interval / PING_SLOTS)
            self._tick += 1
            payload = self._payload()
            for connection in tuple(self._slots[self._tick % PING_SLOTS]):
                connection.ping(payload)
            for polled in tuple(self.polled):
                polled.poll()
            now = monotonic()
            for connection, since in tuple(self.behind.items()):
                if now - since > self.limits.behind_for:
                    connection.abort_slow()
            if self._tick % PING_SLOTS == 0:
                self.counts.forget_idle(now)

    def _payload(self) -> bytes:
        return self._tick.to_bytes(4, "big")
