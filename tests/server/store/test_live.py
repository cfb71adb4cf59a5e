"""The list of live games, as the nodes make it together."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from parlour.server.store.live import LASTS, LISTED, NODE_LASTS, Around, Listing, Live, Offer
from parlour.server.store.pipe import Pipe

NOW = 1_700_000_000_000
NOBODY = Around()


@pytest.fixture
def one(pipe: Pipe) -> Live:
    return Live(pipe, "node one")


@pytest.fixture
def two(pipe: Pipe) -> Live:
    return Live(pipe, "node two")


async def offer(live: Live, *offers: Offer, now: int = NOW, over: tuple[str, ...] = ()) -> Listing:
    return await live.report(now, NOBODY, over, offers)


async def test_the_best_come_first(one: Live, two: Live) -> None:
    """All nodes see the same list, in the order of the ranks."""
    await offer(one, Offer("a", 10, 1, b"a1"), Offer("b", 30, 1, b"b1"))
    listing = await offer(two, Offer("c", 20, 4, b"c4"))
    assert list(listing.seqs.items()) == [("b", 1), ("c", 4), ("a", 1)]
    assert await two.told(["a", "c", "unknown"]) == {"a": b"a1", "c": b"c4"}
    assert await two.told([]) == {}


async def test_the_newest_description_counts(one: Live, two: Live) -> None:
    """A node that is behind does not undo what another one told; without a description a game just stays."""
    await offer(one, Offer("a", 10, 7, b"a7"))
    assert (await offer(two, Offer("a", 10, 5, b"a5"))).seqs == {"a": 7}
    assert (await offer(two, Offer("a", 10, 7))).seqs == {"a": 7}
    assert await two.told(["a"]) == {"a": b"a7"}
    assert (await offer(two, Offer("unknown", 10, 7))).seqs == {"a": 7}


async def test_a_game_that_is_over_goes(one: Live, two: Live, redis: Redis) -> None:
    """At once, from all that is kept about it."""
    await offer(one, Offer("a", 10, 1, b"a1"), Offer("b", 10, 1, b"b1"))
    assert (await offer(two, over=("a", "unknown"))).seqs == {"b": 1}
    assert (await offer(one, over=("b",))).seqs == {}
    assert sorted(await redis.keys("*")) == [b"parlour:{live}:nodes", b"parlour:{live}:nodes:until"]


async def test_a_game_outlives_its_node(one: Live, two: Live) -> None:
    """It stays for a while for another node to go on with, and goes if none does."""
    await offer(one, Offer("a", 10, 1, b"a1"), Offer("b", 10, 1, b"b1"))
    assert set((await offer(two, now=NOW + LASTS - 1)).seqs) == {"a", "b"}
    assert set((await offer(two, Offer("a", 10, 1), now=NOW + LASTS - 1)).seqs) == {"a", "b"}
    assert set((await offer(two, now=NOW + LASTS)).seqs) == {"a"}


async def test_only_so_many_are_kept(one: Live, redis: Redis) -> None:
    """The worst fall off, and the bar says what a newcomer must be worth."""
    games = [Offer(f"room {n}", n, 1, b"told") for n in range(LISTED)]
    assert (await offer(one, *games[:-1])).bar == float("-inf")
    assert (await offer(one, *games)).bar == 0
    listing = await offer(one, Offer("best", 1000, 1, b"told"))
    assert len(listing.seqs) == LISTED
    assert (next(iter(listing.seqs)), listing.bar) == ("best", 1)
    assert "room 0" not in listing.seqs
    assert not await redis.hexists("parlour:{live}:games", "room 0")


async def test_everybody_is_counted(one: Live, two: Live) -> None:
    """Connections and watchers of all nodes together, for as long as their node lives."""
    await one.report(NOW, Around(5, {"a": 2}), (), (Offer("a", 1, 1, b"a"),))
    listing = await two.report(NOW, Around(7, {"a": 1, "b": 4}), (), ())
    assert (listing.online, listing.watchers("a"), listing.watchers("b"), listing.watchers("c")) == (12, 3, 4, 0)
    listing = await one.report(NOW + NODE_LASTS, Around(6), (), ())
    assert (listing.online, listing.watchers("a")) == (6, 0)
