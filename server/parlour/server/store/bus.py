"""What nodes tell each other while it is news: publish and subscribe."""

from __future__ import annotations

import logging
from collections.abc import Callable
from hashlib import blake2b
from typing import Any, NamedTuple

import hiredis

from parlour.server.store.address import Address, parse
from parlour.server.store.keeper import Keeper
from parlour.server.store.line import Line

log = logging.getLogger(__name__)

ORIGIN = 8  # bytes at the beginning of each message that say which node sent it
AT_ONCE = 1000  # channels in one command


def origin(node: str) -> bytes:
    """The mark of a node on its messages."""
    return blake2b(node.encode(), digest_size=ORIGIN).digest()


class Follower(NamedTuple):
    """Who listens to a channel."""

    on_message: Callable[[bytes], None]
    on_gap: Callable[[], None]


class Bus:
    """Messages on channels, to all nodes that follow them, as they happen. Nothing is kept.

    The bus connects again by itself and goes on with what was followed. `on_gap` says that messages may have been
    missed until now, and none from now on: it is called when a channel begins to be followed, and again after each
    break. A node's own messages do not come back to it.
    """

    def __init__(self, address: Address | str, node: str, *, timeout: float = 5.0) -> None:
        where = parse(address) if isinstance(address, str) else address
        self._keeper = Keeper(where, self._greet, resp=3, on_push=self._pushed, timeout=timeout)
        self._origin = origin(node)
        self._followers: dict[bytes, Follower] = {}

    async def open(self, within: float = 5.0) -> None:
        """Connect; raises StoreTrouble if that takes longer than `within` seconds."""
        await self._keeper.open(within)

    async def close(self) -> None:
        """Hang up."""
        await self._keeper.close()

    @property
    def up(self) -> bool:
        """Whether there is a connection now."""
        return self._keeper.line is not None

    async def ready(self) -> None:
        """Wait until there is a connection."""
        await self._keeper.ready()

    def follow(self, channel: str, on_message: Callable[[bytes], None], on_gap: Callable[[], None]) -> None:
        """Listen to a channel; one listener for each, a second one takes the place of the first."""
        self._followers[channel.encode()] = Follower(on_message, on_gap)
        if self._keeper.line is not None:
            self._keeper.line.tell((b"SUBSCRIBE", channel))

    def unfollow(self, channel: str) -> None:
        """Stop to listen; nothing is called for this channel any more."""
        if self._followers.pop(channel.encode(), None) is not None and self._keeper.line is not None:
            self._keeper.line.tell((b"UNSUBSCRIBE", channel))

    def publish(self, channel: str, message: bytes) -> None:
        """Tell the other nodes, if they are there and we have a connection."""
        if self._keeper.line is not None:
            self._keeper.line.send((b"PUBLISH", channel, self._origin + message), _published)

    async def _greet(self, line: Line, facts: dict[bytes, Any]) -> None:
        channels = list(self._followers)
        for at in range(0, len(channels), AT_ONCE):
            line.tell((b"SUBSCRIBE", *channels[at : at + AT_ONCE]))

    def _pushed(self, push: Any) -> None:
        if type(push) is not hiredis.PushNotification:
            log.error("Redis refuses to subscribe: %s", push)
            return
        kind, channel, what = push
        if kind == b"message":
            follower = self._followers.get(channel)
            if follower is not None and not what.startswith(self._origin):
                follower.on_message(what[ORIGIN:])
        elif kind == b"subscribe":
            follower = self._followers.get(channel)
            if follower is not None:
                follower.on_gap()


def _published(reply: Any) -> None:
    if isinstance(reply, Exception) and not isinstance(reply, ConnectionError):
        log.error("Redis refuses to publish: %s", reply)
