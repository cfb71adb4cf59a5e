"""The networks that operators have banned, in the store."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from parlour.server.restrictions import Restriction
from parlour.server.store.pipeline import Pipeline

decode = msgspec.json.Decoder(Restriction).decode


class AddressBanStore:
    """The banned networks, as text such as `192.0.2.0/24`. The coroutines raise StoreUnavailable."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._key = pipeline.keys.address_bans

    async def all(self) -> Mapping[str, Restriction]:
        """Return every ban, including expired ones."""
        found = await self._pipeline.call(b"HGETALL", self._key)
        return {name.decode(): decode(ban) for name, ban in zip(found[::2], found[1::2], strict=True)}

    async def set(self, network: str, ban: Restriction) -> None:
        """Ban a network, or change the end and the reason of its ban."""
        await self._pipeline.call(b"HSET", self._key, network, msgspec.json.encode(ban))

    async def remove(self, *networks: str) -> int:
        """Lift the bans of some networks; return how many there were."""
        removed: int = await self._pipeline.call(b"HDEL", self._key, *networks) if networks else 0
        return removed
