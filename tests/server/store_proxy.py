"""A proxy between a node and its store, whose two connections can be cut and kept down separately."""

from __future__ import annotations

import asyncio
import tempfile
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
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
        self._flowing = asyncio.Event()
        self._flowing.set()

    def freeze(self) -> None:
        """Keep all connections open, and let nothing through until `thaw`."""
        self._flowing.clear()

    def thaw(self) -> None:
        self._flowing.set()

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
        try:
            await self._allowed[kind].wait()
            await self._flowing.wait()
            store_reader, store_writer = await asyncio.open_unix_connection(self._store)
            store_writer.write(greeting)
            ends = {writer, store_writer}
            self._links[kind] |= ends
            try:
                pumps = [
                    asyncio.create_task(self._pump(*way)) for way in ((reader, store_writer), (store_reader, writer))
                ]
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
                for task in pumps:
                    task.cancel()
            finally:
                self._links[kind] -= ends
                store_writer.transport.abort()
        finally:
            writer.transport.abort()

    async def _pump(self, reader: StreamReader, writer: StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                await self._flowing.wait()
                writer.write(data)


@asynccontextmanager
async def store_proxy(store: str) -> AsyncIterator[tuple[StoreProxy, str]]:
    """A proxy before a store, and its URL."""
    proxy = StoreProxy(store)
    with tempfile.TemporaryDirectory() as folder:
        socket = Path(folder, "s")
        server = await asyncio.start_unix_server(proxy.accept, socket)
        try:
            yield proxy, f"unix://{socket}"
        finally:
            server.close()
