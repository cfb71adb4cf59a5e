"""All nodes of a store use the same archive."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis
from sqlalchemy import URL

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.engine import sqlite_url
from parlour.server.archive.pairing import pair
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.store import Store


@pytest.fixture
async def store(valkey: str, redis: Redis) -> AsyncIterator[Store]:
    opened = Store(valkey, "node")
    await opened.open()
    yield opened
    await opened.close()


async def test_a_second_archive_is_refused(store: Store, tmp_path: Path) -> None:
    """The first archive belongs to the store; a node with another one is told what to do."""
    own, other = (Database(sqlite_url(tmp_path / name)) for name in ("own", "other"))
    for _ in range(2):
        await pair(store, own)
    with pytest.raises(StoreUnavailable, match=r"another archive .*--archive"):
        await pair(store, other)
    await own.close()
    await other.close()


async def test_an_archive_that_is_down_is_not_checked(store: Store) -> None:
    """A node starts without it."""
    down = Database(URL.create("postgresql", host="/nowhere", database="none"))
    await pair(store, down)
    await down.close()
