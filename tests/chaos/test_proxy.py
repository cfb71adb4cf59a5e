"""The proxy through which faults of the network are injected."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic

import pytest

from parlour.chaos.proxy import HOST, Proxy, Way
from tests.waiting import WITHIN, until


class EchoServer:
    """Answers every line with the same line, and knows how many connections it has."""

    def __init__(self) -> None:
        self.received: list[bytes] = []
        self.connections = 0

    async def accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        self.connections += 1
        try:
            while line := await reader.readline():
                self.received.append(line)
                writer.write(line)
        except ConnectionError:
            pass
        finally:
            self.connections -= 1
            writer.close()


@asynccontextmanager
async def proxied() -> AsyncIterator[tuple[EchoServer, Proxy]]:
    echo = EchoServer()
    server = await asyncio.start_server(echo.accept, HOST, 0)
    async with Proxy(server.sockets[0].getsockname()[1]) as proxy:
        yield echo, proxy
    server.close()


@asynccontextmanager
async def connection(proxy: Proxy) -> AsyncIterator[tuple[StreamReader, StreamWriter]]:
    async with asyncio.timeout(WITHIN):
        reader, writer = await asyncio.open_connection(HOST, proxy.port)
        yield reader, writer
        writer.transport.abort()


async def is_closed(reader: StreamReader) -> bool:
    """Wait for the end of a connection."""
    try:
        return await reader.read() == b""
    except ConnectionError:
        return True


async def test_everything_is_forwarded() -> None:
    """Data goes both ways, and the end of a connection too."""
    async with proxied() as (echo, proxy), connection(proxy) as (reader, writer):
        writer.write(b"hello\n")
        assert await reader.readline() == b"hello\n"
        assert echo.connections == 1
        writer.close()
        await until(lambda: echo.connections == 0)


async def test_a_unix_socket(tmp_path: Path) -> None:
    """Both sides may be Unix sockets."""
    echo = EchoServer()
    server = await asyncio.start_unix_server(echo.accept, tmp_path / "server")
    async with Proxy(tmp_path / "server", tmp_path / "proxy"), asyncio.timeout(WITHIN):
        reader, writer = await asyncio.open_unix_connection(tmp_path / "proxy")
        writer.write(b"hello\n")
        assert await reader.readline() == b"hello\n"
        writer.close()
    server.close()


async def test_no_server() -> None:
    """Without a server, connections are closed at once."""
    server = await asyncio.start_server(EchoServer().accept, HOST, 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    async with Proxy(port) as proxy, connection(proxy) as (reader, _):
        assert await is_closed(reader)


async def test_a_cut() -> None:
    """Connections end on both sides, new ones are refused, and after healing they are not."""
    async with proxied() as (echo, proxy):
        async with connection(proxy) as (reader, writer):
            writer.write(b"hello\n")
            await reader.readline()
            proxy.cut()
            assert await is_closed(reader)
            await until(lambda: echo.connections == 0)
        async with connection(proxy) as (reader, _):
            assert await is_closed(reader)
        proxy.heal()
        async with connection(proxy) as (reader, writer):
            writer.write(b"again\n")
            assert await reader.readline() == b"again\n"


async def test_a_delay() -> None:
    """Everything arrives later, and in order."""
    async with proxied() as (_, proxy), connection(proxy) as (reader, writer):
        proxy.delay(0.2)
        began = monotonic()
        for number in range(5):
            writer.write(b"%d\n" % number)
            await asyncio.sleep(0.01)
        proxy.heal()
        writer.write(b"5\n")
        assert [await reader.readline() for _ in range(6)] == [b"%d\n" % number for number in range(6)]
        assert monotonic() - began >= 0.2


@pytest.mark.parametrize("ways", [(Way.TO_SERVER, Way.TO_CLIENT), (Way.TO_CLIENT,)])
async def test_a_half_open_connection(ways: tuple[Way, ...]) -> None:
    """What is swallowed never arrives; healing closes the connection, because data is missing."""
    async with proxied() as (echo, proxy), connection(proxy) as (reader, writer):
        writer.write(b"one\n")
        assert await reader.readline() == b"one\n"
        proxy.swallow(*ways)
        writer.write(b"two\n")
        if Way.TO_SERVER not in ways:
            await until(lambda: b"two\n" in echo.received)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await reader.readline()
        assert (b"two\n" in echo.received) == (Way.TO_SERVER not in ways)
        proxy.heal()
        assert await is_closed(reader)


async def test_a_half_open_connection_hides_the_end() -> None:
    """The server does not learn that a client has gone until the network is healed."""
    async with proxied() as (echo, proxy), connection(proxy) as (reader, writer):
        writer.write(b"one\n")
        await reader.readline()
        proxy.swallow(*Way)
        writer.transport.abort()
        async with connection(proxy) as (_, other):
            other.write(b"two\n")
            await until(lambda: echo.connections == 2)
        proxy.heal()
        await until(lambda: echo.connections == 0)
        assert echo.received == [b"one\n"]
