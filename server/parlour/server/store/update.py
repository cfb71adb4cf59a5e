"""How new entries of a log are told to the nodes that follow the room."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Layout
from struct import pack, unpack_from
from typing import NamedTuple

# Then the length of each entry in four bytes, then the entries.
_HEAD = Layout(">QH")  # number of the first entry, how many
_HEAD_OF_ONE = Layout(">QHI")
HEAD_OF_ONE, head_of_one = _HEAD_OF_ONE.size, _HEAD_OF_ONE.pack  # the latter of the number, 1 and the length


class Update(NamedTuple):
    """Entries that were added to a log."""

    first_seq: int
    entries: list[bytes]


def head(first_seq: int, entries: Sequence[bytes]) -> bytes:
    """What has to stand before the entries themselves."""
    if len(entries) == 1:
        return head_of_one(first_seq, 1, len(entries[0]))
    lengths = [len(entry) for entry in entries]
    return _HEAD.pack(first_seq, len(entries)) + pack(f">{len(entries)}I", *lengths)


def read(message: bytes) -> Update:
    """The update in a message from a room's channel."""
    first_seq, count = _HEAD.unpack_from(message)
    lengths = unpack_from(f">{count}I", message, _HEAD.size)
    entries, at = [], _HEAD.size + 4 * count
    for length in lengths:
        entries.append(message[at : at + length])
        at += length
    return Update(first_seq, entries)
