"""Which games a player sits at, and who had the first seat when."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from parlour.server.store.pipe import Pipe
from parlour.server.store.seats import Playing


@pytest.fixture
async def playing(valkey: str, redis: Redis) -> AsyncIterator[Playing]:
    pipe = Pipe(valkey)
    await pipe.open()
    yield Playing(pipe)
    await pipe.close()


async def test_the_games_of_a_player(playing: Playing) -> None:
    """Each is there once, until it is taken out."""
    for room in ("one", "two", "two"):
        await playing.seat(room, "isaac", ("ann", "bob"), 1)
    await playing.remove("ann", "one")
    assert await playing.rooms("ann") == ["two"]
    assert await playing.rooms("bob") == ["one", "two"]
    assert [await playing.count(player) for player in ("ann", "bob", "cat")] == [1, 2, 0]


async def test_who_had_the_first_seat(playing: Playing) -> None:
    """It is known when that was last, for each game by itself."""
    await playing.seat("one", "isaac", ("ann", "bob"), 5)
    await playing.seat("two", "isaac", ("ann", "bob"), 8)
    await playing.seat("three", "replica", ("bob", "ann"), 9)
    assert [await playing.first_seat("ann", game) for game in ("isaac", "replica")] == [8, 0]
    assert [await playing.first_seat("bob", game) for game in ("isaac", "replica")] == [0, 9]


async def test_an_empty_seat_is_nobodys(playing: Playing, redis: Redis) -> None:
    """Where the computer sits nothing is remembered; and nothing is for ever."""
    await playing.seat("one", "isaac", (None, "bob"), 5)
    assert await redis.keys("*") == [b"parlour:player:bob:playing"]
    await playing.seat("one", "isaac", ("bob", None), 5)
    assert all([await redis.ttl(key) > 0 for key in await redis.keys("*")])
