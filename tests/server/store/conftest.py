"""The way to the store."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from parlour.server.store.pipe import Pipe


@pytest.fixture
async def pipe(valkey: str, redis: Redis) -> AsyncIterator[Pipe]:
    """A pipe to the Valkey that the tests share, which has nothing in it."""
    opened = Pipe(valkey)
    await opened.open()
    yield opened
    await opened.close()
