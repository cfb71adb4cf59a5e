"""Quick-match queues: pair players of similar rating who want the same game."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parlour.server.store.pipeline import Pipeline, script
from parlour.server.store.resp import Arg

JOIN, LEAVE = script("join_queue"), script("leave_queue")

TICKET_TTL = 6_000  # milliseconds after the last `join`, so that the tickets of a dead node expire
PAIR_TTL = 120_000  # milliseconds for which a repeated `join` or `leave` still returns the pair


class Ticket(Struct, frozen=True, array_like=True):
    """A player's place in a queue."""

    id: str
    player: str
    rating: int = 1500
    payload: bytes = b""  # opaque to the store
    avoids: tuple[str, ...] = ()  # players who are not accepted as opponents
    network: str = ""  # players of the same one are paired only later; empty: unknown


class Pair(Struct, frozen=True):
    """Two players who will play each other."""

    first: Ticket  # the one who arrived first
    second: Ticket


class QueueStore:
    """One queue per pool. A pool's name is any text that is equal for equal terms.

    A player has one place in a pool: a later ticket of the same player replaces the earlier one.
    """

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        pipeline.load(JOIN)
        pipeline.load(LEAVE)

    async def join(
        self,
        pool: str,
        tickets: Sequence[Ticket],
        now: int,
        tolerance: tuple[int, int, int],
        same_network_after: int = 0,
    ) -> list[Pair | None]:
        """Try to pair each ticket, one after the other; those that are not paired wait in the queue.

        A waiting ticket has to join again about every second, which also returns its pair once there is one.
        `tolerance` is the accepted rating difference: initially, its growth per second of waiting, and the time in
        milliseconds after which any difference is accepted. Two players of the same network are paired when both have
        waited for `same_network_after` milliseconds.
        """
        args: list[Arg] = [now, TICKET_TTL, PAIR_TTL, *tolerance, same_network_after]
        for ticket in tickets:
            stored = msgspec.msgpack.encode(replace(ticket, avoids=()))
            args += [ticket.player, ticket.id, ticket.rating, stored, " ".join(ticket.avoids), ticket.network]
        keys = self._keys
        script_keys = (keys.queue(pool), keys.tickets(pool), keys.pairs(pool), keys.pairs_expiry(pool))
        found = await self._pipeline.call_script(JOIN, len(script_keys), *script_keys, *args)
        return [_pair(each) for each in found]

    async def leave(self, pool: str, ticket: Ticket) -> Pair | None:
        """Remove a ticket from its queue; return the pair if it was paired before that."""
        script_keys = (self._keys.queue(pool), self._keys.tickets(pool), self._keys.pairs(pool))
        return _pair(await self._pipeline.call_script(LEAVE, len(script_keys), *script_keys, ticket.player, ticket.id))


def _pair(found: list[bytes] | None) -> Pair | None:
    return None if found is None else Pair(*(msgspec.msgpack.decode(each, type=Ticket) for each in found))
