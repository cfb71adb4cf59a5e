"""The ids of commands whose effects are not in a log, shared by all nodes: each id belongs to one command."""

from __future__ import annotations

from parlour.server.store.pipeline import Pipeline

CLAIM_TTL = 10 * 60 * 1000  # milliseconds: longer than a client takes to reconnect and send a command again


class CommandIdStore:
    """Remembers for a while which command used an id in a session."""

    def __init__(self, pipeline: Pipeline, *, ttl: int = CLAIM_TTL) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        self._ttl = ttl

    async def claim(self, player: str, session: str, id: int, digest: int) -> bool:
        """Claim an id for the command with this digest; return False if a different command has it."""
        key = self._keys.command(player, session, id)
        if await self._pipeline.call(b"SET", key, digest, b"NX", b"PX", self._ttl) is not None:
            return True
        return await self._pipeline.call(b"GET", key) in (None, b"%d" % digest)  # None: it has just expired
