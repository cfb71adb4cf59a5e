"""The running games of players, and who had the first seat when."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from parlour.server.store.pipeline import Pipeline
from parlour.server.store.seats import SeatStore


@pytest.fixture
async def seats(valkey: str, redis: Redis) -> AsyncIterator[SeatStore]:
    pipeline = Pipeline(valkey)
    await pipeline.open()
    yield SeatStore(pipeline)
    await pipeline.close()


async def test_the_games_of_a_player(seats: SeatStore) -> None:
    """Each room is listed once, until it is removed."""
    for room in ("one", "two", "two"):
        await seats.seat(room, "isaac", ("ann", "bob"), 1)
    await seats.remove("ann", "one")
    assert await seats.rooms("ann") == ["two"]
    assert await seats.rooms("bob") == ["one", "two"]
    assert [await seats.count(player) for player in ("ann", "bob", "cat")] == [1, 2, 0]


async def test_who_had_the_first_seat(seats: SeatStore) -> None:
    """The time of the last first seat is stored separately for each game."""
    await seats.seat("one", "isaac", ("ann", "bob"), 5)
    await seats.seat("two", "isaac", ("ann", "bob"), 8)
    await seats.seat("three", "replica", ("bob", "ann"), 9)
    assert [await seats.first_seat("ann", game) for game in ("isaac", "replica")] == [8, 0]
    assert [await seats.first_seat("bob", game) for game in ("isaac", "replica")] == [0, 9]


async def test_the_computer_is_not_recorded(seats: SeatStore, redis: Redis) -> None:
    """Nothing is stored for the computer's seat, and everything stored for players expires."""
    await seats.seat("one", "isaac", (None, "bob"), 5)
    assert await redis.keys("*") == [b"parlour:player:{bob}:playing"]
    await seats.seat("one", "isaac", ("bob", None), 5)
    assert all([await redis.ttl(key) > 0 for key in await redis.keys("*")])
