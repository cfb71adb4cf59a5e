"""The bus: who hears what, and what happens when the connection breaks."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable

import pytest
from redis.asyncio import Redis

from parlour.server.store import keys
from parlour.server.store.bus import Bus
from parlour.server.store.log import RoomLog
from parlour.server.store.pipe import Pipe
from parlour.server.store.trouble import StoreTrouble
from parlour.server.store.update import Update, read
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import WITHIN, until

# Whatever is awaited here comes within milliseconds, or not at all.


class Ear:
    """Notes what a channel says."""

    def __init__(self, bus: Bus, channel: str) -> None:
        self.messages: asyncio.Queue[bytes] = asyncio.Queue()
        self.gaps: asyncio.Queue[None] = asyncio.Queue()
        bus.follow(channel, self.messages.put_nowait, lambda: self.gaps.put_nowait(None))

    async def message(self) -> bytes:
        return await asyncio.wait_for(self.messages.get(), WITHIN)

    async def gap(self) -> None:
        await asyncio.wait_for(self.gaps.get(), WITHIN)


@pytest.fixture
async def ann(valkey: str, redis: Redis) -> AsyncIterator[Bus]:
    bus = Bus(valkey, "ann")
    await bus.open()
    yield bus
    await bus.close()


@pytest.fixture
async def bob(valkey: str, redis: Redis) -> AsyncIterator[Bus]:
    bus = Bus(valkey, "bob")
    await bus.open()
    yield bus
    await bus.close()


async def test_others_hear_it(ann: Bus, bob: Bus) -> None:
    """A message reaches the other nodes that follow the channel, byte for byte, in order, and not its own node."""
    heard, echoed = Ear(ann, "c"), Ear(bob, "c")
    await heard.gap()
    await echoed.gap()
    said = [b"", bytes(range(256)), b"x" * 100_000]
    for message in said:
        bob.publish("c", message)
    ann.publish("c", b"the end")
    assert [await heard.message() for _ in said] == said
    assert await echoed.message() == b"the end"


async def test_a_gap_is_told_first(ann: Bus, bob: Bus) -> None:
    """`on_gap` is called when a channel is followed, and everything said after that is heard."""
    for n in range(20):
        ear = Ear(ann, f"c{n}")
        await ear.gap()
        bob.publish(f"c{n}", b"%d" % n)
        assert await ear.message() == b"%d" % n
        assert ear.gaps.empty()


async def test_unfollowing(ann: Bus, bob: Bus) -> None:
    """After `unfollow` nothing is called for a channel, even for what is under way; others go on."""
    gone, stays = Ear(ann, "gone"), Ear(ann, "stays")
    await gone.gap()
    await stays.gap()
    bob.publish("gone", b"1")
    ann.unfollow("gone")
    ann.unfollow("never followed")
    bob.publish("gone", b"2")
    bob.publish("stays", b"3")
    assert await stays.message() == b"3"
    assert gone.messages.empty()


async def test_following_again(ann: Bus, bob: Bus) -> None:
    """A channel that is left and followed again at once is followed, by the new listener."""
    old = Ear(ann, "c")
    await old.gap()
    ann.unfollow("c")
    new = Ear(ann, "c")
    await new.gap()
    bob.publish("c", b"x")
    assert await new.message() == b"x"
    assert old.messages.empty()


async def test_appends_are_heard(ann: Bus, bob: Bus, valkey: str) -> None:
    """Whoever follows a room hears of every append by another node, and not of the own ones."""
    ear, own = Ear(ann, keys.updates("r")), Ear(bob, keys.updates("r"))
    await ear.gap()
    await own.gap()
    pipe = Pipe(valkey)
    log = RoomLog(pipe, "bob")
    await pipe.open()
    log.append("r", 1, [b"one", b"two"], lambda _: None)
    log.append("r", 1, [b"a conflict"], lambda _: None)
    log.pen("r").append(3, b"three", lambda _: None)
    assert read(await ear.message()) == Update(1, [b"one", b"two"])
    assert read(await ear.message()) == Update(3, [b"three"])
    assert own.messages.empty()
    await pipe.close()


async def test_redis_comes_back(start_valkey: Callable[..., PrivateValkey]) -> None:
    """After Redis was killed and started again every followed channel is told of a gap, and heard again."""
    server = start_valkey()
    ann, bob = Bus(server.url, "ann"), Bus(server.url, "bob")
    await ann.open()
    await bob.open()
    channels = [f"c{n}" for n in range(2500)]
    ears = [Ear(ann, channel) for channel in channels]
    for ear in ears:
        await ear.gap()
    for _ in range(2):
        server.kill()
        server.start()
        for ear in ears:
            await ear.gap()
        await asyncio.wait_for(bob.ready(), WITHIN)
        for n, channel in enumerate(channels):
            bob.publish(channel, b"%d" % n)
        assert [await ear.message() for ear in ears] == [b"%d" % n for n in range(len(channels))]
    assert all(ear.gaps.empty() for ear in ears)
    await ann.close()
    await bob.close()


async def test_following_while_redis_is_away(start_valkey: Callable[..., PrivateValkey]) -> None:
    """What is followed or left without a connection is so when there is one again."""
    server = start_valkey()
    ann, bob = Bus(server.url, "ann"), Bus(server.url, "bob")
    await ann.open()
    await bob.open()
    left = Ear(ann, "left")
    await left.gap()
    server.kill()
    await until(lambda: not ann.up and not bob.up)
    ear = Ear(ann, "c")
    ann.unfollow("left")
    bob.publish("c", b"nobody hears this")
    server.start()
    await ear.gap()
    await asyncio.wait_for(bob.ready(), WITHIN)
    bob.publish("left", b"1")
    bob.publish("c", b"2")
    assert await ear.message() == b"2"
    assert left.messages.empty()
    assert left.gaps.empty()
    await ann.close()
    await bob.close()


async def test_a_silent_death_is_noticed(start_valkey: Callable[..., PrivateValkey]) -> None:
    """A Redis that hangs is noticed although a bus only listens, and a gap is told when it goes on."""
    server = start_valkey()
    ann = Bus(server.url, "ann", timeout=0.4)
    await ann.open()
    ear = Ear(ann, "c")
    await ear.gap()
    server.signal(signal.SIGSTOP)
    await until(lambda: not ann.up)
    server.signal(signal.SIGCONT)
    await ear.gap()
    await ann.close()


async def test_a_failing_listener_harms_no_other(ann: Bus, bob: Bus) -> None:
    """An exception in a callback is reported to the loop, and the messages after it are heard."""
    reported: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(str(context["exception"])))

    def fail(message: bytes) -> None:
        raise ValueError("a mistake")

    ann.follow("bad", fail, lambda: None)
    ear = Ear(ann, "good")
    await ear.gap()
    bob.publish("bad", b"1")
    bob.publish("good", b"2")
    assert await ear.message() == b"2"
    assert reported == ["a mistake"]


async def test_nobody_there() -> None:
    """Without Redis the bus says so in one sentence."""
    with pytest.raises(StoreTrouble, match="there is no such socket"):
        await Bus("unix:///tmp/no-such-socket", "ann").open(within=0.1)
