"""The newest updates of a room, which a server keeps for clients that missed some."""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

from parlour.protocol.messages import Cursor

T = TypeVar("T")


class UpdateBuffer(Generic[T]):
    """The last `keep` updates of one room, in whatever form the server keeps them."""

    def __init__(self, epoch: int, seq: int, keep: int = 64) -> None:
        self.epoch = epoch
        self.seq = seq  # of the newest update
        self._updates: deque[T] = deque(maxlen=keep)

    def add(self, seq: int, update: T) -> None:
        """Append the next update, whose number must be one more than the last."""
        assert seq == self.seq + 1
        self.seq = seq
        self._updates.append(update)

    def since(self, cursor: Cursor) -> list[T] | None:
        """Return the updates after the cursor, oldest first, or None if the client needs the whole room."""
        missing = self.seq - cursor.seq
        if cursor.epoch != self.epoch or not 0 <= missing <= len(self._updates):
            return None
        return list(self._updates)[len(self._updates) - missing :]
