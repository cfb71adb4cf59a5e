"""A proxy in a process of its own."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from pathlib import Path

import pytest

from parlour.chaos.proxy import HOST, Proxy, Way
from parlour.chaos.proxy_process import ProxyProcess, obey
from tests.waiting import WITHIN


async def answer(reader: StreamReader, writer: StreamWriter) -> None:
    """Answer each line with the same line."""
    try:
        while line := await reader.readline():
            writer.write(line)
    except ConnectionError:
        pass
    finally:
        writer.close()


async def ask(port: int) -> bytes:
    """Return the answer to a line on a new connection; nothing if the connection is refused or ends."""
    try:
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(b"hello\n")
        answered = await reader.readline()
    except ConnectionError:
        return b""
    writer.close()
    return answered


async def test_every_fault_begins_and_ends() -> None:
    """The commands reach the other process in order: nothing gets through a cut, everything does once it is healed."""
    server = await asyncio.start_server(answer, HOST, 0)
    async with asyncio.timeout(WITHIN), ProxyProcess(server.sockets[0].getsockname()[1]) as proxy:
        assert await ask(proxy.port) == b"hello\n"
        proxy.delay(0.01)
        assert await ask(proxy.port) == b"hello\n"
        for fault in (proxy.cut, lambda: proxy.swallow(*Way)):
            fault()
            while (asking := asyncio.create_task(ask(proxy.port))) in (await asyncio.wait([asking], timeout=0.5))[0]:
                if asking.result() == b"":  # cut
                    break
            proxy.heal()
            await asking
            while await ask(proxy.port) != b"hello\n":
                pass
    server.close()


async def test_unix_sockets(tmp_path: Path) -> None:
    """Both sides may be Unix sockets."""
    server = await asyncio.start_unix_server(answer, tmp_path / "server")
    async with asyncio.timeout(WITHIN), ProxyProcess(tmp_path / "server", tmp_path / "proxy"):
        reader, writer = await asyncio.open_unix_connection(tmp_path / "proxy")
        writer.write(b"hello\n")
        assert await reader.readline() == b"hello\n"
        writer.close()
    server.close()


async def test_an_unknown_command_is_refused() -> None:
    """A misspelled command does not go unnoticed."""
    with pytest.raises(ValueError, match="unknown command"):
        obey(Proxy(0), "cutt")
