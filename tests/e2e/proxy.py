"""A bad network between clients and a server: a TCP proxy whose connections can be cut, stalled and lost."""

from __future__ import annotations

import asyncio
import socket
import struct
from asyncio import StreamReader, StreamWriter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from types import TracebackType
from typing import Self

from msgspec import Struct

AT_ONCE = 64 * 1024  # bytes
RESET_ON_CLOSE = struct.pack("ii", 1, 0)


class Cut(Struct, frozen=True):
    """A connection is cut, both ways, after a number of bytes has gone one way; 0 for before the first one."""

    after: int
    to_server: bool = False  # which way is counted
    reset: bool = True  # with RST; else with FIN, as a process does that ends


class Link:
    """One connection through the proxy."""

    def __init__(self, client: StreamWriter, server: StreamWriter, fate: Cut | None, delay: float) -> None:
        self.given_up = asyncio.Event()  # the server has ended its part
        self._client = client
        self._server = server
        self._delay = delay
        self._stalled = False
        self._open = asyncio.Event()  # to the client
        self._open.set()
        self._left = 0  # bytes until it is cut
        self._fate: Cut | None = None
        if fate is not None:
            self.cut_after(fate)

    def cut_after(self, fate: Cut) -> None:
        """Cut the connection when a number of bytes has gone that way from now on."""
        self._fate = fate
        self._left = fate.after

    def hold(self) -> None:
        """Keep back what comes for the client, until `let_go`."""
        self._open.clear()

    def let_go(self) -> None:
        self._open.set()

    def stall(self) -> None:
        """Let nothing through any more, not even that one side has closed."""
        self._stalled = True

    def lose(self) -> None:
        """Close the client's side without telling the server."""
        self.stall()
        end(self._client, reset=True)

    async def pump(self, reader: StreamReader, to_server: bool) -> Cut | None:
        """Forward data from one side, until it ends or the connection is to be cut."""
        writer = self._server if to_server else self._client
        with suppress(OSError):
            while data := await reader.read(AT_ONCE):
                if self._delay:
                    await asyncio.sleep(self._delay)
                if not to_server:
                    await self._open.wait()
                if self._stalled:
                    continue
                if self._fate is not None and self._fate.to_server == to_server:
                    if len(data) >= self._left:
                        writer.write(data[: self._left])
                        return self._fate
                    self._left -= len(data)
                writer.write(data)
                await writer.drain()
        if not to_server:
            self.given_up.set()
        if not self._stalled:
            with suppress(OSError):
                writer.write_eof()
        return None


class Proxy:
    """A proxy, as an async context manager. `fates` are those of its connections, in order.

    `delay`: seconds that everything takes, each way.
    """

    def __init__(self, port: int, fates: Iterable[Cut] = (), *, delay: float = 0.0) -> None:
        self.newest: Link | None = None  # the last connection that got through
        self.cuts = 0  # how many connections have met their fate
        self.closed = False  # lets nothing through, as if the network were down
        self._port = port
        self._delay = delay
        self._fates: Iterator[Cut] = iter(fates)
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"ws://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/ws"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.create_task(self._connect(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connect(self, reader: StreamReader, writer: StreamWriter) -> None:
        sides = [writer]
        reset = True
        try:
            if not self.closed:
                server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self._port)
                sides.append(server_writer)
                self.newest = Link(writer, server_writer, next(self._fates, None), self._delay)
                reset = await self._pass(self.newest, reader, server_reader)
        except OSError:
            pass  # the server does not listen
        finally:
            for side in sides:
                end(side, reset)
            for side in sides:
                with suppress(OSError):
                    await side.wait_closed()

    async def _pass(self, link: Link, reader: StreamReader, server_reader: StreamReader) -> bool:
        """Forward everything until it ends; return whether to end with RST."""
        pumps = [
            asyncio.create_task(link.pump(reader, to_server=True)),
            asyncio.create_task(link.pump(server_reader, to_server=False)),
        ]
        try:
            for pump in asyncio.as_completed(pumps):
                met = await pump
                if met is not None:
                    self.cuts += 1
                    return met.reset
        finally:
            for task in pumps:
                task.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)
        return True


def end(writer: StreamWriter, reset: bool) -> None:
    """End one side of a connection."""
    connection: socket.socket = writer.get_extra_info("socket")
    if reset and connection.fileno() >= 0:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
        writer.transport.abort()
    else:
        writer.close()
