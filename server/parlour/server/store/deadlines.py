"""Deadlines: when a node has to check a room in which no player acts, because of clocks or disconnected players."""

from __future__ import annotations

import asyncio

from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.keys import DEADLINE_SHARDS
from parlour.server.store.pipeline import Pipeline, script

CLAIM_DUE = script("claim_due")

CLAIM_TTL = 5_000  # milliseconds for which no other node gets a claimed room


class Deadlines:
    """Rooms by the time at which something may be due in them, shared by all nodes.

    An entry is a hint and the room's log is the truth: a node that gets a room from `claim_due` loads it, finds out
    whether something is due, appends that, and calls `settle` with the time of the next check. A hint may be too
    early, which costs one check, but never too late; therefore `set` never postpones one.

    Without a connection, `set` and `settle` are lost, but claims are not: the claim expires and the room is due again.
    """

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        pipeline.load(CLAIM_DUE)

    def set(self, room: str, at: int) -> None:
        """Have the room checked at this time, or earlier if that was set before.

        `RoomLog.append` does the same together with the entries. A node that has set a hint between now and the true
        deadline need not repeat it: only `clear` and `settle` remove hints.
        """
        self._pipeline.send_and_forget(b"ZADD", self._keys.due(room), b"LT", at, room)

    def clear(self, room: str) -> None:
        """Stop checking the room: nothing will be due there any more."""
        self._pipeline.send_and_forget(b"ZREM", self._keys.due(room), room)
        self._pipeline.send_and_forget(b"ZREM", self._keys.claimed(room), room)

    async def claim_due(self, now: int, limit: int) -> list[str]:
        """Return rooms to check now, at most `limit` of each shard; no other node gets them for CLAIM_TTL.

        Load them after this call, not before, and call `settle` for each. Raise StoreUnavailable if no shard answers:
        while the master of some is down, the games of the others go on.
        """
        found = await asyncio.gather(*(self._claim_due_in(shard, now, limit) for shard in range(DEADLINE_SHARDS)))
        answers = [rooms for rooms in found if isinstance(rooms, list)]
        errors = [error for error in found if isinstance(error, StoreUnavailable)]
        if not answers:
            raise errors[0]
        return [room for rooms in answers for room in rooms]

    async def _claim_due_in(self, shard: int, now: int, limit: int) -> list[str] | StoreUnavailable:
        script_keys = (self._keys.due_in(shard), self._keys.claimed_in(shard))
        try:
            rooms = await self._pipeline.call_script(CLAIM_DUE, 2, *script_keys, now, limit, now + CLAIM_TTL)
        except StoreUnavailable as error:
            return error
        return [room.decode() for room in rooms]

    def settle(self, room: str, at: int | None) -> None:
        """End the claim on a room. It is checked again at `at`, or at an earlier time that was set in the meantime."""
        if at is not None:
            self.set(room, at)
        self._pipeline.send_and_forget(b"ZREM", self._keys.claimed(room), room)
