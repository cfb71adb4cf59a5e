"""The replies a server gave recently, so that a repeated command is answered again but not carried out again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

from parlour.protocol.messages import Message


class ReplyCache:
    """The last `keep` replies, by sender and command id."""

    def __init__(self, keep: int = 256) -> None:
        self._keep = keep
        self._replies: OrderedDict[tuple[Hashable, int], Message] = OrderedDict()

    def get(self, sender: Hashable, id: int) -> Message | None:
        """Return the reply that this command got earlier, or None."""
        return self._replies.get((sender, id))

    def put(self, sender: Hashable, id: int, reply: Message) -> None:
        """Remember a reply, and forget the oldest one if the cache is full."""
        self._replies[sender, id] = reply
        if len(self._replies) > self._keep:
            self._replies.popitem(last=False)
