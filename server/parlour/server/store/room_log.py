"""Room logs: what is in a log has happened, and nothing else has."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from struct import Struct as Layout
from struct import pack, unpack_from
from typing import Any, NamedTuple

from msgspec import Struct

from parlour.server.store.pipeline import Pipeline, is_unknown_script, script
from parlour.server.store.pubsub import origin
from parlour.server.store.resp import OnReply

APPEND, LOAD, SNAPSHOT, ARCHIVE = (script(name) for name in ("append", "load", "snapshot", "archive"))

ARCHIVED_TTL = 60_000  # milliseconds; much longer than it takes to create a room, see `RoomRegistry.create`

Entry = tuple[int, bytes]  # sequence number and content


class Appended(StrEnum):
    """The outcome of an append."""

    OK = "ok"  # every entry is in the log
    CONFLICT = "conflict"  # none is: the log does not end where the caller thought
    UNKNOWN = "unknown"  # no reply; `tail` settles it once the store is back


class Stored(Struct, frozen=True):
    """A stored room: the newest snapshot and the entries after it."""

    snapshot: Entry | None = None
    entries: tuple[Entry, ...] = ()


class RoomLog:
    """Appends to and reads the logs of all rooms.

    A room's entries are numbered from 1 without gaps. An append names the number of its first entry and succeeds only
    if the log ends just before it: of two nodes that try the same number, one gets CONFLICT, reads what it missed with
    `tail`, and decides again. The same script publishes the entries on the room's channel, so every subscribed node
    receives everything that is in the log. If the pipeline waits for replicas, the entries are published only when
    those have them; a node that reads the log then publishes its last entry again, because the node that appended it
    may have died in between. A room that is neither finished nor changed is kept for 90 days.

    The commands for one room go through one connection and are therefore executed in the order of the calls. The
    coroutines raise StoreUnavailable.
    """

    def __init__(self, pipeline: Pipeline, node: str) -> None:
        self._pipeline = pipeline
        self.keys = pipeline.keys
        self._origin = origin(node)
        for each in (APPEND, LOAD, SNAPSHOT, ARCHIVE):
            pipeline.load(each)

    def append(
        self,
        room: str,
        first_seq: int,
        entries: Sequence[bytes],
        on_outcome: Callable[[Appended], None],
        *,
        deadline: int | None = None,
        update: bytes = b"",
    ) -> None:
        """Append entries, all or none; `on_outcome` is called exactly once, in the order of the appends.

        `update` is published with the entries, for nodes that would otherwise have to compute it themselves.

        `deadline` is a time at which a node has to check the room, see `Deadlines.set`. It is stored before the
        entries and never replaces an earlier one, so no node can die between the two and leave a game without it. Only
        on a cluster both may be on different masters: if that of the deadline is lost in the same instant as the node,
        the next node that opens the room sets it.

        After UNKNOWN, wait until the pipeline is ready and call `tail`: entries that are not in the log then will
        never be.
        """
        if deadline is not None:
            self._pipeline.send_and_forget(b"ZADD", self.keys.due(room), b"LT", deadline, room)
        log_keys = (1, self.keys.log(room)) if first_seq > 1 else (2, self.keys.log(room), self.keys.archived(room))
        header = self._origin + published_header(first_seq, entries)
        on_reply = partial(self._report, on_outcome)
        if self._pipeline.wait_replicas:
            message = b"".join((header, *entries, update))
            header, on_reply = b"", partial(self._publish, room, message, on_reply)
        command = (b"EVALSHA", APPEND.sha, *log_keys, first_seq, header, *entries, update)
        self._pipeline.send(*command, on_reply=on_reply)

    def _publish(self, room: str, message: bytes, on_reply: OnReply, reply: Any) -> None:
        """Publish entries that the replicas have, and pass the reply on."""
        if reply == 1:
            self._pipeline.send_and_forget(b"SPUBLISH", self.keys.room_events(room), message)
        on_reply(reply)

    def _publish_last(self, room: str, entries: Sequence[Entry]) -> None:
        """Make sure that nodes with this room know the last of some entries that were read."""
        if entries and self._pipeline.wait_replicas:
            seq, entry = entries[-1]
            self._publish(room, self._origin + published_header(seq, [entry]) + entry, _ignore, 1)

    def _report(self, on_outcome: Callable[[Appended], None], reply: Any) -> None:
        if reply == 1:
            on_outcome(Appended.OK)
            return
        if is_unknown_script(reply):
            self._pipeline.load(APPEND)
        on_outcome(Appended.CONFLICT if reply == 0 else Appended.UNKNOWN)

    async def create(self, room: str, entries: Sequence[bytes], *, deadline: int | None = None) -> Appended:
        """Begin a room's log; CONFLICT if there is a room with that id, or one was archived lately."""
        outcome: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
        self.append(room, 1, entries, outcome.set_result, deadline=deadline)
        return await outcome

    async def load(self, room: str) -> Stored | None:
        """Return a room as it is stored now; None if it is unknown or was archived.

        To miss nothing, subscribe to its channel first.
        """
        found = await self._pipeline.call_script(LOAD, 2, self.keys.log(room), self.keys.snapshot(room))
        if found is None:
            return None
        seq, entries = int(found[0]), _entries(found[2])
        self._publish_last(room, entries)
        return Stored((seq, found[1]) if seq else None, tuple(entries))

    async def tail(self, room: str, after_seq: int) -> list[Entry]:
        """Return the entries after a number: none if nothing was missed, or if the room was archived."""
        entries = _entries(await self._pipeline.call(b"XRANGE", self.keys.log(room), f"{after_seq + 1}-0", b"+"))
        self._publish_last(room, entries)
        return entries

    async def length(self, room: str) -> int:
        """Return the number of entries in a room's log; 0 if there is none."""
        return int(await self._pipeline.call(b"XLEN", self.keys.log(room)))

    async def save_snapshot(self, room: str, seq: int, data: bytes) -> bool:
        """Store the room as it was after entry `seq`, to make `load` faster. Never replace a newer snapshot."""
        return bool(
            await self._pipeline.call_script(SNAPSHOT, 2, self.keys.log(room), self.keys.snapshot(room), seq, data)
        )

    async def archive(self, room: str, last_seq: int) -> bool:
        """Delete the log of a finished game that is in the archive. For a while, its id cannot be used. Idempotent.

        Return False if the log does not have exactly `last_seq` entries: read on and build the record again.
        """
        log_keys = (
            self.keys.log(room), self.keys.snapshot(room), self.keys.archived(room), self.keys.seat_nodes(room),
        )  # fmt: skip
        return bool(await self._pipeline.call_script(ARCHIVE, 4, *log_keys, last_seq, ARCHIVED_TTL))

    async def expire(self, room: str, after: int) -> None:
        """Delete a log, which is not archived, after this time in milliseconds."""
        await self._pipeline.call(b"PEXPIRE", self.keys.log(room), after)


