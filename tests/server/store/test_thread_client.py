"""The client of the heartbeat thread."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis
from redis.exceptions import RedisError

from parlour.server.store.address import Address, parse
from parlour.server.store.thread_client import thread_client
from tests.server.store.tls_proxy import TlsProxy


def ping(url: str) -> bool:
    """Connect as a thread does, without the event loop."""
    address = parse(url)
    assert isinstance(address, Address)
    client = thread_client(address)
    try:
        return bool(client.ping())
    finally:
        client.close()


async def test_a_unix_socket(valkey: str) -> None:
    """The client connects to a server on this machine."""
    assert await asyncio.to_thread(ping, valkey)


async def test_tls(redis: Redis, tls_proxy: TlsProxy) -> None:
    """The connection can be encrypted, and the certificate is checked unless the URL says otherwise."""
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)  # the proxy logs the failed handshake
    for option in (f"ssl_ca_certs={tls_proxy.certificate}", "ssl_cert_reqs=none"):
        assert await asyncio.to_thread(ping, f"{tls_proxy.url}?{option}")
    with pytest.raises(RedisError, match="certificate"):
        await asyncio.to_thread(ping, tls_proxy.url)
