"""The client for blocking commands."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from parlour.server.store.blocking_client import CONNECTIONS, blocking_client
from tests.server.store.private_valkey import PrivateValkey
from tests.server.store.tls_proxy import TlsProxy
from tests.waiting import until


@pytest.fixture
async def blocking(valkey: str, redis: Redis) -> AsyncIterator[Redis]:
    connected = blocking_client(valkey)
    yield connected
    await connected.aclose()


async def test_reply_shapes(blocking: Redis) -> None:
    """Replies are bytes in plain lists and dicts."""
    await blocking.xadd("s", {"f": "v"}, id="1-0")
    assert await blocking.xread({"s": "0"}) == {b"s": [(b"1-0", {b"f": b"v"})]}


async def test_a_blocking_command_waits_for_its_reply(blocking: Redis, redis: Redis) -> None:
    """A command that blocks without a limit returns as soon as Redis has something for it."""

    async def is_blocked() -> bool:
        return bool((await redis.info("clients"))["blocked_clients"])

    popping = asyncio.ensure_future(blocking.blpop(["list"], timeout=0))
    await until(is_blocked)
    await redis.rpush("list", "value")
    assert await popping == [b"list", b"value"]


async def test_a_restart_of_redis_goes_unnoticed(start_valkey: Callable[..., PrivateValkey]) -> None:
    """A command succeeds after Redis was killed and started again."""
    server = start_valkey()
    connected = blocking_client(server.url)
    await connected.ping()
    server.kill()
    server.start()
    assert await connected.ping()
    await connected.aclose()


async def test_without_redis_a_command_fails(start_valkey: Callable[..., PrivateValkey]) -> None:
    """When Redis is down, a command fails after a few retries instead of waiting."""
    server = start_valkey()
    connected = blocking_client(server.url)
    await connected.ping()
    server.signal(signal.SIGKILL)
    server.kill()
    with pytest.raises(RedisConnectionError):
        await connected.ping()
    await connected.aclose()


async def test_connections_are_limited(blocking: Redis, redis: Redis) -> None:
    """Many concurrent commands share a few connections."""
    before = len(await redis.client_list())
    await asyncio.gather(*(blocking.incr("k") for _ in range(500)))
    assert await redis.get("k") == b"500"
    assert len(await redis.client_list()) <= before + CONNECTIONS


async def test_tls(redis: Redis, tls_proxy: TlsProxy) -> None:
    """The connection can be encrypted, and the certificate is checked unless the URL says otherwise."""
    for option in (f"ssl_ca_certs={tls_proxy.certificate}", "ssl_cert_reqs=none"):
        connected = blocking_client(f"{tls_proxy.url}?{option}")
        await connected.set("k", option)
        assert await redis.get("k") == option.encode()
        await connected.aclose()
