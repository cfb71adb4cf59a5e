"""What all connections of a node share: who is there, whose turn it is to be written to, who has fallen silent."""

from __future__ import annotations

import asyncio
import logging
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from parlour.server.transport.incident import Count, Incident
from parlour.server.transport.limits import Crowd, Limits, Rate
from parlour.server.transport.listener import Listener

if TYPE_CHECKING:
    from parlour.server.transport.peer import Peer

log = logging.getLogger(__name__)

SLOTS = 10  # pings are spread over the interval in so many groups
TICK = 0.005  # seconds; what is patient waits for one or two of them


class Polled(Protocol):
    """A connection that does not tell by itself how full it is."""

    def poll(self) -> None: ...


class Switchboard:
    """The peers of a node and what is done for all of them together.

    What is sent to a peer in one turn of the event loop leaves in one write at the end of it.
    """

    def __init__(self, listener: Listener, limits: Limits, count: Count) -> None:
        self.listener = listener
        self.received = listener.received
        self.limits = limits
        self.count = count
        self.rate = Rate(limits.rate, limits.burst)
        self.crowd = Crowd(limits)
        self.peers: set[Peer] = set()
        self.late: dict[Peer, float] = {}  # those who are behind, and since when
        self.polled: set[Polled] = set()
        self.stopping = False  # whether those who come now come too late
        self.patience = limits.close_timeout  # seconds to wait for the other side's part in closing
        self._call_soon = asyncio.get_running_loop().call_soon
        self._call_later = asyncio.get_running_loop().call_later
        self._stirred: list[Peer] = []
        self._held = False
        self._patient: dict[Peer, int] = {}  # those with something that can wait, and the tick at which it is written
        self._ticks = 0
        self._ticking = False
        self._slots: list[set[Peer]] = [set() for _ in range(SLOTS)]
        self._turn = 0

    # -- writing, once a turn

    def stir(self, peer: Peer) -> None:
        """A peer has something to write."""
        stirred = self._stirred
        if not stirred and not self._held:
            self._call_soon(self.flush)
        stirred.append(peer)

    def hold(self) -> None:
        """Write nothing until `flush`, which must be called before returning to the event loop.

        Saves a turn of the loop; nothing goes wrong without it.
        """
        self._held = True

    def flush(self) -> None:
        """Write now what every peer has waiting, but for those who are patient."""
        self._held = False
        stirred, self._stirred = self._stirred, []
        for peer in stirred:
            peer.flush()

    def dawdle(self, peer: Peer) -> None:
        """A peer has something to write that can wait a little: mostly something else follows, and saves a write."""
        if not self._ticking:
            self._ticking = True
            self._call_later(TICK, self._tick)
        self._patient[peer] = self._ticks + 2

    def hurry(self) -> None:
        """Write now what every peer has waiting."""
        patient, self._patient = self._patient, {}
        for peer in patient:
            peer.flush()
        self.flush()

    def _tick(self) -> None:
        self._ticks += 1
        due = [peer for peer, tick in self._patient.items() if tick <= self._ticks]
        for peer in due:
            del self._patient[peer]
        self._ticking = bool(self._patient)
        if self._ticking:
            self._call_later(TICK, self._tick)
        for peer in due:
            peer.flush()

    # -- coming and going

    def welcome(self, peer: Peer, *, pings: bool) -> None:
        """A connection is open. `pings`: whether it is ours to see that it stays alive."""
        peer.begin()
        if pings:
            # The slot that was just visited: the next ping is a whole interval away. The first one goes out now,
            # because the node wants to know the lag of the very first move.
            self._slots[self._turn % SLOTS].add(peer)
            peer.beat(self._ping())

    def forget(self, peer: Peer) -> None:
        self.peers.discard(peer)
        self.late.pop(peer, None)
        self._patient.pop(peer, None)
        for slot in self._slots:
            slot.discard(peer)

    def failed(self, peer: Peer, where: str) -> None:
        """The listener raised an exception: log it, with its traceback, and go on."""
        log.exception("the node failed in %s for %s", where, peer)
        self.count(Incident.LISTENER_FAILED)

    # -- keeping watch

    async def watch(self) -> None:
        """Ping everybody once an interval, and part with those who do not answer or never catch up."""
        while True:
            await asyncio.sleep(self.limits.ping_interval / SLOTS)
            self._turn += 1
            ping = self._ping()
            for peer in tuple(self._slots[self._turn % SLOTS]):
                peer.beat(ping)
            for connection in tuple(self.polled):
                connection.poll()
            now = monotonic()
            for peer, since in tuple(self.late.items()):
                if now - since > self.limits.behind_for:
                    peer.give_up()
            if self._turn % SLOTS == 0:
                self.crowd.forget(now)

    def _ping(self) -> bytes:
        return self._turn.to_bytes(4, "big")
