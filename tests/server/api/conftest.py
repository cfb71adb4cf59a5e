"""A node whose API is asked by HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from tests.server.api.http_client import HttpClient
from tests.server.running_node import RunningNode, running_node


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey) as running:
        yield running


@pytest.fixture
def http(node: RunningNode) -> HttpClient:
    return HttpClient.of(node)
