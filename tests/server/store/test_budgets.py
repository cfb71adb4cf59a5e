"""Budgets: spent, refused, and back again, counted by all nodes together."""

from __future__ import annotations

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st
from redis.asyncio import Redis

from parlour.server.store import keys
from parlour.server.store.budgets import Budget, Budgets
from parlour.server.store.pipe import Pipe

NOW = 1_800_000_000_000  # any moment
SIGN_INS = Budget("sign_in:name:ann", 10, 60_000)


async def test_spent_and_back_again(pipe: Pipe) -> None:
    """All of a budget can be had at once; then one comes back after each step, and the answer says when."""
    budgets = Budgets(pipe)
    assert [await budgets.take([SIGN_INS], NOW) for _ in range(10)] == [0] * 10
    assert await budgets.take([SIGN_INS], NOW) == 6_000
    assert await budgets.take([SIGN_INS], NOW + 1_000) == 5_000
    assert await budgets.take([SIGN_INS], NOW + 6_000) == 0
    assert await budgets.take([SIGN_INS], NOW + 6_000) == 6_000
    assert [await budgets.take([SIGN_INS], NOW + 70_000) for _ in range(11)] == [0] * 10 + [6_000]


async def test_all_or_nothing(pipe: Pipe) -> None:
    """What is refused because one budget is spent takes nothing from the others."""
    budgets = Budgets(pipe)
    small, large = Budget("small", 1, 60_000), Budget("large", 2, 60_000)
    assert await budgets.take([small, large], NOW) == 0
    assert await budgets.take([large, small], NOW) == 60_000
    assert await budgets.take([large], NOW) == 0
    assert await budgets.take([large], NOW) == 30_000


async def test_budgets_are_somebodys_own(pipe: Pipe) -> None:
    """Who has spent his does not spend another's."""
    budgets = Budgets(pipe)
    assert await budgets.take([Budget("ann", 1, 1_000)], NOW) == 0
    assert await budgets.take([Budget("ben", 1, 1_000)], NOW) == 0
    assert await budgets.take([Budget("ann", 1, 1_000)], NOW) == 1_000


async def test_nodes_count_together(valkey: str, pipe: Pipe) -> None:
    """Two nodes that ask at once have one budget."""
    other = Pipe(valkey)
    await other.open()
    asked = [Budgets(each).take([SIGN_INS], NOW) for _ in range(10) for each in (pipe, other)]
    answers = await asyncio.gather(*asked)
    assert answers.count(0) == 10
    await other.close()


async def test_nothing_is_kept_for_ever(pipe: Pipe, redis: Redis) -> None:
    """A budget that is whole again takes no place in Redis."""
    await Budgets(pipe).take([SIGN_INS], NOW)
    assert 0 < await redis.pttl(keys.budget(SIGN_INS.name)) <= 6_000


@settings(max_examples=40)
@given(
    most=st.integers(1, 100_000),
    within=st.integers(1_000, 3_600_000),
    gaps=st.lists(st.integers(0, 50_000), min_size=1, max_size=60),
)
def test_never_more_than_the_budget(valkey: str, most: int, within: int, gaps: list[int]) -> None:
    """Whenever somebody asks, no stretch of time has more than the budget and what came back within it."""

    async def ask() -> list[int]:
        pipe = Pipe(valkey)
        await pipe.open()
        await pipe.call("FLUSHALL")
        budgets, now, taken = Budgets(pipe), NOW, []
        for gap in gaps:
            now += gap
            if await budgets.take([Budget("any", most, within)], now) == 0:
                taken.append(now)
        await pipe.close()
        return taken

    taken = asyncio.run(ask())
    assert taken[0] == NOW + gaps[0]
    for first, start in enumerate(taken):
        for count, end in enumerate(taken[first:], 1):
            assert count <= most + (end - start) * most / within + 0.01
