"""Seeks and invitations in the store: taken once, kept while somebody keeps them."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis

from parlour.server.store import keys, seeks
from parlour.server.store.bus import Bus
from parlour.server.store.pipe import Pipe
from parlour.server.store.seeks import Change, Seeks, State, Taken, read_change
from tests.waiting import until

ANN, BOB = Taken("ann", b"note of ann"), Taken("bob", b"note of bob")


@pytest.fixture
def store(pipe: Pipe) -> Seeks:
    return Seeks(pipe)


async def take(store: Seeks, id: str, taken: Taken) -> object:
    return await store.accept(id, taken.taker, taken.note)


async def test_a_seek_is_on_the_list(store: Seeks) -> None:
    """Everything that is open is on it, with what it says; an invitation is not."""
    assert await store.listed() == (0, {})
    assert await store.post("one", b"\x00 data\n") is State.OPEN
    assert await store.post("two", b"") is State.OPEN
    assert await store.invite("three", b"hidden", 60_000) is State.OPEN
    assert await store.listed() == (2, {"one": b"\x00 data\n", "two": b""})
    assert await store.find("three") == b"hidden"
    assert await store.find("four") is None


async def test_a_seek_is_taken_once(store: Seeks) -> None:
    """Of two who try one has it, and has it again when asked again; the list has it no longer."""
    await store.post("one", b"data")
    assert await take(store, "one", ANN) == (b"data", ANN)
    assert await take(store, "one", BOB) is State.GONE
    assert await take(store, "one", Taken("ann", b"another note")) == (b"data", ANN)
    assert (await store.listed())[1] == {}
    assert await take(store, "two", BOB) is None
    assert not await store.is_open("one")


async def test_an_invitation_is_taken_once(store: Seeks) -> None:
    """Like a seek, though it is on no list."""
    await store.invite("one", b"data", 60_000)
    assert await store.is_open("one")
    assert await take(store, "one", ANN) == (b"data", ANN)
    assert await take(store, "one", BOB) is State.GONE
    assert await store.invite("one", b"data", 60_000) == ANN


async def test_many_takers(store: Seeks, valkey: str) -> None:
    """However many try at once on two nodes, one succeeds."""
    other_pipe = Pipe(valkey)
    await other_pipe.open()
    other = Seeks(other_pipe)
    for number in range(10):
        id = f"seek {number}"
        await store.post(id, b"data")
        tries = (take((store, other)[n % 2], id, Taken(f"player {n}", b"")) for n in range(20))
        found = await asyncio.gather(*tries)
        assert sorted(isinstance(each, tuple) for each in found) == [False] * 19 + [True]
    await other_pipe.close()


async def test_what_was_withdrawn_is_gone(store: Seeks) -> None:
    """Nobody can take it, it cannot be withdrawn twice, and opening it again does nothing."""
    await store.post("one", b"data")
    assert await store.withdraw("one") is State.OPEN
    assert await store.withdraw("one") is State.GONE
    assert await take(store, "one", ANN) is State.GONE
    assert await store.post("one", b"data") is State.GONE
    assert (await store.listed())[1] == {}
    assert await store.withdraw("two") is State.GONE


async def test_too_late_to_withdraw(store: Seeks) -> None:
    """Whoever took it before is named."""
    await store.post("one", b"data")
    await take(store, "one", ANN)
    assert await store.withdraw("one") == ANN
    assert await store.drop("one") == ANN
    assert await store.keep(["one"]) == [ANN]


async def test_what_was_dropped_can_be_opened_again(store: Seeks) -> None:
    """Its maker has left, so nobody can take it, until he comes back elsewhere."""
    await store.post("one", b"data")
    assert await store.drop("one") is State.OPEN
    assert await take(store, "one", ANN) is State.GONE
    assert await store.keep(["one"]) == [State.GONE]
    assert await store.post("one", b"data") is State.OPEN
    assert (await store.listed())[1] == {"one": b"data"}
    assert await take(store, "one", ANN) == (b"data", ANN)


async def test_what_nobody_keeps_goes(pipe: Pipe, redis: Redis) -> None:
    """The seeks of a dead node are taken off the list by any other one that keeps its own."""

    async def is_gone() -> bool:
        return not await redis.exists(keys.seek("one"))

    dying, living = Seeks(pipe, lasts=30), Seeks(pipe)
    await dying.post("one", b"data")
    await living.post("two", b"data")
    await until(is_gone)
    assert await take(living, "one", ANN) is None
    assert await living.keep(["two", "three"]) == [State.OPEN, State.GONE]
    assert await living.listed() == (3, {"two": b"data"})
    assert await living.keep(["one"]) == [State.GONE]


async def test_keeping_makes_it_last(pipe: Pipe, redis: Redis) -> None:
    """A seek that is kept lives for as long again."""
    await Seeks(pipe, lasts=60_000).post("one", b"data")
    assert await Seeks(pipe, lasts=600_000).keep(["one"]) == [State.OPEN]
    assert await redis.pttl(keys.seek("one")) > 60_000
    score = await redis.zscore(keys.SEEKS_LISTED, "one")
    seconds, _ = await redis.time()
    assert score is not None
    assert score > (seconds + 60) * 1000


async def test_the_list_is_bounded(store: Seeks, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seek too many is refused; one that is on the list already, and an invitation, are not."""
    monkeypatch.setattr(seeks, "MOST_LISTED", 2)
    assert [await store.post(id, b"") for id in ("one", "two", "three", "one")] == [
        State.OPEN, State.OPEN, State.TOO_MANY, State.OPEN,
    ]  # fmt: skip
    assert await store.invite("four", b"", 1000) is State.OPEN
    await store.withdraw("two")
    assert await store.post("three", b"") is State.OPEN


async def test_changes_are_told_in_order(store: Seeks, valkey: str) -> None:
    """Every change of the list is told with its number, to the node that made it too; other things are not told."""
    bus = Bus(valkey, "a node")
    await bus.open()
    told: asyncio.Queue[Change] = asyncio.Queue()
    listening = asyncio.Event()
    bus.follow(keys.SEEKS_NEWS, lambda message: told.put_nowait(read_change(message)), listening.set)
    await listening.wait()
    await store.post("one", b"1\n\x00")
    await store.post("one", b"1\n\x00")
    await store.invite("two", b"2", 1000)
    await take(store, "two", ANN)
    await store.keep(["one"])
    await store.post("three", b"")
    await take(store, "one", BOB)
    await take(store, "one", ANN)
    await store.withdraw("three")
    expected = [
        Change(1, "one", b"1\n\x00"), Change(2, "three", b""), Change(3, "one", None), Change(4, "three", None),
    ]  # fmt: skip
    assert [await told.get() for _ in expected] == expected
    assert (await store.listed())[0] == 4
    assert told.empty()
    await bus.close()


async def test_nothing_is_kept_for_ever(store: Seeks, redis: Redis) -> None:
    """What became of a seek is forgotten after a while; only the number of changes stays."""
    for id in ("one", "two", "three"):
        await store.post(id, b"")
    await take(store, "one", ANN)
    await store.withdraw("two")
    await store.drop("three")
    assert sorted(await redis.keys("*")) == sorted(
        [keys.SEEKS_CHANGES.encode(), *(keys.seek(id).encode() for id in ("one", "two", "three"))]
    )
    assert all([0 < await redis.pttl(keys.seek(id)) <= seeks.REMEMBERED for id in ("one", "two", "three")])
