"""Publish and subscribe: who receives what, and lost connections."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from redis.asyncio import Redis

from parlour.server.store import pubsub
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.pubsub import PubSub
from parlour.server.store.room_log import Published, RoomLog, read_published
from parlour.server.store.slots import slot
from tests.redis_client import client
from tests.server.store.cluster_process import Cluster
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import WITHIN, until

keys = Keys()


class Listener:
    """Records the messages and gaps of a channel."""

    def __init__(self, pubsub: PubSub, channel: str) -> None:
        self.messages: asyncio.Queue[bytes] = asyncio.Queue()
        self.gaps: asyncio.Queue[None] = asyncio.Queue()
        pubsub.subscribe(channel, self.messages.put_nowait, lambda: self.gaps.put_nowait(None))

    async def message(self) -> bytes:
        return await asyncio.wait_for(self.messages.get(), WITHIN)

    async def gap(self) -> None:
        await asyncio.wait_for(self.gaps.get(), WITHIN)


@asynccontextmanager
async def connected(url: str, node: str, timeout: float = 5.0) -> AsyncIterator[PubSub]:
    """Connect a node to the store."""
    pipeline = Pipeline(url, timeout=timeout)
    pubsub = PubSub(pipeline, node, timeout=timeout)
    await pipeline.open()
    await pubsub.open()
    yield pubsub
    await pubsub.close()
    await pipeline.close()


@pytest.fixture
async def ann(valkey: str, redis: Redis) -> AsyncIterator[PubSub]:
    async with connected(valkey, "ann") as pubsub:
        yield pubsub


@pytest.fixture
async def bob(valkey: str, redis: Redis) -> AsyncIterator[PubSub]:
    async with connected(valkey, "bob") as pubsub:
        yield pubsub


async def test_other_nodes_receive_messages(ann: PubSub, bob: PubSub) -> None:
    """A message reaches the other subscribed nodes, unchanged and in order, and not the node that sent it."""
    other, own = Listener(ann, "c"), Listener(bob, "c")
    await other.gap()
    await own.gap()
    sent = [b"", bytes(range(256)), b"x" * 100_000]
    for message in sent:
        bob.publish("c", message)
    ann.publish("c", b"last")
    assert [await other.message() for _ in sent] == sent
    assert await own.message() == b"last"


async def test_a_subscription_begins_with_a_gap(ann: PubSub, bob: PubSub) -> None:
    """`on_gap` is called when a subscription begins, and every message after that is received."""
    for n in range(20):
        listener = Listener(ann, f"c{n}")
        await listener.gap()
        bob.publish(f"c{n}", b"%d" % n)
        assert await listener.message() == b"%d" % n
        assert listener.gaps.empty()


async def test_unsubscribing(ann: PubSub, bob: PubSub) -> None:
    """After `unsubscribe` nothing is called for a channel, even for messages in flight; other channels go on."""
    left, stays = Listener(ann, "left"), Listener(ann, "stays")
    await left.gap()
    await stays.gap()
    bob.publish("left", b"1")
    ann.unsubscribe("left")
    ann.unsubscribe("never subscribed")
    bob.publish("left", b"2")
    bob.publish("stays", b"3")
    assert await stays.message() == b"3"
    assert left.messages.empty()


async def test_subscribing_again(ann: PubSub, bob: PubSub) -> None:
    """A channel that is unsubscribed and subscribed again at once goes to the new subscription."""
    old = Listener(ann, "c")
    await old.gap()
    ann.unsubscribe("c")
    new = Listener(ann, "c")
    await new.gap()
    bob.publish("c", b"x")
    assert await new.message() == b"x"
    assert old.messages.empty()


async def test_appends_are_published(ann: PubSub, bob: PubSub, valkey: str) -> None:
    """Subscribers of a room receive every append by another node, and not those of their own."""
    listener, own = Listener(ann, keys.room_events("r")), Listener(bob, keys.room_events("r"))
    await listener.gap()
    await own.gap()
    pipeline = Pipeline(valkey)
    log = RoomLog(pipeline, "bob")
    await pipeline.open()
    log.append("r", 1, [b"one", b"two"], lambda _: None)
    log.append("r", 1, [b"a conflict"], lambda _: None)
    log.append("r", 3, [b"three"], lambda _: None)
    log.append("r", 4, [b"four"], lambda _: None, update=b"shown")
    assert read_published(await listener.message()) == Published(1, [b"one", b"two"])
    assert read_published(await listener.message()) == Published(3, [b"three"])
    assert read_published(await listener.message()) == Published(4, [b"four"], b"shown")
    assert await log.tail("r", 3) == [(4, b"four")]
    assert own.messages.empty()
    await pipeline.close()


async def test_redis_restarts(start_valkey: Callable[..., PrivateValkey]) -> None:
    """After a restart of Redis every subscription is told of a gap and receives messages again."""
    server = start_valkey()
    async with connected(server.url, "ann") as ann, connected(server.url, "bob") as bob:
        channels = [f"c{n}" for n in range(2500)]
        listeners = [Listener(ann, channel) for channel in channels]
        for listener in listeners:
            await listener.gap()
        for _ in range(2):
            server.kill()
            server.start()
            for listener in listeners:
                await listener.gap()
            await asyncio.wait_for(bob.ready(), WITHIN)
            for n, channel in enumerate(channels):
                bob.publish(channel, b"%d" % n)
            assert [await listener.message() for listener in listeners] == [b"%d" % n for n in range(len(channels))]
        assert all(listener.gaps.empty() for listener in listeners)


async def test_subscribing_without_a_connection(start_valkey: Callable[..., PrivateValkey]) -> None:
    """Subscriptions that begin or end without a connection take effect when it is back."""
    server = start_valkey()
    async with connected(server.url, "ann") as ann, connected(server.url, "bob") as bob:
        left = Listener(ann, "left")
        await left.gap()
        server.kill()
        await until(lambda: not ann.up and not bob.up)
        listener = Listener(ann, "c")
        ann.unsubscribe("left")
        bob.publish("c", b"lost")
        server.start()
        await listener.gap()
        await asyncio.wait_for(bob.ready(), WITHIN)
        bob.publish("left", b"1")
        bob.publish("c", b"2")
        assert await listener.message() == b"2"
        assert left.messages.empty()
        assert left.gaps.empty()


async def test_redis_hangs(start_valkey: Callable[..., PrivateValkey]) -> None:
    """A Redis that hangs is noticed although a pubsub only listens, and a gap follows when it resumes."""
    server = start_valkey()
    async with connected(server.url, "ann", timeout=0.4) as ann:
        listener = Listener(ann, "c")
        await listener.gap()
        server.signal(signal.SIGSTOP)
        await until(lambda: not ann.up)
        server.signal(signal.SIGCONT)
        await listener.gap()


async def test_a_failing_callback_does_not_affect_others(ann: PubSub, bob: PubSub) -> None:
    """An exception in a callback is reported to the loop, and later messages are delivered."""
    reported: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(str(context["exception"])))

    def fail(message: bytes) -> None:
        raise ValueError("a mistake")

    ann.subscribe("bad", fail, lambda: None)
    listener = Listener(ann, "good")
    await listener.gap()
    bob.publish("bad", b"1")
    bob.publish("good", b"2")
    assert await listener.message() == b"2"
    assert reported == ["a mistake"]


async def test_refusals_are_reported(start_valkey: Callable[..., PrivateValkey]) -> None:
    """A server that allows neither publishing nor subscribing."""
    server = start_valkey()
    operator, errors = client(server.url), list[Exception]()
    pipeline = Pipeline(server.url)
    pubsub = PubSub(pipeline, "node", report=errors.append)
    await pipeline.open()
    await pubsub.open()
    await operator.acl_setuser("default", commands=["-spublish", "-ssubscribe"])
    pubsub.publish("channel", b"message")
    pubsub.subscribe("channel", lambda _: None, lambda: None)
    await until(lambda: len(errors) >= 2)
    assert all(str(each).startswith("NOPERM") for each in errors)
    await pubsub.close()
    await pipeline.close()
    await operator.aclose()


async def test_without_redis() -> None:
    """Opening without Redis raises StoreUnavailable with one clear sentence."""
    with pytest.raises(StoreUnavailable, match="there is no such socket"):
        await PubSub(Pipeline("unix:///tmp/no-such-socket"), "ann").open(within=0.1)


async def test_channels_of_a_cluster(cluster: Cluster) -> None:
    """Messages on channels of all masters reach the other node, and only the master of a channel knows of it."""
    channels = [f"c{n}" for n in range(100)]
    async with connected(cluster.url, "ann") as ann, connected(cluster.url, "bob") as bob:
        listeners = [Listener(ann, channel) for channel in channels]
        for listener in listeners:
            await listener.gap()
        for channel in channels:
            bob.publish(channel, channel.encode())
        assert [await listener.message() for listener in listeners] == [channel.encode() for channel in channels]
        known = [server.command("PUBSUB", "SHARDCHANNELS") for server in cluster.masters]
        assert sum(len(each) for each in known) == len(channels)
        assert all(known)


async def test_a_subscription_follows_its_slot(cluster: Cluster) -> None:
    """When a slot moves to another master, there is a gap, and then messages arrive as before."""
    async with connected(cluster.url, "ann") as ann, connected(cluster.url, "bob") as bob:
        listener, other = Listener(ann, "c"), Listener(ann, "d")
        await listener.gap()
        await other.gap()
        source = cluster.master_of(slot("c"))
        target = cluster.other_master(source)
        for one, two in ((source, target), (target, source)):
            cluster.migrate(slot("c"), one, two)
            await listener.gap()
            bob.publish("c", b"x")
            assert await listener.message() == b"x"
        bob.publish("d", b"y")
        assert await other.message() == b"y"


async def test_a_subscription_survives_its_master(replicated_cluster: Cluster) -> None:
    """When a master is killed, the subscription continues on its replica."""
    cluster = replicated_cluster
    async with connected(cluster.url, "ann") as ann, connected(cluster.url, "bob") as bob:
        listener = Listener(ann, "c")
        await listener.gap()
        cluster.master_of(slot("c")).kill()
        await listener.gap()

        async def arrives() -> bool:
            bob.publish("c", b"x")
            await asyncio.sleep(0.05)
            return not listener.messages.empty()

        await until(arrives)
        assert await listener.message() == b"x"


def test_scripts_publish_on_sharded_channels() -> None:
    """A script that published on an ordinary channel would not reach the subscribers."""
    scripts = [file.read_text(encoding="utf-8") for file in Path(pubsub.__file__).with_name("scripts").glob("*.lua")]
    assert any("'SPUBLISH'" in text for text in scripts)
    assert not any("'PUBLISH'" in text for text in scripts)
