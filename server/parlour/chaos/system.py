"""The system under test: a store, several nodes, bot workers, and proxies through which faults are injected."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from msgspec import Struct
from redis.asyncio import Redis

from parlour.chaos.faketime import FakeClock
from parlour.chaos.processes import ChildProcess, NodeProcess, WorkerProcess
from parlour.chaos.proxy import HOST
from parlour.chaos.proxy_process import ProxyProcess
from parlour.server.store.embedded import EmbeddedStore

PARLOUR = (sys.executable, "-m", "parlour.cli")

# All clients come from one address and are in a hurry, which a public server would not like. No fault keeps a player
# offline for as long as it takes to claim a game, so a claim that succeeds is a violation.
SETTINGS = (
    "--claim-after", "30",
    "--max-connections-per-address", "100000", "--message-rate", "10000", "--message-burst", "50000",
    "--unlimited-networks", "127.0.0.0/8",
)  # fmt: skip


STORE_TIMEOUT = 60.0  # seconds for a reply of the store; longer than any fault


class Node(Struct, frozen=True):
    """A node, and the proxies before and behind it."""

    process: NodeProcess
    clients: ProxyProcess  # between the clients and the node
    link: ProxyProcess  # between the node and the store

    @property
    def url(self) -> str:
        """Where clients connect to."""
        return f"ws://{HOST}:{self.clients.port}/ws"


class System:
    """An async context manager that starts everything, and leaves nothing behind."""

    def __init__(
        self,
        data: Path,
        *,
        nodes: int,
        workers: int,
        server_command: Sequence[str] = (*PARLOUR, "serve"),
        games: Sequence[Path] = (),
        library: Path | None = None,
    ) -> None:
        """`games` are folders with games for all processes, `library` is libfaketime if the store needs it."""
        self._data = data
        self._node_count = nodes
        self._worker_count = workers
        self._server_command = tuple(server_command)
        self._environ = {**os.environ, "PARLOUR_GAMES": os.pathsep.join(str(folder.absolute()) for folder in games)}
        self._parts = AsyncExitStack()
        self.clock = None if library is None else FakeClock(library, data / "faketime")
        self.store = EmbeddedStore(data / "store")
        self.nodes: list[Node] = []
        self.workers: list[WorkerProcess] = []

    async def __aenter__(self) -> Self:
        try:
            await self._start()
        except BaseException:
            await self._parts.aclose()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._parts.aclose()

    @property
    def urls(self) -> list[str]:
        """The addresses of all nodes."""
        return [node.url for node in self.nodes]

    @property
    def processes(self) -> list[ChildProcess]:
        """All nodes and workers."""
        return [*(node.process for node in self.nodes), *self.workers]

    def redis(self) -> Redis:
        """Return a connection to the store that no fault of the network affects, to use with `async with`."""
        return Redis.from_url(self.store.url, socket_timeout=STORE_TIMEOUT)

    async def start_store(self) -> None:
        """Start the store again after it has ended."""
        with self.clock.preloaded() if self.clock is not None else nullcontext():
            await self.store.restart()

    async def _start(self) -> None:
        with self.clock.preloaded() if self.clock is not None else nullcontext():
            await self.store.start()
        self._parts.push_async_callback(self.store.stop)
        # The path of a Unix socket must be short.
        sockets = Path(self._parts.enter_context(TemporaryDirectory(prefix="parlour-")))
        ports = _free_ports(self._node_count)
        proxies = [await self._parts.enter_async_context(ProxyProcess(port)) for port in ports]
        urls = ",".join(f"ws://{HOST}:{proxy.port}/ws" for proxy in proxies)
        for number, (port, clients) in enumerate(zip(ports, proxies, strict=True), 1):
            path = sockets / str(number)
            link = ProxyProcess(Path(self.store.url.removeprefix("unix://")), path)
            await self._parts.enter_async_context(link)
            command = (
                *self._server_command, "--host", HOST, "--port", str(port), "--redis", f"unix://{path}",
                "--data", str(self._data), "--nodes", urls, "--bot-workers", "0", *SETTINGS,
            )  # fmt: skip
            process = NodeProcess(f"node {number}", command, port, self._data / f"node-{number}.log", self._environ)
            self._parts.push_async_callback(process.kill)
            self.nodes.append(Node(process, clients, link))
            await process.start()
        for number in range(1, self._worker_count + 1):
            command = (
                *PARLOUR, "worker", "--redis", self.store.url, "--data", str(self._data), "--bot-workers", "1",
            )  # fmt: skip
            worker = WorkerProcess(f"worker {number}", command, self._data / f"worker-{number}.log", self._environ)
            self._parts.push_async_callback(worker.kill)
            self.workers.append(worker)
            await worker.start()
        await asyncio.gather(*(process.ready() for process in self.processes))


def _free_ports(count: int) -> list[int]:
    """Return ports that are free now; all are held until the last is found, so that they differ."""
    with ExitStack() as stack:
        held = [stack.enter_context(socket.create_server((HOST, 0))) for _ in range(count)]
        return [one.getsockname()[1] for one in held]
