"""The redis-py client, for commands that block: on the pipeline they would hold up everything else."""

from __future__ import annotations

import ssl
from typing import Any

from redis.asyncio import BlockingConnectionPool, Connection, Redis, SSLConnection, UnixDomainSocketConnection
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff

from parlour.server.store.address import Address, parse

CONNECT_WITHIN = 2.0  # seconds
CONNECTIONS = 16

# The first retry comes at once, for a connection that has only gone stale; the last one after half a second.
RETRIES = 4
RETRY_FROM, RETRY_UP_TO = 0.02, 0.3


def blocking_client(address: Address | str) -> Redis:
    """Return a client that waits for replies for as long as a command blocks. It returns bytes."""
    where = parse(address) if isinstance(address, str) else address
    pool = BlockingConnectionPool(
        max_connections=CONNECTIONS,
        **_endpoint(where),
        db=where.db,
        username=where.username,
        password=where.password,
        client_name="parlour",
        driver_info=None,  # saves two commands for each connection
        protocol=3,
        legacy_responses=False,  # the same reply shapes in both protocols
        socket_timeout=None,
        socket_connect_timeout=CONNECT_WITHIN,
        retry=Retry(ExponentialBackoff(RETRY_UP_TO, RETRY_FROM), RETRIES),
    )
    return Redis.from_pool(pool)


def _endpoint(where: Address) -> dict[str, Any]:
    if where.path is not None:
        return {"connection_class": UnixDomainSocketConnection, "path": where.path}
    endpoint: dict[str, Any] = {"connection_class": Connection, "host": where.host, "port": where.port}
    if where.tls:
        endpoint |= {
            "connection_class": SSLConnection,
            "ssl_ca_certs": where.ca,
            "ssl_cert_reqs": ssl.CERT_REQUIRED if where.verify else ssl.CERT_NONE,
            "ssl_check_hostname": where.verify,
        }
    return endpoint
