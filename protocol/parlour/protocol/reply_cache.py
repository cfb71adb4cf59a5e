"""The recent replies of a server, so that a repeated command is answered again but not executed again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

from parlour.protocol.command_digest import command_digest, id_reused
from parlour.protocol.messages import Command, Message


class ReplyCache:
    """The last `keep` replies, by sender and command id. A sender is a session of a player."""

    def __init__(self, keep: int = 256) -> None:
        self._keep = keep
        self._replies: OrderedDict[tuple[Hashable, int], tuple[int, Message]] = OrderedDict()

    def get(self, sender: Hashable, command: Command) -> Message | None:
        """Return the reply that this command got earlier, or None. Refuse another command with the same id."""
        digest, reply = self._replies.get((sender, command.id), (0, None))
        if reply is not None and digest != command_digest(command):
            raise id_reused()
        return reply

    def has_id(self, sender: Hashable, id: int) -> bool:
        """Return whether a command of this sender with this id got a reply earlier."""
        return (sender, id) in self._replies

    def put(self, sender: Hashable, command: Command, reply: Message) -> None:
        """Remember a reply, and forget the oldest one if the cache is full."""
        self._replies[sender, command.id] = command_digest(command), reply
        if len(self._replies) > self._keep:
            self._replies.popitem(last=False)
