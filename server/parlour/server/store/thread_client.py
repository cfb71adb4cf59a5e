"""The redis-py client of the heartbeat thread, which cannot use the event loop's connections."""

from __future__ import annotations

import ssl
from typing import Any

import redis

from parlour.server.store.address import Address

CONNECT_WITHIN = 2.0  # seconds
THREAD_WAITS = 1.0  # seconds for a reply


def thread_client(where: Address) -> redis.Redis:
    """Return a client for use in a separate thread. It connects when it is first used."""
    options: dict[str, Any] = {
        "db": where.db,
        "username": where.username,
        "password": where.password,
        "client_name": "parlour",
        "driver_info": None,  # saves two commands for each connection
        "socket_connect_timeout": CONNECT_WITHIN,
        "socket_timeout": THREAD_WAITS,
    }
    if where.path is not None:
        options |= {"connection_class": redis.UnixDomainSocketConnection, "path": where.path}
    else:
        options |= {"connection_class": redis.Connection, "host": where.host, "port": where.port}
    if where.tls:
        options |= {
            "connection_class": redis.SSLConnection,
            "ssl_ca_certs": where.ca,
            "ssl_cert_reqs": ssl.CERT_REQUIRED if where.verify else ssl.CERT_NONE,
            "ssl_check_hostname": where.verify,
            "ssl_certfile": where.certificate,
            "ssl_keyfile": where.private_key,
        }
    return redis.Redis.from_pool(redis.ConnectionPool(**options))