def _ignore(reply: Any) -> None:
    """Discard a reply."""


def _entries(found: list[tuple[bytes, list[bytes]]]) -> list[Entry]:
    return [(int(id.partition(b"-")[0]), fields[1]) for id, fields in found]


# -- what the append script publishes: a header with the length of each entry, the entries, and the update, if any

_HEADER = Layout(">QH")  # number of the first entry, number of entries
_HEADER_OF_ONE = Layout(">QHI")  # the same with the length of the only entry


class Published(NamedTuple):
    """Entries that another node appended."""

    first_seq: int
    entries: list[bytes]
    update: bytes = b""  # that they cause; empty if this node has to compute it


def published_header(first_seq: int, entries: Sequence[bytes]) -> bytes:
    """Return what precedes the entries in a message on the room's channel."""
    if len(entries) == 1:
        return _HEADER_OF_ONE.pack(first_seq, 1, len(entries[0]))
    lengths = [len(entry) for entry in entries]
    return _HEADER.pack(first_seq, len(entries)) + pack(f">{len(entries)}I", *lengths)


def read_published(message: bytes) -> Published:
    """Return the entries in a message from a room's channel."""
    first_seq, count, length = _HEADER_OF_ONE.unpack_from(message)
    if count == 1:
        end = _HEADER_OF_ONE.size + length
        return Published(first_seq, [message[_HEADER_OF_ONE.size : end]], message[end:])
    lengths = unpack_from(f">{count}I", message, _HEADER.size)
    entries, at = [], _HEADER.size + 4 * count
    for length in lengths:
        entries.append(message[at : at + length])
        at += length
    return Published(first_seq, entries, message[at:])
