"""The rated games that the same two players have begun within a day."""

from __future__ import annotations

from parlour.server.store.pipeline import Pipeline

WINDOW = 24 * 3600  # seconds, from the first of the games


class PairingStore:
    """The rated games of each two players. The coroutines raise StoreUnavailable."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys

    async def count(self, one: str, other: str) -> int:
        """Return how many rated games two players have begun."""
        number: int = await self._pipeline.call(b"SCARD", self._keys.rated_pair(one, other))
        return number

    async def add(self, one: str, other: str, room: str) -> None:
        """Note that a rated game has begun. Idempotent."""
        key = self._keys.rated_pair(one, other)
        await self._pipeline.call_all((b"SADD", key, room), (b"EXPIRE", key, WINDOW, b"NX"))
