"""The queue: whoever wants to play is paired with whoever wants the same and waits longest."""

from __future__ import annotations

import msgspec
from msgspec import Struct
from redis.asyncio import Redis

from parlour.server.store import keys
from parlour.server.store.pipe import script

WAITS = 30_000  # milliseconds a ticket lives after the last `join`, so that those of a dead node go away
REMEMBERED = 120_000  # milliseconds for which a pair is told to those who ask again


class Ticket(Struct, frozen=True, array_like=True):
    """A place in the queue."""

    id: str
    player: str
    note: bytes = b""  # whatever is needed to seat the player


class Paired(Struct, frozen=True):
    """Two who will play each other; the same for both who ask."""

    first: Ticket  # who waited
    second: Ticket  # who came


class Queue:
    """A queue for each pool. A pool is named by any text: the terms of the game, always written the same way.

    A player has one place in a pool; a later ticket of the same player takes the place of the earlier one.
    """

    def __init__(self, redis: Redis, *, waits: int = WAITS) -> None:
        self._join = redis.register_script(script("join.lua").text)
        self._leave = redis.register_script(script("leave.lua").text)
        self._waits = waits

    async def join(self, pool: str, ticket: Ticket) -> Paired | None:
        """Be paired, or wait. A ticket that waits has to join again every few seconds, and learns so of its pair."""
        used = [keys.waiting(pool), keys.tickets(pool), keys.paired(pool, ticket.id)]
        packed = msgspec.msgpack.encode(ticket)
        args: list[str | bytes | int] = [
            ticket.player,
            ticket.id,
            packed,
            self._waits,
            keys.paired(pool, ""),
            REMEMBERED,
        ]
        return _pair(await self._join(used, args))

    async def leave(self, pool: str, ticket: Ticket) -> Paired | None:
        """Wait no longer; when it is too late for that, the pair."""
        used = [keys.waiting(pool), keys.tickets(pool), keys.paired(pool, ticket.id)]
        return _pair(await self._leave(used, [ticket.player, ticket.id]))


def _pair(found: list[bytes] | None) -> Paired | None:
    return None if found is None else Paired(*(msgspec.msgpack.decode(each, type=Ticket) for each in found))
