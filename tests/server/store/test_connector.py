"""Keeping a connection to Redis: opening, greeting, watching and reopening it."""

from __future__ import annotations

import asyncio
import signal
import tempfile
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any

import pytest
from redis.asyncio import Redis

from parlour.server.store.address import Address, parse
from parlour.server.store.connector import FIRST_PAUSE, Connector
from parlour.server.store.errors import ConnectionLost, StoreUnavailable
from parlour.server.store.resp import RespConnection
from tests.redis_client import client
from tests.server.store.private_valkey import PrivateValkey
from tests.server.store.tls_proxy import TlsProxy
from tests.waiting import WITHIN, until


async def no_greeting(connection: RespConnection, facts: dict[bytes, Any]) -> None:
    """Use every new connection as it is."""


def server_at(url: str) -> Address:
    address = parse(url)
    assert isinstance(address, Address)
    return address


@asynccontextmanager
async def connected(url: str, timeout: float = 5.0) -> AsyncIterator[Connector]:
    connector = Connector(server_at(url), no_greeting, timeout=timeout)
    await connector.open(within=20)
    yield connector
    await connector.close()


async def call(connector: Connector, *args: str) -> Any:
    assert connector.connection is not None
    return await asyncio.wait_for(connector.connection.call(*args), WITHIN)


async def test_password_and_database(start_valkey: Callable[..., PrivateValkey]) -> None:
    """The password and the database are taken from the address; a wrong password is reported in one sentence."""
    server = start_valkey("--requirepass", "se/cret", "--protected-mode", "no")
    async with connected(f"unix://:se%2Fcret@{server.socket}?db=3") as connector:
        await call(connector, "SET", "k", "v")
        assert b"db3:keys=1" in await call(connector, "INFO", "keyspace")
    with pytest.raises(StoreUnavailable, match=r"Redis at unix:///tmp/.*cannot be used: .*(WRONGPASS|invalid)"):
        async with connected(f"unix://:wrong@{server.socket}"):
            pass


async def test_tcp(start_valkey: Callable[..., PrivateValkey], unused_tcp_port: int) -> None:
    """A host and a port work as well as a socket; a closed port is reported in one sentence."""
    url = f"redis://127.0.0.1:{unused_tcp_port}"
    with pytest.raises(StoreUnavailable, match=rf"Redis at {url}/0 .*no server is listening there"):
        await Connector(server_at(url), no_greeting).open(within=0.2)
    start_valkey("--port", str(unused_tcp_port))
    async with connected(f"{url}/1") as connector:
        assert await call(connector, "PING") == b"PONG"


async def test_tls(redis: Redis, tls_proxy: TlsProxy) -> None:
    """The connection can be encrypted, and the certificate is checked unless the URL says otherwise."""
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)  # the proxy logs the failed handshake
    for option in (f"ssl_ca_certs={tls_proxy.certificate}", "ssl_cert_reqs=none"):
        await redis.set("k", option)
        async with connected(f"{tls_proxy.url}?{option}") as connector:
            assert await call(connector, "GET", "k") == option.encode()
    with pytest.raises(StoreUnavailable, match=r"rediss://localhost:.* cannot be used: .*certificate"):
        await Connector(server_at(tls_proxy.url), no_greeting).open(within=20)
    with pytest.raises(StoreUnavailable, match=r"the certificates in /no-such-file cannot be read\.$"):
        await Connector(server_at(f"{tls_proxy.url}?ssl_ca_certs=/no-such-file"), no_greeting).open(within=20)


async def test_a_replica_is_refused(start_valkey: Callable[..., PrivateValkey]) -> None:
    """A server that cannot be written to is refused at once."""
    server = start_valkey("--replicaof", "127.0.0.1 1")
    with pytest.raises(StoreUnavailable, match="it is a replica"):
        async with connected(server.url):
            pass


async def test_a_silent_server(start_valkey: Callable[..., PrivateValkey]) -> None:
    """A server that does not reply is reported when the time to open is over."""
    server = start_valkey()
    server.signal(signal.SIGSTOP)
    with pytest.raises(StoreUnavailable, match="it does not answer in time"):
        await Connector(server_at(server.url), no_greeting).open(within=0.2)


