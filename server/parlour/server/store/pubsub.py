"""Messages between nodes: publish and subscribe."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any, NamedTuple

import hiredis

from parlour.server.store.address import Address, parse
from parlour.server.store.connector import Connector
from parlour.server.store.errors import StoreRefused
from parlour.server.store.resp import RespConnection

ORIGIN_SIZE = 8  # bytes at the start of each message that identify its node
CHANNELS_PER_COMMAND = 1000


def origin(node: str) -> bytes:
    """Return the bytes that identify a node in its messages."""
    return blake2b(node.encode(), digest_size=ORIGIN_SIZE).digest()


class Subscription(NamedTuple):
    """The callbacks of one channel."""

    on_message: Callable[[bytes], None]
    on_gap: Callable[[], None]


class PubSub:
    """Delivers messages on channels to all subscribed nodes. Nothing is stored.

    The connection is reopened by itself, and the subscriptions with it. `on_gap` says that messages may have been
    missed until now, but none from now on: it is called when a subscription begins, and after each lost connection. A
    node does not receive its own messages.
    """

    def __init__(
        self,
        address: Address | str,
        node: str,
        *,
        report: Callable[[Exception], None] = lambda _: None,
        timeout: float = 5.0,
    ) -> None:
        """`report` is called with the errors of the connection, and with refusals."""
        self._report = report
        where = parse(address) if isinstance(address, str) else address
        self._connector = Connector(where, self._greet, resp=3, on_push=self._receive, report=report, timeout=timeout)
        self._origin = origin(node)
        self._subscriptions: dict[bytes, Subscription] = {}

    async def open(self, within: float = 5.0) -> None:
        """Connect. Raise StoreUnavailable after `within` seconds."""
        await self._connector.open(within)

    async def close(self) -> None:
        """Disconnect."""
        await self._connector.close()

    def reconnect(self) -> None:
        """Break the connection and open a new one: the address may lead to another server now."""
        self._connector.reconnect()

    @property
    def up(self) -> bool:
        """Whether there is a connection now."""
        return self._connector.connection is not None

    async def ready(self) -> None:
        """Wait until there is a connection."""
        await self._connector.ready()

    def subscribe(self, channel: str, on_message: Callable[[bytes], None], on_gap: Callable[[], None]) -> None:
        """Subscribe to a channel. A channel has one subscription: a second one replaces the first."""
        self._subscriptions[channel.encode()] = Subscription(on_message, on_gap)
        if self._connector.connection is not None:
            self._connector.connection.send_push_only((b"SUBSCRIBE", channel))

    def unsubscribe(self, channel: str) -> None:
        """End a subscription; its callbacks are not called any more."""
        if self._subscriptions.pop(channel.encode(), None) is not None and self._connector.connection is not None:
            self._connector.connection.send_push_only((b"UNSUBSCRIBE", channel))

    def publish(self, channel: str, message: bytes) -> None:
        """Send a message to the other nodes. It is lost if there is no connection."""
        if self._connector.connection is not None:
            self._connector.connection.send((b"PUBLISH", channel, self._origin + message), self._check)

    async def _greet(self, connection: RespConnection, facts: dict[bytes, Any]) -> None:
        channels = list(self._subscriptions)
        for at in range(0, len(channels), CHANNELS_PER_COMMAND):
            connection.send_push_only((b"SUBSCRIBE", *channels[at : at + CHANNELS_PER_COMMAND]))

    def _receive(self, push: Any) -> None:
        if type(push) is not hiredis.PushNotification:
            self._report(StoreRefused(str(push)))
            return
        kind, channel, content = push
        subscription = self._subscriptions.get(channel)
        if subscription is None:
            return
        if kind == b"subscribe":
            subscription.on_gap()
        elif kind == b"message" and not content.startswith(self._origin):
            subscription.on_message(content[ORIGIN_SIZE:])

    def _check(self, reply: Any) -> None:
        """Report a message that Redis refused to publish."""
        if isinstance(reply, hiredis.ReplyError):
            self._report(StoreRefused(str(reply)))
