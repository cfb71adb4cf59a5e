"""Seeks and invitations: accepted once, listed while they are renewed."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis

from parlour.server.store import seeks
from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.pubsub import PubSub
from parlour.server.store.seeks import Acceptance, ListChange, Owner, SeekStatus, SeekStore, read_change
from tests.waiting import until

keys = Keys()

ADA, EVE = Owner("ada", "10.0.0.1", 3, 4), Owner("eve", "10.0.0.1", 3, 4)
ANN, BOB = Acceptance("ann", b"payload of ann"), Acceptance("bob", b"payload of bob")


@pytest.fixture
def store(pipeline: Pipeline) -> SeekStore:
    return SeekStore(pipeline)


async def accept(store: SeekStore, id: str, acceptance: Acceptance) -> object:
    return await store.accept(id, acceptance.player, acceptance.payload)


async def test_a_seek_is_on_the_list(store: SeekStore) -> None:
    """Every open seek is listed with its content; an invitation is not."""
    assert await store.load_list() == (0, {})
    assert await store.post("one", b"\x00 data\n", ADA) is SeekStatus.OPEN
    assert await store.post("two", b"", ADA) is SeekStatus.OPEN
    assert await store.invite("three", b"hidden", 60_000) is SeekStatus.OPEN
    assert await store.load_list() == (2, {"one": b"\x00 data\n", "two": b""})
    assert await store.get("three") == b"hidden"
    assert await store.get("four") is None


async def test_a_seek_is_accepted_once(store: SeekStore) -> None:
    """Of two players who accept a seek one succeeds, and succeeds again when repeating it; the seek leaves the list."""
    await store.post("one", b"data", ADA)
    assert await accept(store, "one", ANN) == (b"data", ANN)
    assert await accept(store, "one", BOB) is SeekStatus.CLOSED
    assert await accept(store, "one", Acceptance("ann", b"another payload")) == (b"data", ANN)
    assert (await store.load_list())[1] == {}
    assert await accept(store, "two", BOB) is None
    assert not await store.is_open("one")


async def test_an_invitation_is_accepted_once(store: SeekStore) -> None:
    """An invitation is accepted once as well, although it is on no list."""
    await store.invite("one", b"data", 60_000)
    assert await store.is_open("one")
    assert await accept(store, "one", ANN) == (b"data", ANN)
    assert await accept(store, "one", BOB) is SeekStatus.CLOSED
    assert await store.invite("one", b"data", 60_000) == ANN


async def test_many_players_accept_at_once(store: SeekStore, valkey: str) -> None:
    """However many players accept a seek at once on two nodes, one succeeds."""
    second = Pipeline(valkey)
    await second.open()
    other = SeekStore(second)
    for number in range(10):
        id = f"seek {number}"
        await store.post(id, b"data", ADA)
        attempts = (accept((store, other)[n % 2], id, Acceptance(f"player {n}", b"")) for n in range(20))
        found = await asyncio.gather(*attempts)
        assert sorted(isinstance(each, tuple) for each in found) == [False] * 19 + [True]
    await second.close()


async def test_a_withdrawn_seek_stays_closed(store: SeekStore) -> None:
    """A withdrawn seek cannot be accepted, withdrawn again, or posted again."""
    await store.post("one", b"data", ADA)
    assert await store.withdraw("one") is SeekStatus.OPEN
    assert await store.withdraw("one") is SeekStatus.CLOSED
    assert await accept(store, "one", ANN) is SeekStatus.CLOSED
    assert await store.post("one", b"data", ADA) is SeekStatus.CLOSED
    assert (await store.load_list())[1] == {}
    assert await store.withdraw("two") is SeekStatus.CLOSED


async def test_too_late_to_withdraw(store: SeekStore) -> None:
    """Withdrawing, suspending or renewing an accepted seek returns who accepted it."""
    await store.post("one", b"data", ADA)
    await accept(store, "one", ANN)
    assert await store.withdraw("one") == ANN
    assert await store.suspend("one") == ANN
    assert await store.renew(["one"]) == [ANN]


async def test_a_suspended_seek_can_be_posted_again(store: SeekStore) -> None:
    """A suspended seek cannot be accepted until its owner posts it again."""
    await store.post("one", b"data", ADA)
    assert await store.suspend("one") is SeekStatus.OPEN
    assert await accept(store, "one", ANN) is SeekStatus.CLOSED
    assert await store.renew(["one"]) == [SeekStatus.CLOSED]
    assert await store.post("one", b"data", ADA) is SeekStatus.OPEN
    assert (await store.load_list())[1] == {"one": b"data"}
    assert await accept(store, "one", ANN) == (b"data", ANN)


async def test_seeks_that_are_not_renewed_expire(pipeline: Pipeline, redis: Redis) -> None:
    """The seeks of a dead node are removed from the list when any other node renews its own."""

    async def is_expired() -> bool:
        return not await redis.exists(keys.seek("one"))

    dying, living = SeekStore(pipeline, ttl=30), SeekStore(pipeline)
    await dying.post("one", b"data", ADA)
    await living.post("two", b"data", ADA)
    await until(is_expired)
    assert await accept(living, "one", ANN) is None
    assert await living.renew(["two", "three"]) == [SeekStatus.OPEN, SeekStatus.CLOSED]
    assert await living.load_list() == (3, {"two": b"data"})
    assert await living.renew(["one"]) == [SeekStatus.CLOSED]


async def test_renewing_extends_the_lifetime(pipeline: Pipeline, redis: Redis) -> None:
    """A renewed seek lives for another TTL."""
    await SeekStore(pipeline, ttl=60_000).post("one", b"data", ADA)
    assert await SeekStore(pipeline, ttl=600_000).renew(["one"]) == [SeekStatus.OPEN]
    assert await redis.pttl(keys.seek("one")) > 60_000
    score = await redis.zscore(keys.seek_list, "one")
    seconds, _ = await redis.time()
    assert score is not None
    assert score > (seconds + 60) * 1000


async def test_the_list_is_limited(pipeline: Pipeline) -> None:
    """A seek too many is refused, but neither one that is already listed nor an invitation."""
    store = SeekStore(pipeline, max_listed=2)
    assert [await store.post(id, b"", ADA) for id in ("one", "two", "three", "one")] == [
        SeekStatus.OPEN, SeekStatus.OPEN, SeekStatus.LIST_FULL, SeekStatus.OPEN,
    ]  # fmt: skip
    assert await store.invite("four", b"", 1000) is SeekStatus.OPEN
    await store.withdraw("two")
    assert await store.post("three", b"", ADA) is SeekStatus.OPEN


async def test_changes_are_published_in_order(store: SeekStore, pipeline: Pipeline) -> None:
    """Every change to the list is published with its version, also to the node that made it, and nothing else is."""
    pubsub = PubSub(pipeline, "a node")
    await pubsub.open()
    changes: asyncio.Queue[ListChange] = asyncio.Queue()
    subscribed = asyncio.Event()
    pubsub.subscribe(keys.seek_list_changes, lambda message: changes.put_nowait(read_change(message)), subscribed.set)
    await subscribed.wait()
    await store.post("one", b"1\n\x00", ADA)
    await store.post("one", b"1\n\x00", ADA)
    await store.invite("two", b"2", 1000)
    await accept(store, "two", ANN)
    await store.renew(["one"])
    await store.post("three", b"", ADA)
    await accept(store, "one", BOB)
    await accept(store, "one", ANN)
    await store.withdraw("three")
    expected = [
        ListChange(1, "one", b"1\n\x00"),
        ListChange(2, "three", b""),
        ListChange(3, "one", None),
        ListChange(4, "three", None),
    ]
    assert [await changes.get() for _ in expected] == expected
    assert (await store.load_list())[0] == 4
    assert changes.empty()
    await pubsub.close()


async def test_everything_expires(store: SeekStore, redis: Redis) -> None:
    """The outcome of a seek expires; only the version of the list is permanent."""
    for id in ("one", "two", "three"):
        await store.post(id, b"", ADA)
    await accept(store, "one", ANN)
    await store.withdraw("two")
    await store.suspend("three")
    assert sorted(await redis.keys("*")) == sorted(
        [keys.seek_list_version.encode(), *(keys.seek(id).encode() for id in ("one", "two", "three"))]
    )
    assert all([0 < await redis.pttl(keys.seek(id)) <= seeks.CLOSED_TTL for id in ("one", "two", "three")])


async def test_a_player_and_an_address_have_a_limited_number(store: SeekStore, redis: Redis) -> None:
    """What is withdrawn, accepted or expired does not count any more, and a seek that is open is not counted twice."""
    assert [await store.post(f"ada {number}", b"", ADA) for number in (1, 2, 3, 3)] == [SeekStatus.OPEN] * 4
    assert await store.post("ada 4", b"", ADA) is SeekStatus.PLAYER_LIMIT
    assert await store.post("eve 1", b"", EVE) is SeekStatus.OPEN
    assert await store.post("eve 2", b"", EVE) is SeekStatus.ADDRESS_LIMIT
    assert await store.post("bob 1", b"", Owner("bob", "10.0.0.2", 3, 4)) is SeekStatus.OPEN
    await store.withdraw("ada 1")
    assert await store.post("eve 2", b"", EVE) is SeekStatus.OPEN
    await accept(store, "ada 2", BOB)
    assert await store.post("eve 3", b"", EVE) is SeekStatus.OPEN
    await redis.zadd(keys.seek_list, {"ada 3": 1})
    await store.renew([])
    assert await redis.hlen(keys.seek_list_owners) == 4
