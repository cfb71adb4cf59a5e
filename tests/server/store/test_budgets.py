"""Rate limits: budgets that are spent, recover, and are shared by all nodes."""

from __future__ import annotations

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st
from redis.asyncio import Redis

from parlour.server.store.budgets import Budget, BudgetStore
from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline

keys = Keys()

NOW = 1_800_000_000_000  # any moment
SIGN_INS = Budget("sign_in:name:ann", 10, 60_000)


async def test_a_budget_recovers(pipeline: Pipeline) -> None:
    """A full budget can be spent at once; then one action comes back per interval, and a refusal says when."""
    budgets = BudgetStore(pipeline)
    assert [await budgets.spend([SIGN_INS], NOW) for _ in range(10)] == [None] * 10
    assert await budgets.spend([SIGN_INS], NOW) == (SIGN_INS, 6_000)
    assert await budgets.spend([SIGN_INS], NOW + 1_000) == (SIGN_INS, 5_000)
    assert await budgets.spend([SIGN_INS], NOW + 6_000) is None
    assert await budgets.spend([SIGN_INS], NOW + 6_000) == (SIGN_INS, 6_000)
    assert [await budgets.spend([SIGN_INS], NOW + 70_000) for _ in range(11)] == [None] * 10 + [(SIGN_INS, 6_000)]


async def test_all_or_nothing(pipeline: Pipeline) -> None:
    """A request that one exhausted budget refuses spends nothing of the others."""
    budgets = BudgetStore(pipeline)
    small, large = Budget("small", 1, 60_000), Budget("large", 2, 60_000)
    assert await budgets.spend([small, large], NOW) is None
    assert await budgets.spend([large, small], NOW) == (small, 60_000)
    assert await budgets.spend([large], NOW) is None
    assert await budgets.spend([large], NOW) == (large, 30_000)


async def test_budgets_are_independent(pipeline: Pipeline) -> None:
    """Spending one budget does not affect another."""
    budgets = BudgetStore(pipeline)
    assert await budgets.spend([Budget("ann", 1, 1_000)], NOW) is None
    assert await budgets.spend([Budget("ben", 1, 1_000)], NOW) is None
    assert await budgets.spend([Budget("ann", 1, 1_000)], NOW) == (Budget("ann", 1, 1_000), 1_000)


async def test_nodes_count_together(valkey: str, pipeline: Pipeline) -> None:
    """Two nodes that spend a budget at the same time share it."""
    other = Pipeline(valkey)
    await other.open()
    asked = [BudgetStore(each).spend([SIGN_INS], NOW) for _ in range(10) for each in (pipeline, other)]
    answers = await asyncio.gather(*asked)
    assert answers.count(None) == 10
    await other.close()


async def test_a_full_budget_is_not_stored(pipeline: Pipeline, redis: Redis) -> None:
    """The key of a budget expires when the budget is full again."""
    await BudgetStore(pipeline).spend([SIGN_INS], NOW)
    assert 0 < await redis.pttl(keys.budget(SIGN_INS.name)) <= 6_000


@settings(max_examples=40)
@given(
    most=st.integers(1, 100_000),
    within=st.integers(1_000, 3_600_000),
    gaps=st.lists(st.integers(0, 50_000), min_size=1, max_size=60),
)
def test_never_more_than_the_budget(valkey: str, most: int, within: int, gaps: list[int]) -> None:
    """At any time and over any period, no more is spent than the limit plus what came back in that period."""

    async def ask() -> list[int]:
        pipeline = Pipeline(valkey)
        await pipeline.open()
        await pipeline.call("FLUSHALL")
        budgets, now, taken = BudgetStore(pipeline), NOW, []
        for gap in gaps:
            now += gap
            if await budgets.spend([Budget("any", most, within)], now) is None:
                taken.append(now)
        await pipeline.close()
        return taken

    taken = asyncio.run(ask())
    assert taken[0] == NOW + gaps[0]
    for first, start in enumerate(taken):
        for count, end in enumerate(taken[first:], 1):
            assert count <= most + (end - start) * most / within + 0.01