async def test_every_new_connection_is_greeted(valkey: str, redis: Redis) -> None:
    """`greet` is awaited on each connection before it may be used, with the facts that Redis states about itself."""
    greeted: list[bytes] = []
    blocked = asyncio.Event()
    blocked.set()

    async def greet(connection: RespConnection, facts: dict[bytes, Any]) -> None:
        greeted.append(facts[b"role"])
        assert connector.connection is None
        await blocked.wait()

    connector = Connector(server_at(valkey), greet)
    await connector.open(within=20)
    blocked.clear()
    await redis.client_kill_filter(_type="normal", skipme=True)
    await until(lambda: len(greeted) == 2)
    assert connector.connection is None
    blocked.set()
    await asyncio.wait_for(connector.ready(), WITHIN)
    assert connector.connection is not None
    assert greeted == [b"master", b"master"]
    await connector.close()


async def test_a_greeting_that_fails_is_retried(valkey: str, caplog: pytest.LogCaptureFixture) -> None:
    """An unexpected error in `greet` is logged, and the connector connects again."""
    attempts = 0

    async def greet(connection: RespConnection, facts: dict[bytes, Any]) -> None:
        nonlocal attempts
        attempts += 1
        if attempts < 3:
            raise ZeroDivisionError

    connector = Connector(server_at(valkey), greet)
    await connector.open(within=20)
    assert attempts == 3
    assert caplog.text.count("unexpected error while connecting") == 2
    await connector.close()


async def test_a_server_that_hangs(start_valkey: Callable[..., PrivateValkey]) -> None:
    """A connection whose reply is overdue counts as lost after the timeout; it is reopened when the server resumes."""
    server = start_valkey()
    async with connected(server.url, timeout=0.4) as connector:
        server.signal(signal.SIGSTOP)
        with pytest.raises(ConnectionLost):
            await call(connector, "PING")
        assert connector.connection is None
        server.signal(signal.SIGCONT)
        await asyncio.wait_for(connector.ready(), WITHIN)
        assert await call(connector, "PING") == b"PONG"


async def test_an_idle_connection_is_checked(start_valkey: Callable[..., PrivateValkey]) -> None:
    """An idle connection is pinged periodically, and counts as lost when the server does not reply."""
    server = start_valkey()
    observer = client(server.url)

    async def pings() -> int:
        calls: int = (await observer.info("commandstats"))["cmdstat_ping"]["calls"]
        return calls

    async def is_pinged() -> bool:
        return await pings() >= before + 2

    async with connected(server.url, timeout=0.8) as connector:
        before = await pings()
        await until(is_pinged)
        assert connector.connection is not None
        await observer.aclose()
        server.signal(signal.SIGSTOP)
        await until(lambda: connector.connection is None)


async def test_closing(valkey: str, redis: Redis) -> None:
    """Closing breaks the connection, and can be repeated."""
    async with connected(valkey) as connector:
        assert connector.connection is not None
        lost = connector.connection.lost
        await connector.close()
        await asyncio.wait_for(lost, WITHIN)
        assert connector.connection is None


async def test_a_connection_can_be_opened_anew(valkey: str) -> None:
    """Without being reported as lost, since it was meant to be."""
    errors: list[Exception] = []
    connector = Connector(server_at(valkey), no_greeting, report=errors.append)
    await connector.open(within=20)
    first = connector.connection
    connector.reconnect()
    await until(lambda: connector.connection not in (None, first))
    assert errors == []
    await connector.close()


async def test_errors_are_reported(start_valkey: Callable[..., PrivateValkey]) -> None:
    """The loss of the connection, and each attempt that fails, with growing pauses."""
    server = start_valkey()
    errors: list[Exception] = []
    connector = Connector(server_at(server.url), no_greeting, report=errors.append)
    await connector.open(within=20)
    server.kill()
    await until(lambda: len(errors) > 2)
    lost, *refused = errors
    assert isinstance(lost, ConnectionResetError)
    assert all(isinstance(each, ConnectionRefusedError) for each in refused)
    await connector.close()


async def test_a_server_that_hangs_up_at_once_is_not_flooded() -> None:
    """If every connection is lost as soon as it is open, the pauses between them grow all the same."""
    accepted: list[float] = []

    async def accept(reader: StreamReader, writer: StreamWriter) -> None:
        accepted.append(monotonic())
        for reply in (b"*2\r\n$4\r\nrole\r\n$6\r\nmaster\r\n", b"+PONG\r\n"):
            await reader.read(1024)
            writer.write(reply)
        await writer.drain()
        writer.close()

    with tempfile.TemporaryDirectory() as folder:
        server = await asyncio.start_unix_server(accept, f"{folder}/s")
        connector = Connector(server_at(f"unix://{folder}/s"), no_greeting)
        await connector.open(within=20)
        await until(lambda: len(accepted) >= 7)
        await connector.close()
        server.close()
    assert accepted[-1] - accepted[0] > FIRST_PAUSE * 8  # half of 1 + 2 + 4 + 8 + 16
