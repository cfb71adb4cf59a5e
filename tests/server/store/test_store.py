"""The store as a whole."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from redis.asyncio import Redis

from parlour.server.store import keys
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.health import Reason
from parlour.server.store.store import Store
from tests.redis_client import client
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import WITHIN, until

SCRIPTS = Path(keys.__file__).parent / "scripts"


async def test_an_open_store_is_ready(valkey: str, redis: Redis) -> None:
    """After `open`, commands, messages, the clock and the heartbeat work; after `close`, nothing is connected."""
    store = Store(valkey, "node")
    await store.open()
    assert store.pipeline.up
    assert store.pubsub.up
    seconds, _ = await redis.time()
    assert abs(store.clock.now() / 1000 - seconds) < 60
    assert store.heartbeat.known_until > 0
    await store.close()
    assert not store.pipeline.up
    assert not store.pubsub.up


async def test_a_worker_does_not_beat(valkey: str, redis: Redis) -> None:
    """A process that does not serve players records no beat."""
    store = Store(valkey, "worker", serves_players=False)
    await store.open()
    await store.close()
    assert not await redis.exists(keys.LAST_BEAT)


async def cached_scripts(store: Store) -> int:
    memory = await store.pipeline.call("INFO", "memory")
    return int(memory.partition(b"number_of_cached_scripts:")[2].split()[0])


async def test_all_scripts_are_loaded_again(start_valkey: Callable[..., PrivateValkey]) -> None:
    """After a restart of Redis every script is loaded before the store is ready."""
    server = start_valkey()
    store = Store(server.url, "node")
    await store.open()
    loaded = await cached_scripts(store)
    server.kill()
    await until(lambda: not store.pipeline.up)
    server.start()
    await asyncio.wait_for(store.pipeline.ready(), WITHIN)
    assert await cached_scripts(store) == loaded == len(list(SCRIPTS.glob("*.lua")))
    await store.close()


async def test_a_demoted_store_is_left(start_valkey: Callable[..., PrivateValkey]) -> None:
    """Both connections are broken, though the server keeps them open, and come back once it is a master again."""
    server = start_valkey()
    operator = client(server.url)
    store = Store(server.url, "node")
    await store.open()
    await operator.replicaof("127.0.0.1", "1")
    await until(lambda: not store.pipeline.up and not store.pubsub.up)
    assert store.health.problem.reason == Reason.READONLY
    await operator.replicaof("NO", "ONE")
    await until(lambda: store.pipeline.up and store.pubsub.up)
    await store.close()
    await operator.aclose()


async def test_without_redis() -> None:
    """Opening a store without Redis raises StoreUnavailable with a sentence for the operator."""
    store = Store("unix:///tmp/no-such-socket", "node")
    with pytest.raises(
        StoreUnavailable, match=r"Redis at unix:///tmp/no-such-.* cannot be used: there is no such socket"
    ):
        await store.open()


async def test_an_unusable_url() -> None:
    """A URL that cannot be parsed raises StoreUnavailable at once."""
    with pytest.raises(StoreUnavailable, match="cannot be used"):
        Store("http://localhost", "node")
