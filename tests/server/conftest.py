"""Real Valkeys for the tests of the server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator

import pytest
from redis.asyncio import Redis

from parlour.server.store.connection import client
from tests.server.store.private_valkey import PrivateValkey


@pytest.fixture(scope="session")
def valkey() -> Iterator[str]:
    """The address of a Valkey that the tests of this process share, one after the other."""
    server = PrivateValkey()
    server.start()
    yield server.url
    server.close()


@pytest.fixture
async def redis(valkey: str) -> AsyncIterator[Redis]:
    """A client of that Valkey, which has nothing in it."""
    connected = client(valkey)
    await connected.flushall()
    yield connected
    await connected.aclose()


@pytest.fixture
def start_valkey() -> Iterator[Callable[..., PrivateValkey]]:
    """Starts a Valkey for this test alone, with the given settings; for those that kill it."""
    servers = []

    def start(*settings: str) -> PrivateValkey:
        server = PrivateValkey(*settings)
        servers.append(server)
        server.start()
        return server

    yield start
    for server in servers:
        server.close()
