"""Waiting for replicas: what is confirmed survives the loss of the master."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from typing import Any

import pytest

from bench.load.processes import free_port
from parlour.server.store.errors import NotReplicated
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.pubsub import PubSub
from parlour.server.store.room_log import Appended, Published, RoomLog, read_published
from parlour.server.store.store import Store
from tests.redis_client import client
from tests.server.store.cluster_process import HOST, Cluster
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import WITHIN, until


@pytest.fixture
def servers(start_valkey: Callable[..., PrivateValkey]) -> tuple[PrivateValkey, PrivateValkey]:
    """A master and its replica."""
    port = free_port()
    settings = ("--bind", HOST, "--repl-diskless-sync-delay", "0")
    master = start_valkey("--port", str(port), *settings)
    replica = start_valkey("--replicaof", f"{HOST} {port}", *settings)
    return master, replica


async def connected(url: str, replicas: int) -> Pipeline:
    """Return a pipeline that waits for replicas, once there are as many."""
    pipeline = Pipeline(url, wait_replicas=replicas)
    await pipeline.open()

    async def is_replicated() -> bool:
        try:
            await pipeline.probe()
        except NotReplicated:
            return False
        return True

    await until(is_replicated)
    return pipeline


async def test_confirmed_writes_are_on_the_replica(servers: tuple[PrivateValkey, PrivateValkey]) -> None:
    """At the moment of the reply, and with one WAIT for everything that leaves in one write."""
    master, replica = servers
    pipeline, copy, operator = await connected(master.url, 1), client(replica.url), client(master.url)
    waits = (await operator.info("commandstats"))["cmdstat_wait"]["calls"]
    replies = await pipeline.call_all(*(("RPUSH", "k", n) for n in range(100)))
    assert replies == list(range(1, 101))
    assert await copy.llen("k") == 100
    assert (await operator.info("commandstats"))["cmdstat_wait"]["calls"] == waits + 1
    for each in (copy, operator):
        await each.aclose()
    await pipeline.close()


async def test_no_replica_answers(servers: tuple[PrivateValkey, PrivateValkey]) -> None:
    """A write that no replica confirms is not acknowledged; once it is back, the log tells what has happened."""
    master, replica = servers
    pipeline = await connected(master.url, 1)
    log = RoomLog(pipeline, "node")
    outcomes: asyncio.Queue[Appended] = asyncio.Queue()
    log.append("r", 1, [b"one"], outcomes.put_nowait)
    assert await outcomes.get() is Appended.OK
    replica.signal(signal.SIGSTOP)
    log.append("r", 2, [b"two"], outcomes.put_nowait)
    assert await asyncio.wait_for(outcomes.get(), WITHIN) is Appended.UNKNOWN
    with pytest.raises(NotReplicated, match="0 of 1 replicas have confirmed"):
        await log.tail("r", 0)
    replica.signal(signal.SIGCONT)

    async def found() -> list[Any]:
        try:
            return await log.tail("r", 0)
        except NotReplicated:
            return []

    async def is_there() -> bool:
        return await found() == [(1, b"one"), (2, b"two")]

    await until(is_there)
    await pipeline.close()


async def test_entries_are_published_when_replicated(servers: tuple[PrivateValkey, PrivateValkey]) -> None:
    """Other nodes see an entry only when the replica has it, or when a node reads the log again."""
    master, replica = servers
    pipeline = await connected(master.url, 1)
    log, other = RoomLog(pipeline, "node"), PubSub(pipeline, "other")
    await other.open()
    messages: asyncio.Queue[bytes] = asyncio.Queue()
    subscribed = asyncio.Event()
    other.subscribe(pipeline.keys.room_events("r"), messages.put_nowait, subscribed.set)
    await subscribed.wait()
    log.append("r", 1, [b"one", b"two"], lambda _: None)
    assert read_published(await messages.get()) == Published(1, [b"one", b"two"])
    replica.signal(signal.SIGSTOP)
    outcome: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
    log.append("r", 3, [b"three"], outcome.set_result)
    assert await asyncio.wait_for(outcome, WITHIN) is Appended.UNKNOWN
    assert messages.empty()
    replica.signal(signal.SIGCONT)
    await until(lambda: _succeeds(log))
    assert read_published(await asyncio.wait_for(messages.get(), WITHIN)) == Published(3, [b"three"])
    await other.close()
    await pipeline.close()


async def _succeeds(log: RoomLog) -> bool:
    try:
        return bool(await log.load("r"))
    except NotReplicated:
        return False


async def test_a_node_without_replicas_does_not_beat(servers: tuple[PrivateValkey, PrivateValkey]) -> None:
    """It is not ready, with the reason, and the time counts as an outage."""
    master, replica = servers
    await (await connected(master.url, 1)).close()
    store = Store(master.url, "node", wait_replicas=1)
    await store.open()
    replica.signal(signal.SIGSTOP)
    await until(lambda: not store.heartbeat.is_healthy)
    assert store.health.problem.reason == "no_replicas"
    replica.signal(signal.SIGCONT)
    await until(lambda: store.heartbeat.is_healthy)
    await until(lambda: len(store.heartbeat.outages) == 1)
    await store.close()


async def test_every_master_is_probed(cluster: Cluster) -> None:
    """A node of a cluster does not beat while any master refuses writes."""
    store = Store(cluster.url, "node")
    await store.open()
    await store.heartbeat.beat()
    assert all(server.command("DBSIZE") >= 1 for server in cluster.masters)
    await store.close()
