"""A server's memory of what it has just said in a room, and of what it has answered."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Hashable
from typing import Generic, TypeVar

from parlour.protocol.messages import Message, Standing

T = TypeVar("T")


class Feed(Generic[T]):
    """The newest updates of one room, in whatever form they are kept, for those who missed some."""

    def __init__(self, epoch: int, seq: int, keep: int = 64) -> None:
        self.epoch = epoch
        self.seq = seq  # of the newest update
        self._updates: deque[T] = deque(maxlen=keep)

    def add(self, seq: int, update: T) -> None:
        """The next update; its number must follow."""
        assert seq == self.seq + 1
        self.seq = seq
        self._updates.append(update)

    def since(self, standing: Standing) -> list[T] | None:
        """What somebody who stands there has missed, in order; None if he needs the whole room."""
        missing = self.seq - standing.seq
        if standing.epoch != self.epoch or not 0 <= missing <= len(self._updates):
            return None
        return list(self._updates)[len(self._updates) - missing :]


class Ledger:
    """The answers given lately, so that a command sent again is answered again and not carried out again."""

    def __init__(self, keep: int = 256) -> None:
        self._keep = keep
        self._answers: OrderedDict[tuple[Hashable, int], Message] = OrderedDict()

    def find(self, sender: Hashable, id: int) -> Message | None:
        """The answer that this sender's command got before."""
        return self._answers.get((sender, id))

    def note(self, sender: Hashable, id: int, answer: Message) -> None:
        self._answers[sender, id] = answer
        if len(self._answers) > self._keep:
            self._answers.popitem(last=False)
