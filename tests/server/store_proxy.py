"""A proxy between nodes and their store, whose connections can be cut and kept down separately."""

from __future__ import annotations

import asyncio
import socket
import struct
import tempfile
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Literal

Kind = Literal["pipeline", "pubsub"]

CHUNK = 64 * 1024  # bytes


class StoreProxy:
    """Passes on everything between a node and a store on a Unix socket."""

    def __init__(self, store: str) -> None:
        self._store = store.removeprefix("unix://")
        self._links: dict[Kind, set[StreamWriter]] = {"pipeline": set(), "pubsub": set()}
        self._allowed: dict[Kind, asyncio.Event] = {"pipeline": asyncio.Event(), "pubsub": asyncio.Event()}
        for allowed in self._allowed.values():
            allowed.set()
        self._frozen: Callable[[int], bool] = lambda _: False  # whether a process gets nothing through
        self._thawed = asyncio.Condition()

    def freeze(self, process: int | None = None) -> None:
        """Keep connections open, those of one process or all, and let nothing through until `thaw`."""
        self._frozen = lambda peer: process in (peer, None)

    async def thaw(self) -> None:
        async with self._thawed:
            self._frozen = lambda _: False
            self._thawed.notify_all()

    async def _flow(self, peer: int) -> None:
        """Wait until what a process sends and receives gets through."""
        async with self._thawed:
            await self._thawed.wait_for(lambda: not self._frozen(peer))

    def lead_to(self, store: str) -> None:
        """Connect to another store from now on. Connections that are open stay where they are."""
        self._store = store.removeprefix("unix://")

    def cut(self, kind: Kind) -> None:
        """Break a connection and let no new one through until `restore`."""
        self._allowed[kind].clear()
        for writer in self._links[kind]:
            writer.transport.abort()

    def restore(self, kind: Kind) -> None:
        self._allowed[kind].set()

    async def accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        greeting = await reader.read(CHUNK)
        kind: Kind = "pubsub" if b"$1\r\n3\r\n" in greeting else "pipeline"  # HELLO 3: the pub/sub connection
        peer = process_of(writer)
        try:
            await self._allowed[kind].wait()
            await self._flow(peer)
            store_reader, store_writer = await asyncio.open_unix_connection(self._store)
            store_writer.write(greeting)
            ends = {writer, store_writer}
            self._links[kind] |= ends
            try:
                pumps = [
                    asyncio.create_task(self._pump(peer, *way))
                    for way in ((reader, store_writer), (store_reader, writer))
                ]
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
                for task in pumps:
                    task.cancel()
            finally:
                self._links[kind] -= ends
                store_writer.transport.abort()
        finally:
            writer.transport.abort()

    async def _pump(self, peer: int, reader: StreamReader, writer: StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                await self._flow(peer)
                writer.write(data)


def process_of(writer: StreamWriter) -> int:
    """Return the id of the process at the other end of a Unix socket."""
    credentials = writer.get_extra_info("socket").getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    pid: int = struct.unpack("3i", credentials)[0]
    return pid


@asynccontextmanager
async def store_proxy(store: str) -> AsyncIterator[tuple[StoreProxy, str]]:
    """A proxy before a store, and its URL."""
    proxy = StoreProxy(store)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "s")
        server = await asyncio.start_unix_server(proxy.accept, path)
        try:
            yield proxy, f"unix://{path}"
        finally:
            server.close()
