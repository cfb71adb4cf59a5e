"""When a node has to check a room although no player acts there: clocks, and players who disconnected."""

from __future__ import annotations

from parlour.server.store import keys
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
        pipeline.load(CLAIM_DUE)

    def set(self, room: str, at: int) -> None:
        """Have the room checked at this time, or earlier if that was set before.

        `RoomLog.append` does the same together with the entries. A node that has set a hint between now and the true
        deadline need not repeat it: only `clear` and `settle` remove hints.
        """
        self._pipeline.send_and_forget(b"ZADD", keys.DUE, b"LT", at, room)

    def clear(self, room: str) -> None:
        """Stop checking the room: nothing will be due there any more."""
        self._pipeline.send_and_forget(b"ZREM", keys.DUE, room)
        self._pipeline.send_and_forget(b"ZREM", keys.CLAIMED, room)

    async def claim_due(self, now: int, limit: int) -> list[str]:
        """Return rooms to check now; no other node gets them for CLAIM_TTL.

        Load them after this call, not before, and call `settle` for each.
        """
        args = (now, limit, now + CLAIM_TTL)
        rooms = await self._pipeline.call_script(CLAIM_DUE, 2, keys.DUE, keys.CLAIMED, *args)
        return [room.decode() for room in rooms]

    def settle(self, room: str, at: int | None) -> None:
        """End the claim on a room. It is checked again at `at`, or at an earlier time that was set in the meantime."""
        if at is not None:
            self.set(room, at)
        self._pipeline.send_and_forget(b"ZREM", keys.CLAIMED, room)
