"""The connections to all masters of the store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from parlour.server.store.connector import Connector
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.resp import RespConnection
from parlour.server.store.topology import Topology

Greet = Callable[[str, RespConnection, dict[bytes, Any]], Awaitable[None]]

LOOK_EVERY = 0.02  # seconds, while waiting for masters of a cluster
CLOSE_WITHIN = 5.0  # seconds to wait for the last replies of a master that has lost its slots


class Masters:
    """Keeps one connection to each master in a topology.

    `greet` is awaited on every new connection before it may be used, with the name of the master and what the server
    states about itself. `sole` is the connector of a store with one master for good, which needs no slot map.
    """

    def __init__(
        self,
        topology: Topology,
        greet: Greet,
        *,
        connection: Callable[[], RespConnection] = RespConnection,
        resp: Literal[2, 3] = 2,
        report: Callable[[Exception], None] = lambda _: None,
        timeout: float = 5.0,
    ) -> None:
        """`connection` creates the protocol of each new connection; `report` is called with their errors."""
        self._topology = topology
        self._greet = greet
        self._connection = connection
        self._resp = resp
        self._report = report
        self._timeout = timeout
        self._connectors: dict[str, Connector] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._is_open = False
        self.sole: Connector | None = None
        if not topology.is_cluster:
            (name,) = topology.masters
            self.sole = self._connectors[name] = self._connector(name)
        topology.on_change.append(self._follow)

    async def open(self, within: float) -> None:
        """Connect to every master. Raise StoreUnavailable after `within` seconds."""
        await self._topology.open()
        for name in self._topology.masters:
            self._connectors.setdefault(name, self._connector(name))
        self._is_open = True
        try:
            async with asyncio.TaskGroup() as group:
                for each in list(self._connectors.values()):
                    group.create_task(each.open(within))
        except* StoreUnavailable as errors:
            await self.close()
            raise errors.exceptions[0] from None

    async def close(self) -> None:
        """Disconnect."""
        self._is_open = False
        for each in list(self._connectors.values()):
            await each.close()
        for task in self._closing:
            task.cancel()
        await asyncio.gather(*self._closing, return_exceptions=True)

    def of(self, slot: int) -> Connector | None:
        """Return the connector of the master that has a slot; None if no master has it."""
        name = self._topology.slots[slot]
        return None if name is None else self._connectors.get(name)

    def named(self, name: str) -> Connector | None:
        """Return the connector of the master with this name."""
        return self._connectors.get(name)

    @property
    def connections(self) -> list[RespConnection]:
        """The open connections."""
        return [each.connection for each in self._connectors.values() if each.connection is not None]

    @property
    def up(self) -> bool:
        """Whether every master is connected now."""
        return bool(self._connectors) and all(each.connection is not None for each in self._connectors.values())

    async def ready(self, slot: int | None = None) -> None:
        """Wait until the master of a slot is connected, or every master."""
        if self.sole is not None:
            await self.sole.ready()
            return
        while not (self.up if slot is None else self._is_up(slot)):
            await asyncio.sleep(LOOK_EVERY)  # the slot may move to another master in the meantime

    def _is_up(self, slot: int) -> bool:
        found = self.of(slot)
        return found is not None and found.connection is not None

    def reconnect(self) -> None:
        """Break every connection and open a new one: the address may lead to another server now."""
        if self._topology.is_cluster:
            self._topology.refresh()
        else:
            for each in self._connectors.values():
                each.reconnect()

    def _connector(self, name: str) -> Connector:
        async def greet(connection: RespConnection, facts: dict[bytes, Any]) -> None:
            if facts.get(b"mode") == b"cluster" and not self._topology.is_cluster:
                raise StoreUnavailable(f"it is part of a cluster; write {cluster_url(name)} instead")
            await self._greet(name, connection, facts)

        return Connector(
            self._topology.masters[name],
            greet,
            connection=self._connection,
            resp=self._resp,
            report=self._failed,
            timeout=self._timeout,
        )

    def _failed(self, error: Exception) -> None:
        self._topology.refresh()
        self._report(error)

    def _follow(self) -> None:
        """Connect to new masters, and disconnect from servers that are no longer masters."""
        if not self._is_open:
            return
        for name in self._topology.masters.keys() - self._connectors.keys():
            self._connectors[name] = self._connector(name)
            self._connectors[name].start()
        for name in self._connectors.keys() - self._topology.masters.keys():
            task = asyncio.create_task(_close_when_idle(self._connectors.pop(name)))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)


def cluster_url(server: str) -> str:
    """Return the URL of the cluster that a server, given by its URL, is part of."""
    return server.replace("://", "+cluster://").rpartition("/")[0]


async def _close_when_idle(connector: Connector) -> None:
    """Close a connector when every reply has arrived, or will never arrive."""
    try:
        async with asyncio.timeout(CLOSE_WITHIN):
            while connector.connection is not None and connector.connection.in_flight:
                await asyncio.sleep(0.05)
    except TimeoutError:
        pass
    finally:
        await connector.close()
