"""Names: each has one holder, although a name and its player are in different slots of a cluster.

A player gets a name in three steps, and each can be repeated:

1. The name is reserved for the player, for a minute.
2. The player is stored with the name.
3. The name is confirmed, for as long as the player exists.

If a node dies in between, the reservation expires. If it dies while a player gives up a name, the name still leads to a
player who does not have it any more, and the next one who asks for it gets it.
"""

from __future__ import annotations

from parlour.server.store.pipeline import Pipeline, script

SCRIPTS = RESERVE, CONFIRM, RELEASE = tuple(
    script(name) for name in ("reserve_name", "confirm_name", "release_name")
)  # fmt: skip

RESERVATION_TTL = 60_000  # milliseconds
# How long after the reservation an existing player may still be given the name. The rest of its time is for clocks that
# differ between the masters of a cluster.
STORE_WITHIN = RESERVATION_TTL // 2  # milliseconds


class NameStore:
    """All names, in their folded form. The coroutines raise StoreUnavailable."""

    def __init__(self, pipeline: Pipeline, *, reservation_ttl: int = RESERVATION_TTL) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        self._reservation_ttl = reservation_ttl
        for each in SCRIPTS:
            pipeline.load(each)

    async def holder(self, folded: str) -> str | None:
        """Return the id of the player with this name, or who is about to get it."""
        id = await self._pipeline.call(b"GET", self._keys.player_name(folded))
        return None if id is None else id.decode()

    async def reserve(self, folded: str, id: str) -> int | None:
        """Reserve a name for a player, who may already have it; return the store's time, or None if it is taken."""
        found = await self._reserve(folded, id, "")
        if isinstance(found, bytes):
            has_it = await self._pipeline.call(b"HGET", self._keys.player(found.decode()), b"folded")
            if has_it == folded.encode():
                return None
            found = await self._reserve(folded, id, found.decode())
        return found if isinstance(found, int) and found else None

    async def _reserve(self, folded: str, id: str, former_holder: str) -> int | bytes:
        args = (id, self._reservation_ttl, former_holder)
        found: int | bytes = await self._pipeline.call_script(RESERVE, 1, self._keys.player_name(folded), *args)
        return found

    async def confirm(self, folded: str, id: str, ttl: int = 0) -> bool:
        """Let a player keep a name for `ttl` milliseconds, or for good; return False if another player has it."""
        return bool(await self._pipeline.call_script(CONFIRM, 1, self._keys.player_name(folded), id, ttl))

    async def release(self, folded: str, id: str) -> None:
        """Free a name that the player has given up."""
        await self._pipeline.call_script(RELEASE, 1, self._keys.player_name(folded), id)
