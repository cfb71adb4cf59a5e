"""The list of who is online that nodes keep together."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from parlour.server.store.keys import Keys
from parlour.server.store.online import NODE_TTL, OnlineName, OnlineStore
from parlour.server.store.pipeline import Pipeline

keys = Keys()

NOW = 1_700_000_000_000
ANN, ANNA, BEN = OnlineName("ann", "f1"), OnlineName("anna", "02"), OnlineName("ben", "a3")


@pytest.fixture
def one(pipeline: Pipeline) -> OnlineStore:
    return OnlineStore(pipeline, "node one")


@pytest.fixture
def two(pipeline: Pipeline) -> OnlineStore:
    return OnlineStore(pipeline, "node two")


async def test_all_nodes_see_one_list(one: OnlineStore, two: OnlineStore) -> None:
    """A player on two nodes is listed once, and the list is ordered by name."""
    assert await one.report(NOW, [BEN, ANN], []) == 2
    assert await two.report(NOW, [ANNA, BEN], []) == 2
    assert await one.list(NOW, "", 10) == await two.list(NOW, "", 10) == [ANN, ANNA, BEN]


async def test_pages(one: OnlineStore, two: OnlineStore) -> None:
    """A page begins after a name, which need not be online any more, and not after a name that begins like it."""
    await one.report(NOW, [BEN, ANN], [])
    await two.report(NOW, [ANNA], [])
    assert await one.list(NOW, "", 2) == [ANN, ANNA]
    assert await one.list(NOW, "ann", 2) == [ANNA, BEN]
    assert await one.list(NOW, "anna", 2) == [BEN]
    assert await one.list(NOW, "ben", 2) == []
    assert await one.list(NOW, "bea", 2) == [BEN]


async def test_changes(one: OnlineStore) -> None:
    """A node reports who came and who left, or replaces everything that it reported before."""
    await one.report(NOW, [ANN, BEN], [])
    assert await one.report(NOW, [ANNA], [ANN]) == 2
    assert await one.list(NOW, "", 10) == [ANNA, BEN]
    assert await one.report(NOW, [ANN], [], others_left=True) == 1
    assert await one.list(NOW, "", 10) == [ANN]


async def test_a_silent_node_is_forgotten(one: OnlineStore, two: OnlineStore, redis: Redis) -> None:
    """The players of a node that no longer reports are not listed, and its keys expire."""
    await one.report(NOW, [ANN], [])
    await two.report(NOW + NODE_TTL, [BEN], [])
    assert await two.list(NOW + NODE_TTL, "", 10) == [BEN]
    assert 0 < await redis.pttl(keys.online("node one")) <= NODE_TTL
