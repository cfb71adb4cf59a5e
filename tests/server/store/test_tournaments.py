"""The lists of tournaments."""

from __future__ import annotations

from math import inf

from redis.asyncio import Redis

from parlour.server.store.pipeline import Pipeline
from parlour.server.store.tournaments import LISTED, TournamentStore


async def test_a_tournament_is_on_one_list(pipeline: Pipeline) -> None:
    """It moves from the current ones to the finished ones when it is over, and is listed as it was put last."""
    store = TournamentStore(pipeline)
    await store.put("b", 20, b"B", is_over=False)
    await store.put("a", 10, b"A", is_over=False)
    assert await store.current() == [b"A", b"B"]
    assert await store.count() == 2
    await store.put("a", 30, b"A is over", is_over=True)
    assert await store.current() == [b"B"]
    assert await store.finished(inf, 10) == [b"A is over"]
    assert await store.finished(30, 10) == []
    await store.put("a", 10, b"A", is_over=False)  # by a node that does not know it yet
    assert (await store.current(), await store.finished(inf, 10)) == ([b"B"], [b"A is over"])


async def test_old_ones_are_forgotten(pipeline: Pipeline, redis: Redis) -> None:
    """Only the newest finished tournaments are kept."""
    store = TournamentStore(pipeline)
    keys = pipeline.keys
    names = [f"t{number}" for number in range(LISTED)]
    await redis.zadd(keys.finished_tournaments, {name: number for number, name in enumerate(names)})
    await redis.hset(keys.tournament_summaries, mapping=dict.fromkeys(names, b"x"))
    await store.put("new", LISTED, b"new", is_over=True)
    assert await redis.zcard(keys.finished_tournaments) == LISTED
    assert not await redis.hexists(keys.tournament_summaries, "t0")
    assert (await store.finished(inf, 1)) == [b"new"]
