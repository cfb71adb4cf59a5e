"""The list of live games that nodes keep together."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from parlour.server.store.live_games import (
    GAME_TTL,
    MAX_LISTED,
    NODE_TTL,
    GameReport,
    LiveGameList,
    LiveGameStore,
    NodeReport,
)
from parlour.server.store.pipeline import Pipeline

NOW = 1_700_000_000_000
EMPTY_NODE = NodeReport()


@pytest.fixture
def one(pipeline: Pipeline) -> LiveGameStore:
    return LiveGameStore(pipeline, "node one")


@pytest.fixture
def two(pipeline: Pipeline) -> LiveGameStore:
    return LiveGameStore(pipeline, "node two")


async def report(
    live: LiveGameStore, *games: GameReport, now: int = NOW, finished: tuple[str, ...] = ()
) -> LiveGameList:
    return await live.report(now, EMPTY_NODE, finished, games)


async def test_the_best_come_first(one: LiveGameStore, two: LiveGameStore) -> None:
    """All nodes see the same list, ordered by rank."""
    await report(one, GameReport("a", 10, 1, b"a1"), GameReport("b", 30, 1, b"b1"))
    listing = await report(two, GameReport("c", 20, 4, b"c4"))
    assert list(listing.seqs.items()) == [("b", 1), ("c", 4), ("a", 1)]
    assert await two.descriptions(["a", "c", "unknown"]) == {"a": b"a1", "c": b"c4"}
    assert await two.descriptions([]) == {}


async def test_the_newest_description_counts(one: LiveGameStore, two: LiveGameStore) -> None:
    """A node that is behind does not replace a newer description; without a description a game just stays listed."""
    await report(one, GameReport("a", 10, 7, b"a7"))
    assert (await report(two, GameReport("a", 10, 5, b"a5"))).seqs == {"a": 7}
    assert (await report(two, GameReport("a", 10, 7))).seqs == {"a": 7}
    assert await two.descriptions(["a"]) == {"a": b"a7"}
    assert (await report(two, GameReport("unknown", 10, 7))).seqs == {"a": 7}


async def test_a_finished_game_is_removed(one: LiveGameStore, two: LiveGameStore, redis: Redis) -> None:
    """A finished game is removed at once, with everything stored about it."""
    await report(one, GameReport("a", 10, 1, b"a1"), GameReport("b", 10, 1, b"b1"))
    assert (await report(two, finished=("a", "unknown"))).seqs == {"b": 1}
    assert (await report(one, finished=("b",))).seqs == {}
    assert sorted(await redis.keys("*")) == [b"parlour:{live}:nodes", b"parlour:{live}:nodes:expiry"]


async def test_a_game_outlives_its_node(one: LiveGameStore, two: LiveGameStore) -> None:
    """A game stays listed for a while after its node died, and longer if another node reports it."""
    await report(one, GameReport("a", 10, 1, b"a1"), GameReport("b", 10, 1, b"b1"))
    assert set((await report(two, now=NOW + GAME_TTL - 1)).seqs) == {"a", "b"}
    assert set((await report(two, GameReport("a", 10, 1), now=NOW + GAME_TTL - 1)).seqs) == {"a", "b"}
    assert set((await report(two, now=NOW + GAME_TTL)).seqs) == {"a"}


async def test_the_list_is_limited(one: LiveGameStore, redis: Redis) -> None:
    """The games with the lowest ranks are dropped, and the list says which rank a new game needs."""
    games = [GameReport(f"room {n}", n, 1, b"description") for n in range(MAX_LISTED)]
    assert (await report(one, *games[:-1])).min_rank == float("-inf")
    assert (await report(one, *games)).min_rank == 0
    listing = await report(one, GameReport("best", 1000, 1, b"description"))
    assert len(listing.seqs) == MAX_LISTED
    assert (next(iter(listing.seqs)), listing.min_rank) == ("best", 1)
    assert "room 0" not in listing.seqs
    assert not await redis.hexists("parlour:{live}:descriptions", "room 0")


async def test_connections_and_spectators_are_added_up(one: LiveGameStore, two: LiveGameStore) -> None:
    """Connections and spectators of all nodes are added up while their reports are valid."""
    await one.report(NOW, NodeReport(5, {"a": 2}), (), (GameReport("a", 1, 1, b"a"),))
    listing = await two.report(NOW, NodeReport(7, {"a": 1, "b": 4}), (), ())
    assert (listing.connections, listing.spectators("a"), listing.spectators("b"), listing.spectators("c")) == (
        12,
        3,
        4,
        0,
    )
    listing = await one.report(NOW + NODE_TTL, NodeReport(6), (), ())
    assert (listing.connections, listing.spectators("a")) == (6, 0)
