"""A proxy for TCP and Unix sockets whose connections can be cut, delayed and half-opened."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from contextlib import suppress
from enum import Enum, auto
from pathlib import Path
from typing import Self

from msgspec import Struct

HOST = "127.0.0.1"
CHUNK = 64 * 1024  # bytes

Address = int | Path  # a port on this machine, or a Unix socket


class Way(Enum):
    """The direction in which data flows."""

    TO_SERVER = auto()
    TO_CLIENT = auto()


class Link(Struct, eq=False):
    """A connection of a client, and the connection to the server that belongs to it."""

    client: StreamWriter
    server: StreamWriter
    lossy: set[Way]  # bytes were lost on this way: nothing may follow them

    def abort(self) -> None:
        for writer in (self.client, self.server):
            writer.transport.abort()


class Proxy:
    """A proxy that forwards everything until told otherwise. An async context manager."""

    def __init__(self, server: Address, listen: Address = 0) -> None:
        """`listen`: 0 for any free port."""
        self._server_address = server
        self._listen = listen
        self._listener: asyncio.Server | None = None
        self._links: set[Link] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._refusing = False
        self._delay = 0.0
        self._swallowed: frozenset[Way] = frozenset()
        self._healed = asyncio.Event()

    @property
    def port(self) -> int:
        assert self._listener is not None
        port: int = self._listener.sockets[0].getsockname()[1]
        return port

    async def __aenter__(self) -> Self:
        if isinstance(self._listen, Path):
            self._listener = await asyncio.start_unix_server(self._accept, self._listen)
        else:
            self._listener = await asyncio.start_server(self._accept, HOST, self._listen, backlog=1024)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._listener is not None
        self._listener.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # -- faults

    def cut(self) -> None:
        """Abort all connections, and refuse new ones until `heal`."""
        self._refusing = True
        self._abort_all()

    def delay(self, seconds: float) -> None:
        """Deliver everything this much later, until `heal`."""
        self._delay = seconds

    def swallow(self, *ways: Way) -> None:
        """Accept data on these ways and forward none of it, until `heal`. No side learns that the other has closed."""
        self._healed.clear()
        self._swallowed = frozenset(ways)

    def heal(self) -> None:
        """Work properly again. Connections that may have lost data are aborted."""
        self._refusing = False
        self._delay = 0.0
        if self._swallowed:
            self._swallowed = frozenset()
            self._abort_all()
        self._healed.set()

    def _abort_all(self) -> None:
        for link in self._links:
            link.abort()

    # -- forwarding

    def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            if self._refusing:
                raise ConnectionRefusedError
            server_reader, server_writer = await self._connect()
        except OSError:
            writer.transport.abort()
            return
        link = Link(writer, server_writer, set())
        self._links.add(link)
        try:
            pumps = [
                asyncio.create_task(self._pump(link, reader, server_writer, Way.TO_SERVER)),
                asyncio.create_task(self._pump(link, server_reader, writer, Way.TO_CLIENT)),
            ]
            try:
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for pump in pumps:
                    pump.cancel()
                await asyncio.gather(*pumps, return_exceptions=True)
        finally:
            self._links.discard(link)
            for side in (writer, server_writer):
                side.close()

    async def _connect(self) -> tuple[StreamReader, StreamWriter]:
        if isinstance(self._server_address, Path):
            return await asyncio.open_unix_connection(self._server_address)
        return await asyncio.open_connection(HOST, self._server_address)

    async def _pump(self, link: Link, reader: StreamReader, writer: StreamWriter, way: Way) -> None:
        """Forward data one way, until its sender closes the connection."""
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                if self._delay:
                    await asyncio.sleep(self._delay)
                if way in self._swallowed:
                    link.lossy.add(way)
                if way not in link.lossy:
                    writer.write(data)
                    await writer.drain()
        if way in self._swallowed:
            await self._healed.wait()
