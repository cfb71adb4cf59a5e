"""The store as a whole."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from redis.asyncio import Redis

import parlour.server.store
from parlour.server.store.budgets import Budget
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.health import Reason
from parlour.server.store.jobs import Job
from parlour.server.store.keys import Keys
from parlour.server.store.live_games import GameReport, NodeReport
from parlour.server.store.queue import Ticket
from parlour.server.store.room_log import Appended
from parlour.server.store.seeks import STORE_ORIGIN, Owner, SeekStatus
from parlour.server.store.store import Store
from tests.redis_client import client
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import WITHIN, until

keys = Keys()

SCRIPTS = Path(parlour.server.store.__file__).parent / "scripts"


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
    assert not await redis.exists(keys.last_beat)


async def test_deployments_share_a_server(valkey: str, redis: Redis) -> None:
    """Two deployments with different key prefixes see nothing of each other: no key, no channel, no message."""
    stores = [Store(valkey, f"node of {prefix}", key_prefix=prefix) for prefix in ("red", "blue")]
    received: dict[str, list[bytes]] = {"red": [], "blue": []}
    for store in stores:
        await store.open()
        messages, subscribed = received[store.keys.prefix], asyncio.Event()
        store.pubsub.subscribe(store.keys.room_events("room"), messages.append, lambda: None)
        store.pubsub.subscribe(store.keys.seek_list_changes, messages.append, lambda: None)
        store.pubsub.subscribe(store.keys.player_channel("ann"), messages.append, subscribed.set)
        async with asyncio.timeout(WITHIN):
            await subscribed.wait()

    for store in stores:  # everything has the same name in both
        mine = store.keys.prefix
        assert await store.players.create_guest("Ann", "ann") is not None
        assert await store.seeks.post("seek", mine.encode(), Owner("ann", "10.0.0.1")) is SeekStatus.OPEN
        assert await store.seeks.load_list() == (1, {"seek": mine.encode()})
        assert await store.room_log.create("room", [b"entry"], deadline=7) is Appended.OK
        assert await store.deadlines.claim_due(8, 10) == ["room"]
        assert await store.budgets.spend([Budget("any", 1, 60_000)], 7) is None
        assert await store.command_ids.claim("ann", "session", 1, len(mine))
        assert await store.queue.join("pool", [Ticket("ticket", mine)], 7, (0, 0, 0)) == [None]
        assert await store.ratings.place("ann", "isaac", 7) is None
        await store.seats.seat("room", "isaac", ("ann", None), 7)
        await store.rules.announce([("isaac", 1)], 7)
        live = await store.live_games.report(7, NodeReport(connections=1), [], [GameReport("room", 1, 1, b"game")])
        assert (live.connections, list(live.seqs)) == (1, ["room"])
        await store.jobs.enqueue(Job("room", 0))
        job = await store.jobs.take(within=1)
        assert job is not None
        assert await store.jobs.take(within=1) is None
        store.pubsub.publish(store.keys.player_channel("ann"), b"for the other nodes")
    for store in stores:
        await redis.spublish(store.keys.player_channel("ann"), STORE_ORIGIN + b"last")

    async def have_all_arrived() -> bool:
        return all(messages[-1:] == [b"last"] for messages in received.values())

    await until(have_all_arrived)
    assert received == {prefix: [b"1 + seek\n" + prefix.encode(), b"last"] for prefix in received}
    prefixes = {key.partition(b":")[0] async for key in redis.scan_iter()}
    assert prefixes == {b"red", b"blue"}
    for store in stores:
        await store.close()


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
