"""The slot map: which server of the store has which hash slot."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any

from msgspec.structs import replace

from parlour.server.store.address import Address, AnyAddress, ClusterAddress, SentinelAddress
from parlour.server.store.connector import Locator, ask
from parlour.server.store.errors import StoreRefused, StoreUnavailable
from parlour.server.store.health import describe
from parlour.server.store.sentinel import Sentinels
from parlour.server.store.slots import SLOTS

logger = logging.getLogger(__name__)

ASK_WITHIN = 2.0  # seconds for one server
REFRESH_EVERY = 10.0  # seconds
REFRESH_SOON = 0.1  # seconds between two refreshes at least
VISITED_FOR = 30.0  # seconds for which a master without slots, named by a redirection, is kept
UNKNOWN_HOSTS = (b"", b"?", None)  # the server does not know its own address


class Topology:
    """The slot map: the name of the master of each slot, and how to reach each master by its name.

    A standalone server is a map in which one master has every slot, and so is a Sentinel group. The map of a cluster
    is read from any of its servers: at the start, periodically, and when it turns out to be wrong. `on_change` is
    called after each change.
    """

    def __init__(self, address: AnyAddress, report: Callable[[Exception], None] = lambda _: None) -> None:
        self.address = address
        self.is_cluster = isinstance(address, ClusterAddress)
        self.masters: dict[str, Locator] = {}
        self.slots: list[str | None] = [None] * SLOTS
        self.on_change: list[Callable[[], None]] = []
        self._report = report
        self._visited: dict[str, float] = {}  # masters without slots, and until when they are kept
        self._wrong = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        if not isinstance(address, ClusterAddress):
            locator = Sentinels(address) if isinstance(address, SentinelAddress) else address
            self.masters = {str(address): locator}
            self.slots = [str(address)] * SLOTS

    async def open(self) -> None:
        """Read the map, and keep it up to date. Raise StoreUnavailable."""
        if self.is_cluster and self._task is None:
            await self._read()
            self._task = asyncio.create_task(self._keep(), name="cluster topology")

    async def close(self) -> None:
        """Stop reading the map."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))
            self._task = None

    def refresh(self) -> None:
        """Read the map again soon: it may be wrong."""
        self._wrong.set()

    def moved(self, slot: int, endpoint: str, asked: str) -> str:
        """Record that a slot has moved, according to a server's reply, and return the name of its master."""
        name = self.visit(endpoint, asked)
        if self.slots[slot] != name:
            self.slots[slot] = name
            self._changed()
        self.refresh()
        return name

    def visit(self, endpoint: str, asked: str) -> str:
        """Return the name of the master at an endpoint that `asked`, a master, has named."""
        host, _, port = endpoint.rpartition(":")
        known = self.masters.get(asked)
        if host in ("", "?") and isinstance(known, Address):
            host = known.host
        address = self._server(host.strip("[]"), int(port))
        name = str(address)
        self._visited[name] = monotonic() + VISITED_FOR
        if name not in self.masters:
            self.masters[name] = address
            self._changed()
        return name

    def _server(self, host: str, port: int) -> Address:
        assert isinstance(self.address, ClusterAddress)
        return replace(self.address.seeds[0], host=host, port=port)

    def _changed(self) -> None:
        for on_change in self.on_change:
            on_change()

    async def _keep(self) -> None:
        while True:
            try:
                async with asyncio.timeout(REFRESH_EVERY * random.uniform(0.8, 1.0)):
                    await self._wrong.wait()
            except TimeoutError:
                pass
            self._wrong.clear()
            try:
                await self._read()
            except StoreUnavailable as error:
                self._report(error)
                self._wrong.set()
            await asyncio.sleep(REFRESH_SOON)

    async def _read(self) -> None:
        """Ask one server after the other for the map."""
        problem: Exception | None = None
        for server in self._servers():
            try:
                async with asyncio.timeout(ASK_WITHIN):
                    (slots,) = await ask(server, ("CLUSTER", "SLOTS"))
                self._learn(server, slots)
                return
            except StoreRefused as error:
                if "cluster support disabled" in str(error):
                    raise StoreUnavailable(
                        f"Redis at {server} cannot be used: it is not part of a cluster. Write {server} instead."
                    ) from None
                problem = error
            except (OSError, StoreUnavailable) as error:
                problem = error
        raise StoreUnavailable(f"The cluster at {self.address} cannot be used: {describe(problem)}.") from problem

    def _servers(self) -> Iterator[Address]:
        assert isinstance(self.address, ClusterAddress)
        known = [each for each in self.masters.values() if isinstance(each, Address)]
        random.shuffle(known)
        yield from dict.fromkeys((*known, *self.address.seeds))

    def _learn(self, asked: Address, reply: list[Any]) -> None:
        slots: list[str | None] = [None] * SLOTS
        masters: dict[str, Locator] = {}
        for first, last, (host, port, *_), *_ in reply:
            address = self._server(asked.host if host in UNKNOWN_HOSTS else host.decode(), port)
            masters[str(address)] = address
            slots[first : last + 1] = [str(address)] * (last + 1 - first)
        if not masters:
            raise StoreUnavailable("no server of the cluster has any hash slot yet")
        now = monotonic()
        self._visited = {name: until for name, until in self._visited.items() if until > now}
        for name in self._visited:
            if name in self.masters:
                masters.setdefault(name, self.masters[name])
        if slots != self.slots or masters.keys() != self.masters.keys():
            logger.info("the cluster has %d masters: %s", len(masters), ", ".join(sorted(masters)))
            self.slots, self.masters = slots, masters
            self._changed()
