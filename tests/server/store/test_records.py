"""Records of finished games, and the lists to find them by."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis.asyncio import Redis

from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.records import Page, RecordStore

keys = Keys()

NOON = 1_700_000_000_000


@pytest.fixture
def records(pipeline: Pipeline) -> RecordStore:
    return RecordStore(pipeline)


async def rooms(records: RecordStore, *players: str, game: str | None = None) -> list[str]:
    return list((await records.page(players, game, "", 100)).rooms)


async def test_a_record_is_permanent(records: RecordStore, redis: Redis) -> None:
    """A record is found by its room, does not expire, and is listed once however often it is stored."""
    for _ in range(2):
        await records.put("r1", b"bytes", "isaac", ["ada", "ben"], NOON)
    assert await records.find(["r1", "r2"]) == [b"bytes", None]
    assert await records.find([]) == []
    assert await redis.pttl(keys.record("r1")) == -1
    assert await rooms(records) == ["r1"]


async def test_filters(records: RecordStore) -> None:
    """Games are found by player, by two players in any order, by game, and by combinations; newest first."""
    await records.put("r1", b"1", "isaac", ["ada", "ben"], NOON)
    await records.put("r2", b"2", "replica", ["ben", "ada"], NOON + 1)
    await records.put("r3", b"3", "isaac", ["ada", "eve"], NOON + 2)
    await records.put("r4", b"4", "isaac", ["ada"], NOON + 3)  # against the computer
    assert await rooms(records) == ["r4", "r3", "r2", "r1"]
    assert await rooms(records, game="isaac") == ["r4", "r3", "r1"]
    assert await rooms(records, "ada") == ["r4", "r3", "r2", "r1"]
    assert await rooms(records, "ben") == ["r2", "r1"]
    assert await rooms(records, "ada", "ben") == await rooms(records, "ben", "ada") == ["r2", "r1"]
    assert await rooms(records, "ada", "ben", game="isaac") == ["r1"]
    assert await rooms(records, "eve", game="replica") == []
    assert await rooms(records, "ben", "eve") == []


async def test_private_games_are_for_their_players(records: RecordStore) -> None:
    """Private games are listed for their players only."""
    await records.put("r1", b"1", "isaac", ["ada", "ben"], NOON, private=True)
    assert await rooms(records) == await rooms(records, game="isaac") == []
    assert await rooms(records, "ada") == await rooms(records, "ada", "ben") == ["r1"]


async def test_public_lists_are_limited(pipeline: Pipeline) -> None:
    """The oldest games are dropped from the public lists, but not from those of their players."""
    records = RecordStore(pipeline, max_listed=3)
    for number in range(6):
        await records.put(f"r{number}", b"x", "isaac", ["ada", "ben"], NOON + number)
    assert await rooms(records) == await rooms(records, game="isaac") == ["r5", "r4", "r3"]
    assert len(await rooms(records, "ada")) == 6


@given(st.lists(st.integers(0, 5), max_size=30), st.integers(1, 7))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
async def test_pages_contain_every_game_once(records: RecordStore, redis: Redis, times: list[int], size: int) -> None:
    """Page by page every game comes once, newest first, even if many ended at the same moment."""
    await redis.flushall()
    for number, at in enumerate(times):
        await records.put(f"r{number:02}", b"x", "isaac", ["ada", "ben"], NOON + at)
    found: list[str] = []
    page = Page((), "")
    while True:
        page = await records.page(["ada"], None, page.more, size)
        assert len(page.rooms) <= size
        found += page.rooms
        if not page.more:
            break
        # Games that end in the meantime do not change the following pages.
        await records.put(f"new{len(found)}", b"x", "isaac", ["ada", "ben"], NOON + 1000)
    expected = sorted(((at, f"r{number:02}") for number, at in enumerate(times)), reverse=True)
    assert found == [room for _, room in expected]


@pytest.mark.parametrize("before", ["x", "-", "1", "1e3-r", "-1-r", "١-r", f"{10**20}-r", " 1-r", "1.5-r"])
async def test_an_invalid_cursor(records: RecordStore, before: str) -> None:
    """Only the cursor of a previous page is accepted."""
    with pytest.raises(ValueError, match="cursor"):
        await records.page([], None, before, 5)
