"""Names: each has one holder, and no two look alike.

A name and its player are in different slots of a cluster, so a player gets a name in three steps, and each can be
repeated:

1. The name is reserved for the player, for a minute.
2. The player is stored with the name.
3. The name is confirmed, for as long as the player exists.

If a node dies in between, the reservation expires. If it dies while a player gives up a name, the name still leads to a
player who no longer has it, and the next player who asks for the name gets it.

A name has two keys, which go through the same steps: one for the name as compared, by which players are found, and one
for its skeleton, which all names have that look like it. Two players whose names became lookalikes only later both keep
them; one of the two has the key of the skeleton.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from parlour.server.players.lookalikes import skeleton, version
from parlour.server.store.pipeline import Pipeline, script

SCRIPTS = RESERVE, CONFIRM, RELEASE = tuple(
    script(name) for name in ("reserve_name", "confirm_name", "release_name")
)  # fmt: skip

RESERVATION_TTL = 60_000  # milliseconds
# How long after the reservation an existing player may still be given the name. The rest of the minute is a margin for
# clocks that differ between the masters of a cluster.
STORE_WITHIN = RESERVATION_TTL // 2  # milliseconds


class NameStore:
    """All names, as they are compared. The coroutines raise StoreUnavailable."""

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

    async def is_taken(self, folded: str, id: str) -> bool:
        """Return whether a player other than this one has the name, or one that looks like it."""
        holder = await self.holder(folded)
        if holder is not None:
            return holder != id
        found = await self._pipeline.call(b"GET", self._keys.look(skeleton(folded)))
        return found is not None and found.decode() != id and await self._has_look(found.decode(), skeleton(folded))

    async def reserve(self, folded: str, id: str, *, lookalikes_allowed: bool = False) -> int | None:
        """Reserve a name for a player, who may already have it; return the store's time.

        Return None if another player has it, or, unless that is allowed, one that looks like it.
        """
        look = skeleton(folded)
        looks_free = await self._reserve(self._keys.look(look), id, lambda holder: self._has_look(holder, look))
        if not looks_free and not lookalikes_allowed and await self.holder(folded) != id:
            return None
        return await self._reserve(self._keys.player_name(folded), id, lambda holder: self._has(holder, folded))

    async def _reserve(self, key: str, id: str, holds: Callable[[str], Awaitable[bool]]) -> int | None:
        """Reserve a key, unless another player `holds` what it stands for; return the store's time."""
        args = (id, self._reservation_ttl)
        found = await self._pipeline.call_script(RESERVE, 1, key, *args, "")
        if isinstance(found, bytes):
            if await holds(found.decode()):
                return None
            found = await self._pipeline.call_script(RESERVE, 1, key, *args, found)
        return found if isinstance(found, int) and found else None

    async def _has(self, id: str, folded: str) -> bool:
        return await self._name_of(id) == folded

    async def _has_look(self, id: str, look: str) -> bool:
        folded = await self._name_of(id)
        return folded is not None and skeleton(folded) == look

    async def _name_of(self, id: str) -> str | None:
        folded = await self._pipeline.call(b"HGET", self._keys.player(id), b"folded")
        return None if folded is None else folded.decode()

    async def confirm(self, folded: str, id: str, ttl: int = 0) -> bool:
        """Confirm a name for `ttl` milliseconds, or for good; return False if another player has it."""
        confirmed, _ = await asyncio.gather(
            *(self._pipeline.call_script(CONFIRM, 1, key, id, ttl) for key in self._keys_of(folded))
        )
        return bool(confirmed)

    async def release(self, folded: str, id: str, *, new: str | None = None) -> None:
        """Release a name that the player has given up, perhaps for one that looks like it."""
        kept = () if new is None else self._keys_of(new)
        given_up = (key for key in self._keys_of(folded) if key not in kept)
        await asyncio.gather(*(self._pipeline.call_script(RELEASE, 1, key, id) for key in given_up))

    def _keys_of(self, folded: str) -> tuple[str, str]:
        return self._keys.player_name(folded), self._keys.look(skeleton(folded))

    async def index_looks(self) -> None:
        """Add the keys of skeletons for all names from before the current version of skeletons. Idempotent."""
        if await self._pipeline.call(b"GET", self._keys.looks_version) == version().encode():
            return
        start = self._keys.player_name("")
        async for found in self._pipeline.scan(f"{start}*"):
            ids = await self._pipeline.call_all(*((b"GET", key) for key in found))
            ttls = await self._pipeline.call_all(*((b"PTTL", key) for key in found))
            looks = [self._keys.look(skeleton(key.decode().removeprefix(start))) for key in found]
            await self._pipeline.call_all(
                *(
                    (b"SET", look, id, b"NX", *((b"PX", ttl) if ttl > 0 else ()))
                    for look, id, ttl in zip(looks, ids, ttls, strict=True)
                    if id is not None  # otherwise the key has just expired
                )
            )
        await self._pipeline.call(b"SET", self._keys.looks_version, version())
