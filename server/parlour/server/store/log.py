"""The logs of rooms: what is in one has happened, and nothing else has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from typing import Any

from msgspec import Struct

from parlour.server.store import keys, update
from parlour.server.store.bus import origin
from parlour.server.store.line import pack
from parlour.server.store.pipe import Pipe, is_forgotten, script

APPEND, LOAD, SNAPSHOT, ARCHIVE = (script(f"{name}.lua") for name in ("append", "load", "snapshot", "archive"))

Entry = tuple[int, bytes]  # its number, and what it says


class Appended(StrEnum):
    """What became of an append."""

    OK = "ok"  # every entry is in the log
    CONFLICT = "conflict"  # none is: the log does not end where the caller thought it does
    FAILED = "failed"  # not known, and `tail` will tell


class Stored(Struct, frozen=True):
    """A room as it was found: its record if it was put away, else the newest snapshot and the entries after it."""

    snapshot: Entry | None = None
    entries: tuple[Entry, ...] = ()
    record: bytes | None = None


class RoomLog:
    """Appends to the logs of all rooms and reads them.

    Entries of a room are numbered from 1 without a hole. An append says which number its first entry gets, and
    succeeds only if the log ends just before: of two nodes that try the same number one gets CONFLICT, reads what it
    missed with `tail`, and decides again. The same script publishes the entries on the room's channel, so every
    follower hears of everything that is in the log. An unfinished room in which nothing happens is kept for 90 days.

    All of it goes through one pipe and is therefore carried out in the order of the calls. The coroutines raise
    ConnectionError when there is no connection.
    """

    def __init__(self, pipe: Pipe, node: str) -> None:
        self._pipe = pipe
        self._origin = origin(node)
        for each in (APPEND, LOAD, SNAPSHOT, ARCHIVE):
            pipe.load(each)

    def append(
        self,
        room: str,
        first_seq: int,
        entries: Sequence[bytes],
        done: Callable[[Appended], None],
        *,
        deadline: int | None = None,
    ) -> None:
        """Add entries, all or none; `done` is called exactly once, in the order of the appends.

        `deadline` is a time at which the room has to be looked into, see `Deadlines.set`. It is stored before the
        entries and never makes an earlier one later, so no node can die between the two and leave a game without it.

        After FAILED wait until the pipe is ready and call `tail`: if the entries are not in the log then, they will
        never be.
        """
        assert entries
        if deadline is not None:
            self._pipe.send(b"ZADD", keys.DUE, b"LT", deadline, room, done=_ignore)
        used = (1, keys.log(room)) if first_seq > 1 else (2, keys.log(room), keys.record(room))
        args = (*used, first_seq, self._origin + update.head(first_seq, entries), *entries)
        self._pipe.run(APPEND, args, partial(self._appended, done))

    def _appended(self, done: Callable[[Appended], None], reply: Any) -> None:
        done(self.judge(reply))

    def judge(self, reply: Any) -> Appended:
        """What became of an append, by the answer to it."""
        if reply == 1:
            return Appended.OK
        if reply == 0:
            return Appended.CONFLICT
        if is_forgotten(reply):
            self._pipe.teach(APPEND)
        return Appended.FAILED

    def pen(self, room: str) -> Pen:
        """For whoever appends to one log again and again."""
        return Pen(self._pipe, self._origin, room)

    def create(
        self,
        room: str,
        entries: Sequence[bytes],
        done: Callable[[Appended], None],
        *,
        deadline: int | None = None,
    ) -> None:
        """Begin a room; CONFLICT when there is, or was, one with that id."""
        self.append(room, 1, entries, done, deadline=deadline)

    async def load(self, room: str) -> Stored | None:
        """A room as it is now; None if there is none. To miss nothing, follow its channel before."""
        found = await self._pipe.call_script(LOAD, 3, keys.log(room), keys.snapshot(room), keys.record(room))
        if found is None:
            return None
        if len(found) == 1:
            return Stored(record=found[0])
        seq = int(found[0])
        return Stored((seq, found[1]) if seq else None, tuple(_entries(found[2])))

    async def tail(self, room: str, after_seq: int) -> list[Entry]:
        """The entries after a number: none when nothing was missed, and none when the room was put away."""
        return _entries(await self._pipe.call(b"XRANGE", keys.log(room), f"{after_seq + 1}-0", b"+"))

    async def save_snapshot(self, room: str, seq: int, data: bytes) -> bool:
        """Keep the room as it was after entry `seq`, so that `load` is faster. Never replaces a newer one."""
        return bool(await self._pipe.call_script(SNAPSHOT, 2, keys.log(room), keys.snapshot(room), seq, data))

    async def archive(self, room: str, last_seq: int, record: bytes) -> bool:
        """Replace the log of a finished game by its record, for good; again does nothing.

        False when the log has not exactly `last_seq` entries: read on, and make the record again.
        """
        used = (keys.log(room), keys.snapshot(room), keys.record(room))
        return bool(await self._pipe.call_script(ARCHIVE, 3, *used, last_seq, record))


class Pen:
    """Appends to the log of one room again and again, one entry at a time. What is always the same is packed once."""

    def __init__(self, pipe: Pipe, origin: bytes, room: str) -> None:
        self._pipe = pipe
        same = pack((b"EVALSHA", APPEND.sha, 1, keys.log(room))).removeprefix(b"*4")
        # Three more arguments follow: the number, always in 16 digits; the head of the message; and the entry.
        self._begin = b"*7%b$16\r\n" % same
        self._middle = b"\r\n$%d\r\n%b" % (len(origin) + update.HEAD_OF_ONE, origin)

    def append(self, seq: int, entry: bytes, done: Callable[[Any], None]) -> None:
        """Add an entry to a log that has some; `done` gets an answer for `RoomLog.judge`, where 1 is good."""
        size = len(entry)
        parts = (self._begin, seq, self._middle, update.head_of_one(seq, 1, size), size, entry)
        self._pipe.put(b"%b%016d%b%b\r\n$%d\r\n%b\r\n" % parts, done)


def _entries(found: list[tuple[bytes, list[bytes]]]) -> list[Entry]:
    return [(int(id.partition(b"-")[0]), fields[1]) for id, fields in found]


def _ignore(reply: Any) -> None:
    """A deadline that could not be stored: then the entries cannot either."""
