"""The queue: whoever wants to play is paired with somebody of about the same strength who wants the same."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from parlour.server.store import keys
from parlour.server.store.line import Arg
from parlour.server.store.pairing import ANYBODY_AFTER, NEAR, WIDER
from parlour.server.store.pipe import Pipe, script

JOIN, LEAVE = script("join.lua"), script("leave.lua")

LASTS = 6_000  # milliseconds a ticket lives after the last `join`, so that those of a dead node go away
REMEMBERED = 120_000  # milliseconds for which a pair is told to those who ask again


class Ticket(Struct, frozen=True, array_like=True):
    """A place in the queue."""

    id: str
    player: str
    rating: int = 1500
    note: bytes = b""  # whatever is needed to seat the player


class Paired(Struct, frozen=True):
    """Two who will play each other; the same for both who ask."""

    first: Ticket  # who came first
    second: Ticket


class Queue:
    """A queue for each pool. A pool is named by any text: the terms of the game, always written the same way.

    A player has one place in a pool; a later ticket of the same player takes the place of the earlier one. Times are
    those of the store.
    """

    def __init__(self, pipe: Pipe, *, lasts: int = LASTS) -> None:
        self._pipe = pipe
        self._lasts = lasts
        pipe.load(JOIN)
        pipe.load(LEAVE)

    async def join(self, pool: str, tickets: Sequence[Ticket], now: int) -> list[Paired | None]:
        """Have tickets paired, or let them wait.

        A ticket that waits has to join again every second or so, and learns so of its pair. Several tickets ask one
        after the other.
        """
        args: list[Arg] = [now, self._lasts, REMEMBERED, keys.paired(pool, ""), NEAR, WIDER, ANYBODY_AFTER]
        for ticket in tickets:
            args += [ticket.player, ticket.id, ticket.rating, msgspec.msgpack.encode(ticket)]
        found = await self._pipe.call_script(JOIN, 2, keys.waiting(pool), keys.tickets(pool), *args)
        return [_pair(each) for each in found]

    async def leave(self, pool: str, ticket: Ticket) -> Paired | None:
        """Wait no longer; when it is too late for that, the pair."""
        used = (keys.waiting(pool), keys.tickets(pool), keys.paired(pool, ticket.id))
        return _pair(await self._pipe.call_script(LEAVE, len(used), *used, ticket.player, ticket.id))


def _pair(found: list[bytes] | None) -> Paired | None:
    return None if found is None else Paired(*(msgspec.msgpack.decode(each, type=Ticket) for each in found))
