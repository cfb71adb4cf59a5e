"""A Redis client that is independent of the server's own, to look at the store from outside."""

from __future__ import annotations

from redis.asyncio import Redis


def client(url: str) -> Redis:
    """Return a client for a store's URL; replies are bytes."""
    return Redis.from_url(url, protocol=3)
