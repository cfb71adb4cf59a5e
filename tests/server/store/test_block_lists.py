"""The lists of blocked and muted players."""

from __future__ import annotations

from redis.asyncio import Redis

from parlour.server.store.block_lists import MAX_LISTED, BlockLists, BlockListStore
from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.registrations import GUEST_TTL

keys = Keys()


async def test_players_are_put_on_a_list_and_taken_off(pipeline: Pipeline) -> None:
    """The two lists are independent, and repeating a change changes nothing."""
    store = BlockListStore(pipeline)
    for _ in range(2):
        assert await store.block("ann", "ben", on=True)
        assert await store.mute("ann", "eve", on=True)
    assert await store.read("ann") == BlockLists(frozenset({"ben"}), frozenset({"eve"}))
    assert await store.is_blocked("ben", by="ann")
    assert not await store.is_blocked("eve", by="ann")
    assert not await store.is_blocked("ann", by="ben")
    await store.block("ann", "ben", on=False)
    await store.forget("ann", frozenset({"eve"}))
    assert await store.read("ann") == BlockLists()


async def test_a_list_is_bounded(pipeline: Pipeline) -> None:
    """A full list takes no more players, but still those that are on it."""
    store = BlockListStore(pipeline)
    for number in range(MAX_LISTED):
        assert await store.block("ann", str(number), on=True)
    assert not await store.block("ann", "one more", on=True)
    assert await store.block("ann", "0", on=True)


async def test_the_list_of_a_guest_expires_with_the_guest(pipeline: Pipeline, redis: Redis) -> None:
    """It is renewed by a visit, and kept for good once the guest has an account."""
    store = BlockListStore(pipeline)
    await redis.hset(keys.player("ann"), "kind", "guest")
    await store.block("ann", "ben", on=True)
    assert 0 < await redis.pttl(keys.blocked("ann")) <= GUEST_TTL
    await redis.pexpire(keys.blocked("ann"), 1_000_000)
    await store.read("ann", is_guest=True)
    assert await redis.pttl(keys.blocked("ann")) > 1_000_000
    await store.keep("ann")
    assert await redis.pttl(keys.blocked("ann")) == -1
