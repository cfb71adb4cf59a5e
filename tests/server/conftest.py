"""Real Valkey servers for the tests of the server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator

import pytest
from redis.asyncio import Redis

from parlour.server.store.pipeline import Pipeline
from tests.redis_client import client
from tests.server.store.cluster_process import Cluster
from tests.server.store.private_valkey import PrivateValkey


@pytest.fixture(scope="session")
def valkey() -> Iterator[str]:
    """The address of the Valkey that the tests of this process share."""
    server = PrivateValkey()
    server.start()
    yield server.url
    server.close()


@pytest.fixture
async def redis(valkey: str) -> AsyncIterator[Redis]:
    """A client of the shared Valkey, which is emptied first."""
    connected = client(valkey)
    await connected.flushall()
    yield connected
    await connected.aclose()


@pytest.fixture
async def pipeline(valkey: str, redis: Redis) -> AsyncIterator[Pipeline]:
    """A pipeline to the shared Valkey, which is empty."""
    opened = Pipeline(valkey)
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
def start_valkey() -> Iterator[Callable[..., PrivateValkey]]:
    """Start a Valkey for this test alone, with the given settings."""
    servers = []

    def start(*settings: str) -> PrivateValkey:
        server = PrivateValkey(*settings)
        servers.append(server)
        server.start()
        return server

    yield start
    for server in servers:
        server.close()


@pytest.fixture(scope="session")
def shared_cluster() -> Iterator[Cluster]:
    """The cluster of three masters, without replicas, that the tests of this process share."""
    started = Cluster(3, replicas=False)
    try:
        started.start()
        yield started
    finally:
        started.close()


@pytest.fixture
def cluster(shared_cluster: Cluster) -> Cluster:
    """The shared cluster, which is emptied first. A test that moves a slot moves it back."""
    shared_cluster.empty()
    return shared_cluster


@pytest.fixture
def replicated_cluster() -> Iterator[Cluster]:
    """A cluster of three masters with a replica each, for this test alone."""
    started = Cluster(3)
    try:
        started.start()
        yield started
    finally:
        started.close()
