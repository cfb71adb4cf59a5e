"""The version of the store's format, so that no node uses data that it would misread.

To change the format of stored data in a way that older nodes cannot read: raise FORMAT by one, and add to UPGRADES the
step from the old number. The first node with the new FORMAT executes the step; from then on older nodes are refused.
New fields with defaults, and new keys that older nodes may ignore, do not change the format.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.resp import RespConnection

FORMAT = 2  # the format that this version of Parlour reads and writes
OLDEST = 2  # the oldest format that can be upgraded; no released version wrote an older one

RESTORING = b"restoring "  # prefix of the value stored in place of the format until a backup is restored

Upgrade = Callable[[Pipeline], Awaitable[None]]

# From each older format to the next one. A step has to be idempotent: the node that executes it may die halfway.
UPGRADES: Mapping[int, Upgrade] = {}

CLAIM_TTL = 60  # seconds after which another node repeats the upgrade of a node that died
POLL = 0.2  # seconds between checks of an upgrade that another node executes


class StoreFormat:
    """Keeps this node from working with a store of a newer format, and upgrades one of an older format."""

    def __init__(self, keys: Keys, newest: int = FORMAT, upgrades: Mapping[int, Upgrade] = UPGRADES) -> None:
        self._keys = keys
        self._newest = newest
        self._upgrades = upgrades

    async def check(self, connection: RespConnection) -> None:
        """Raise StoreUnavailable, with a sentence for the operator, if the store's format is newer than this node's.

        Every new connection is checked before it is used, so a node that was away during an upgrade is refused too.
        """
        reply = await connection.call("GET", self._keys.format_version)
        if reply is not None and reply.startswith(RESTORING):
            raise StoreUnavailable("a backup was not completely restored into it; run `parlour restore` again")
        found = _number(reply)
        if found is not None and found > self._newest:
            raise StoreUnavailable(
                f"its data has format {found}, and this version of Parlour understands formats up to {self._newest}; "
                "start the version of Parlour that wrote the data, or a newer one, or use another store"
            )

    async def upgrade(self, pipeline: Pipeline) -> None:
        """Note the format of a new store; bring an older one up to date, or wait for the node that does."""
        await pipeline.call("SET", self._keys.format_version, self._newest, "NX")
        while (found := _number(await pipeline.call("GET", self._keys.format_version)) or self._newest) < self._newest:
            if found not in self._upgrades:
                raise StoreUnavailable(
                    f"its data has format {found}, which this version of Parlour cannot upgrade to {self._newest}; "
                    "use the version of Parlour that wrote the data, or an empty store, or another key prefix"
                )
            if await pipeline.call("SET", self._keys.format_upgrade, found, "NX", "EX", CLAIM_TTL):
                await self._step(pipeline, found)
            else:
                await asyncio.sleep(POLL)

    async def _step(self, pipeline: Pipeline, found: int) -> None:
        try:
            # Another node may have executed the step between reading the format and the claim.
            if _number(await pipeline.call("GET", self._keys.format_version)) == found:
                await self._upgrades[found](pipeline)
                await pipeline.call("SET", self._keys.format_version, found + 1)
        finally:
            await pipeline.call("DEL", self._keys.format_upgrade)


def _number(reply: bytes | None) -> int | None:
    return None if reply is None else int(reply)
