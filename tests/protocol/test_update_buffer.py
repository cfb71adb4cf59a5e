"""A server keeps the newest updates of a room for clients that missed some."""

from __future__ import annotations

import pytest

from parlour.protocol.messages import Cursor
from parlour.protocol.update_buffer import UpdateBuffer


def filled() -> UpdateBuffer[str]:
    """Return a buffer that keeps three updates, after five were added."""
    buffer: UpdateBuffer[str] = UpdateBuffer(epoch=2, seq=10, keep=3)
    for seq in range(11, 16):
        buffer.add(seq, f"update {seq}")
    return buffer


@pytest.mark.parametrize(
    ("cursor", "missed"),
    [
        (Cursor("r", 2, 15), []),
        (Cursor("r", 2, 13), ["update 14", "update 15"]),
        (Cursor("r", 2, 12), ["update 13", "update 14", "update 15"]),
    ],
)
def test_missed_updates_are_returned_in_order(cursor: Cursor, missed: list[str]) -> None:
    """A client with a recent cursor gets exactly the updates after it."""
    assert filled().since(cursor) == missed


@pytest.mark.parametrize("cursor", [Cursor("r", 2, 11), Cursor("r", 2, 16), Cursor("r", 1, 15), Cursor("r", 0, 0)])
def test_other_cursors_need_the_whole_room(cursor: Cursor) -> None:
    """An old cursor, a future one and one of another epoch cannot be served from the buffer."""
    assert filled().since(cursor) is None


def test_numbers_must_be_consecutive() -> None:
    """An update that skips a number is a bug in the caller."""
    with pytest.raises(AssertionError):
        filled().add(17, "update 17")
