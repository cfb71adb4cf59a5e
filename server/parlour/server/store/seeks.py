"""Open seeks and invitations, for all nodes together: each is taken once, and goes with whoever keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from msgspec import Struct

from parlour.server.store import keys
from parlour.server.store.bus import ORIGIN
from parlour.server.store.pipe import Pipe, script

POST, ACCEPT, WITHDRAW, KEEP, LISTED = (
    script(f"{name}.lua") for name in ("post", "accept", "withdraw", "keep", "listed")
)

LASTS = 5_000  # milliseconds a listed seek lives after the last `keep`, so that those of a dead node go away
REMEMBERED = 120_000  # milliseconds for which it is known who took a seek, or that it was withdrawn
MOST_LISTED = 500

# The news come from the store and not from a node, so that the node that caused them hears of them too.
FROM_THE_STORE = bytes(ORIGIN)


class State(Enum):
    """What became of a seek, if nobody has taken it."""

    OPEN = 1
    GONE = 0
    TOO_MANY = -1  # the list is full


class Taken(Struct, frozen=True):
    """Somebody took a seek."""

    taker: str
    note: bytes  # whatever is needed to seat the taker


class Seeks:
    """Seeks are on a list and have to be kept there; invitations are on none, and last for a given time.

    Both are bytes that only the lobby reads. A seek that was taken is remembered for a while, so that whoever asks
    again, at whatever node, can finish what a dead node has begun.
    """

    def __init__(self, pipe: Pipe, *, lasts: int = LASTS) -> None:
        self._pipe = pipe
        self._lasts = lasts
        for each in (POST, ACCEPT, WITHDRAW, KEEP, LISTED):
            pipe.load(each)

    async def post(self, id: str, data: bytes) -> State | Taken:
        """Put a seek on the list, where it stays for as long as it is kept."""
        return _state(await self._call(POST, id, data, self._lasts, MOST_LISTED, *_NEWS))

    async def invite(self, id: str, data: bytes, lasts: int, to: str | None = None) -> State | Taken:
        """Open an invitation for so many milliseconds. If it is to one player, that one can find it."""
        if to is not None:
            self._pipe.send(b"SADD", keys.invitations(to), id, done=_ignore)
            self._pipe.send(b"PEXPIRE", keys.invitations(to), lasts, done=_ignore)
        return _state(await self._call(POST, id, data, lasts, 0, *_NEWS))

    async def invitations(self, to: str) -> dict[str, bytes]:
        """The open invitations to a player."""
        found = {}
        for id in sorted(each.decode() for each in await self._pipe.call(b"SMEMBERS", keys.invitations(to))):
            data = await self.find(id) if await self.is_open(id) else None
            if data is None:
                self._pipe.send(b"SREM", keys.invitations(to), id, done=_ignore)
            else:
                found[id] = data
        return found

    async def find(self, id: str) -> bytes | None:
        """What a seek or an invitation says, taken or not; None when it does not exist any more."""
        found: bytes | None = await self._pipe.call(b"HGET", keys.seek(id), b"data")
        return found

    async def is_open(self, id: str) -> bool:
        """Whether it can still be taken."""
        data, taker, gone = await self._pipe.call(b"HMGET", keys.seek(id), b"data", b"taker", b"gone")
        return data is not None and taker is None and gone is None

    async def accept(self, id: str, taker: str, note: bytes) -> tuple[bytes, Taken] | State | None:
        """Take it: what it says, and as whom; GONE if somebody else was faster, None if it is not known at all."""
        found = await self._call(ACCEPT, id, taker, note, REMEMBERED, *_NEWS)
        if isinstance(found, list):
            return found[0], Taken(taker, found[1])
        return None if found is None else State.GONE

    async def withdraw(self, id: str) -> State | Taken:
        """Take it back: OPEN says that it was open until now."""
        return _state(await self._call(WITHDRAW, id, "withdrawn", REMEMBERED, *_NEWS))

    async def drop(self, id: str) -> State | Taken:
        """The same for one whose maker has left, and may open it again from elsewhere."""
        return _state(await self._call(WITHDRAW, id, "dropped", REMEMBERED, *_NEWS))

    async def keep(self, ids: Sequence[str]) -> list[State | Taken]:
        """Keep seeks on the list, and take those off that nobody keeps. Call this every second or so."""
        used = (2, keys.SEEKS_LISTED, keys.SEEKS_CHANGES)
        found = await self._pipe.call_script(KEEP, *used, keys.SEEK_PREFIX, self._lasts, *_NEWS, *ids)
        return [_state(each) for each in found]

    async def listed(self) -> tuple[int, dict[str, bytes]]:
        """How often the list has changed, and all that is on it now."""
        used = (2, keys.SEEKS_LISTED, keys.SEEKS_CHANGES)
        number, *found = await self._pipe.call_script(LISTED, *used, keys.SEEK_PREFIX)
        return int(number), {id.decode(): data for id, data in zip(found[::2], found[1::2], strict=True)}

    async def _call(self, what: Any, id: str, *args: bytes | str | int) -> Any:
        return await self._pipe.call_script(what, 3, keys.seek(id), keys.SEEKS_LISTED, keys.SEEKS_CHANGES, id, *args)


class Change(Struct, frozen=True):
    """One change of the list, as it is told on its channel."""

    number: int  # from 1, without a hole
    id: str
    data: bytes | None  # None: it is off the list


def read_change(message: bytes) -> Change:
    """What a message on the channel says."""
    head, _, data = message.partition(b"\n")
    number, what, id = head.split()
    return Change(int(number), id.decode(), data if what == b"+" else None)


_NEWS = (keys.SEEKS_NEWS, FROM_THE_STORE)


def _ignore(reply: Any) -> None:
    """Who was not told of an invitation when he comes back has at least been told once."""


def _state(found: Any) -> State | Taken:
    return Taken(found[0].decode(), found[1]) if isinstance(found, list) else State(found)
