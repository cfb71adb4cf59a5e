"""When rooms have to be looked into, though nobody does anything there: clocks, and players who left."""

from __future__ import annotations

from typing import Any

from parlour.server.store import keys
from parlour.server.store.pipe import Pipe, script

CLAIM = script("claim.lua")

CLAIMED_FOR = 5_000  # milliseconds in which the other nodes leave a room to the one that asked for it


class Deadlines:
    """Rooms by the time at which something may be due in them, for all nodes together.

    An entry here is a hint and the log is the truth: whoever gets a room from `due` loads it, finds out whether
    something is due, appends that, and says with `settle` when to look again. A hint may be too early, which costs one
    look, but must not be too late; therefore `set` never makes one later.

    What is sent while there is no connection is lost, except a claim: the room is then due again some seconds later.
    """

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        pipe.load(CLAIM)

    def set(self, room: str, at: int) -> None:
        """Look into the room at this time, or earlier if that was set before.

        `RoomLog.append` does the same together with the entries. There is no need to repeat it while a hint of one's
        own lies between now and the true deadline: nobody has taken it away.
        """
        self._pipe.send(b"ZADD", keys.DUE, b"LT", at, room, done=_ignore)

    def clear(self, room: str) -> None:
        """Nothing will be due in this room any more."""
        self._pipe.send(b"ZREM", keys.DUE, room, done=_ignore)
        self._pipe.send(b"ZREM", keys.CLAIMED, room, done=_ignore)

    async def due(self, now: int, limit: int) -> list[str]:
        """Rooms to look into now; for some seconds no other node gets them.

        Load them after this, not before, and then call `settle`.
        """
        rooms = await self._pipe.call_script(CLAIM, 2, keys.DUE, keys.CLAIMED, now, limit, now + CLAIMED_FOR)
        return [room.decode() for room in rooms]

    def settle(self, room: str, at: int | None) -> None:
        """A room from `due` was looked into; look again at `at`, or at what was set meanwhile if that is earlier."""
        if at is not None:
            self.set(room, at)
        self._pipe.send(b"ZREM", keys.CLAIMED, room, done=_ignore)


def _ignore(reply: Any) -> None:
    """Hints that get lost are made again by whoever loads the room."""
