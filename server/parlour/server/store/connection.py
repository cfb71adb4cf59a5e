"""The clients of redis-py: for all that is not on the way of a move."""

from __future__ import annotations

import ssl
from typing import Any

from redis.asyncio import BlockingConnectionPool, Connection, Redis, SSLConnection, UnixDomainSocketConnection
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff

from parlour.server.store.address import Address, parse

ANSWER_WITHIN = 5.0  # seconds
CONNECT_WITHIN = 2.0
CONNECTIONS = 16

# Redis gone: the first retry comes at once, for a connection that only went stale; the last after half a second.
# A command may then have been carried out twice, so every command of the store must bear that.
RETRIES = 4
RETRY_FROM, RETRY_UP_TO = 0.02, 0.3


def client(address: Address | str) -> Redis:
    """A client for short commands. It gives bytes, and raises after some seconds at most."""
    return _client(address, ANSWER_WITHIN)


def blocking_client(address: Address | str) -> Redis:
    """A client for commands that wait until something happens, such as XREAD with BLOCK: it waits with them."""
    return _client(address, None)


def _client(address: Address | str, answer_within: float | None) -> Redis:
    where = parse(address) if isinstance(address, str) else address
    pool = BlockingConnectionPool(
        max_connections=CONNECTIONS,
        timeout=ANSWER_WITHIN,
        **_place(where),
        db=where.db,
        username=where.username,
        password=where.password,
        client_name="parlour",
        driver_info=None,  # saves two commands for each connection
        protocol=3,
        legacy_responses=False,  # the same shapes whatever the protocol
        socket_timeout=answer_within,
        socket_connect_timeout=CONNECT_WITHIN,
        retry=Retry(ExponentialBackoff(RETRY_UP_TO, RETRY_FROM), RETRIES),
    )
    return Redis.from_pool(pool)


def _place(where: Address) -> dict[str, Any]:
    if where.path is not None:
        return {"connection_class": UnixDomainSocketConnection, "path": where.path}
    place: dict[str, Any] = {"connection_class": Connection, "host": where.host, "port": where.port}
    if where.tls:
        place |= {
            "connection_class": SSLConnection,
            "ssl_ca_certs": where.ca,
            "ssl_cert_reqs": ssl.CERT_REQUIRED if where.verify else ssl.CERT_NONE,
            "ssl_check_hostname": where.verify,
        }
    return place
