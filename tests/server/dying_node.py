"""A node that dies between two steps of what it does in the store."""

from __future__ import annotations

import asyncio
import tempfile
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from msgspec import Struct

from parlour.server.store.pipeline import Pipeline

CHUNK = 64 * 1024  # bytes


class Death(Struct, frozen=True):
    """When a node dies. A step is what it sends before it waits for a reply."""

    steps: int  # that are executed, with their replies
    one_more: bool = False  # the next step is executed too, but its reply is lost

    def __str__(self) -> str:
        return f"after {self.steps}{' and a half' if self.one_more else ''}"


def deaths(steps: int) -> list[Death]:
    """Return every death within this number of steps."""
    return [Death(done, one_more) for done in range(steps) for one_more in (False, True)]


class DyingNode:
    """The connection of a node to a store on a Unix socket, through a proxy that ends it."""

    pipeline: Pipeline

    def __init__(self, store: str) -> None:
        self._store = store.removeprefix("unix://")
        self._death: Death | None = None
        self._done = 0
        self._is_dead = False

    async def die(self, death: Death) -> None:
        """Die some steps from now, and never come back."""
        await self.pipeline.call(b"PING")  # what was sent before is executed
        self._death = death

    async def accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Serve a connection until the node dies."""
        try:
            if not self._is_dead:
                store_reader, store_writer = await asyncio.open_unix_connection(self._store)
                replies = asyncio.create_task(self._pass_replies(store_reader, writer))
                await self._pass_commands(reader, store_writer)
                store_writer.write_eof()  # the store executes what it has received
                await replies
                store_writer.close()
        finally:
            writer.transport.abort()

    async def _pass_commands(self, reader: StreamReader, store: StreamWriter) -> None:
        while data := await reader.read(CHUNK):
            if self._death is not None:
                self._is_dead = self._done >= self._death.steps
                self._done += 1
            if not self._is_dead or (self._death is not None and self._death.one_more):
                store.write(data)
                await store.drain()
            if self._is_dead:
                return

    async def _pass_replies(self, store: StreamReader, writer: StreamWriter) -> None:
        with suppress(OSError):
            while data := await store.read(CHUNK):
                if not self._is_dead:
                    writer.write(data)


@asynccontextmanager
async def dying_node(store: str) -> AsyncIterator[DyingNode]:
    """A node that lives until it is told when to die."""
    node = DyingNode(store)
    with tempfile.TemporaryDirectory() as folder:
        socket = Path(folder, "s")
        server = await asyncio.start_unix_server(node.accept, socket)
        node.pipeline = Pipeline(f"unix://{socket}")
        await node.pipeline.open()
        try:
            yield node
        finally:
            await node.pipeline.close()
            server.close()
