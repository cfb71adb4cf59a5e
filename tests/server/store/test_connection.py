"""The clients of redis-py."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as LostConnection
from redis.exceptions import TimeoutError as TookTooLong

from parlour.server.store.connection import blocking_client, client
from tests.server.store.private_valkey import PrivateValkey


async def test_shapes_are_plain(redis: Redis) -> None:
    """Answers are bytes in lists and dicts, without a second layer around them."""
    await redis.xadd("s", {"f": "v"}, id="1-0")
    assert await redis.xread({"s": "0"}) == {b"s": [(b"1-0", {b"f": b"v"})]}


async def test_a_restart_is_not_noticed(start_valkey: Callable[..., PrivateValkey]) -> None:
    """A command after Redis was started again simply works."""
    server = start_valkey()
    connected = client(server.url)
    await connected.ping()
    server.kill()
    server.start()
    assert await connected.ping()
    await connected.aclose()


async def test_redis_away_is_told_soon(start_valkey: Callable[..., PrivateValkey]) -> None:
    """Without Redis a command fails within two seconds."""
    server = start_valkey()
    connected = client(server.url)
    await connected.ping()
    server.kill()
    began = time.monotonic()
    with pytest.raises(LostConnection):
        await connected.ping()
    assert time.monotonic() - began < 2
    await connected.aclose()


async def test_connections_are_bounded(redis: Redis, valkey: str) -> None:
    """Many commands at once share a few connections."""
    connected = client(valkey)
    await asyncio.gather(*(connected.incr("k") for _ in range(500)))
    assert await connected.get("k") == b"500"
    assert len(await connected.client_list()) <= 30
    await connected.aclose()


async def test_blocking_reads(redis: Redis, valkey: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client for blocking commands waits for as long as they do; the other gives up."""
    monkeypatch.setattr("parlour.server.store.connection.ANSWER_WITHIN", 0.05)
    monkeypatch.setattr("parlour.server.store.connection.RETRIES", 0)
    impatient, patient = client(valkey), blocking_client(valkey)
    assert await patient.blpop(["nothing"], timeout=0.2) is None
    with pytest.raises(TookTooLong):
        await impatient.blpop(["nothing"], timeout=0.2)
    await impatient.aclose()
    await patient.aclose()
