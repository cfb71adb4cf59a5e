"""The redis-py clients: for commands that block, which would hold up the pipeline, and for a thread."""

from __future__ import annotations

import ssl
from typing import Any

import redis
import redis.asyncio
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff

from parlour.server.store.address import Address, parse

CONNECT_WITHIN = 2.0  # seconds
CONNECTIONS = 16
THREAD_WAITS = 1.0  # seconds for a reply

# The first retry comes at once, for a connection that has only gone stale; the last one after half a second.
RETRIES = 4
RETRY_FROM, RETRY_UP_TO = 0.02, 0.3


def blocking_client(address: Address | str) -> Redis:
    """Return a client that waits for replies for as long as a command blocks. It returns bytes."""
    where = parse(address) if isinstance(address, str) else address
    pool = BlockingConnectionPool(
        max_connections=CONNECTIONS,
        **_options(where, redis.asyncio),
        protocol=3,
        legacy_responses=False,  # the same reply shapes in both protocols
        socket_timeout=None,
        retry=Retry(ExponentialBackoff(RETRY_UP_TO, RETRY_FROM), RETRIES),
    )
    return Redis.from_pool(pool)


def thread_client(address: Address | str) -> redis.Redis:
    """Return a client for a thread of its own. It connects when it is first used."""
    where = parse(address) if isinstance(address, str) else address
    return redis.Redis.from_pool(redis.ConnectionPool(**_options(where, redis), socket_timeout=THREAD_WAITS))


def _options(where: Address, library: Any) -> dict[str, Any]:
    """Return how to connect. `library` has the connection classes: redis, or redis.asyncio."""
    options: dict[str, Any] = {
        "db": where.db,
        "username": where.username,
        "password": where.password,
        "client_name": "parlour",
        "driver_info": None,  # saves two commands for each connection
        "socket_connect_timeout": CONNECT_WITHIN,
    }
    if where.path is not None:
        return options | {"connection_class": library.UnixDomainSocketConnection, "path": where.path}
    options |= {"connection_class": library.Connection, "host": where.host, "port": where.port}
    if where.tls:
        options |= {
            "connection_class": library.SSLConnection,
            "ssl_ca_certs": where.ca,
            "ssl_cert_reqs": ssl.CERT_REQUIRED if where.verify else ssl.CERT_NONE,
            "ssl_check_hostname": where.verify,
        }
    return options
