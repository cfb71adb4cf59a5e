"""Messages between nodes: publish and subscribe."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import Any

import hiredis
from msgspec import Struct

from parlour.server.store.errors import StoreRefused
from parlour.server.store.masters import Masters
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.resp import RespConnection
from parlour.server.store.slots import slot

ORIGIN_SIZE = 8  # bytes at the start of each message that identify its node
CHANNELS_PER_COMMAND = 1000
SUBSCRIBE_AGAIN_AFTER = 0.1  # seconds, when a master has refused or ended a subscription


def origin(node: str) -> bytes:
    """Return the bytes that identify a node in its messages."""
    return blake2b(node.encode(), digest_size=ORIGIN_SIZE).digest()


class Subscription(Struct, eq=False):
    """The callbacks of one channel, and the master that has its slot."""

    on_message: Callable[[bytes], None]
    on_gap: Callable[[], None]
    slot: int
    master: str | None = None


class PubSub:
    """Delivers messages on channels to all subscribed nodes. Nothing is stored.

    Every channel is a sharded one: the master that has its hash slot delivers its messages, and in a cluster no other
    server is involved. The connections are reopened by themselves, and the subscriptions with them; a subscription
    follows its slot to another master. `on_gap` says that messages may have been missed until now, but none from now
    on: it is called whenever a subscription begins, also after a lost connection and on another master. A node does not
    receive its own messages.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        node: str,
        *,
        report: Callable[[Exception], None] = lambda _: None,
        timeout: float = 5.0,
    ) -> None:
        """Messages are sent through `pipeline`. `report` is called with errors of the connections, and refusals."""
        self._pipeline = pipeline
        self._topology = pipeline.topology
        self._report = report
        self._masters = Masters(
            self._topology,
            self._greet,
            connection=lambda: RespConnection(self._receive),
            resp=3,
            report=report,
            timeout=timeout,
        )
        self._origin = origin(node)
        self._subscriptions: dict[bytes, Subscription] = {}
        self._unconfirmed: set[bytes] = set()
        self._again: asyncio.TimerHandle | None = None
        self._topology.on_change.append(self._follow)

    async def open(self, within: float = 5.0) -> None:
        """Connect. Raise StoreUnavailable after `within` seconds."""
        await self._masters.open(within)

    async def close(self) -> None:
        """Disconnect."""
        if self._again is not None:
            self._again.cancel()
        await self._masters.close()

    def reconnect(self) -> None:
        """Break the connection and open a new one: the address may lead to another server now."""
        self._masters.reconnect()

    @property
    def up(self) -> bool:
        """Whether every master is connected now."""
        return self._masters.up

    async def ready(self) -> None:
        """Wait until every master is connected, to send and to receive."""
        await self._pipeline.ready()
        await self._masters.ready()

    def subscribe(self, channel: str, on_message: Callable[[bytes], None], on_gap: Callable[[], None]) -> None:
        """Subscribe to a channel. A channel has one subscription: a second one replaces the first."""
        name = channel.encode()
        self._subscriptions[name] = Subscription(on_message, on_gap, slot(name))
        self._subscribe([name])

    def unsubscribe(self, channel: str) -> None:
        """End a subscription; its callbacks are not called any more."""
        ended = self._subscriptions.pop(channel.encode(), None)
        self._unconfirmed.discard(channel.encode())
        connection = None if ended is None else self._connection(ended.slot)
        if connection is not None:
            connection.send_push_only((b"SUNSUBSCRIBE", channel))

    def publish(self, channel: str, message: bytes) -> None:
        """Send a message to the other nodes. It is lost if there is no connection."""
        self._pipeline.send(b"SPUBLISH", channel, self._origin + message, on_reply=self._check)

    # -- subscriptions on their masters

    def _connection(self, slot: int) -> RespConnection | None:
        connector = self._masters.of(slot)
        return None if connector is None else connector.connection

    def _subscribe(self, channels: Iterable[bytes]) -> None:
        """Subscribe to channels on the masters of their slots; a new connection does so by itself."""
        for name in channels:
            subscription = self._subscriptions[name]
            subscription.master = self._topology.slots[subscription.slot]
            self._unconfirmed.add(name)
            connection = self._connection(subscription.slot)
            if connection is not None:
                connection.send_push_only((b"SSUBSCRIBE", name))

    async def _greet(self, master: str, connection: RespConnection, facts: dict[bytes, Any]) -> None:
        by_slot: dict[int, list[bytes]] = {}
        for name, subscription in self._subscriptions.items():
            if self._topology.slots[subscription.slot] == master:
                subscription.master = master
                self._unconfirmed.add(name)
                # Only the channels of one slot may be in one command, unless there is no cluster.
                by_slot.setdefault(subscription.slot if self._topology.is_cluster else 0, []).append(name)
        for channels in by_slot.values():
            for at in range(0, len(channels), CHANNELS_PER_COMMAND):
                connection.send_push_only((b"SSUBSCRIBE", *channels[at : at + CHANNELS_PER_COMMAND]))

    def _follow(self) -> None:
        """Subscribe to the channels whose slots have moved."""
        slots = self._topology.slots
        self._subscribe([name for name, each in self._subscriptions.items() if each.master != slots[each.slot]])

    def _subscribe_again(self) -> None:
        self._again = None
        self._subscribe(list(self._unconfirmed))

    def _not_subscribed(self) -> None:
        """Some channel is not subscribed although it should be: try again soon, with the right master."""
        self._topology.refresh()
        if self._again is None:
            loop = asyncio.get_running_loop()
            self._again = loop.call_later(SUBSCRIBE_AGAIN_AFTER, self._subscribe_again)

    def _receive(self, push: Any) -> None:
        if type(push) is not hiredis.PushNotification:
            if isinstance(push, hiredis.ReplyError):
                self._refused(str(push))
            return
        kind, channel, content = push
        subscription = self._subscriptions.get(channel)
        if subscription is None:
            return
        if kind == b"smessage":
            if not content.startswith(self._origin):
                subscription.on_message(content[ORIGIN_SIZE:])
        elif kind == b"ssubscribe":
            self._unconfirmed.discard(channel)
            subscription.on_gap()
        elif kind == b"sunsubscribe" and self._topology.is_cluster:  # the slot has moved
            self._unconfirmed.add(channel)
            self._not_subscribed()

    def _refused(self, reply: str) -> None:
        kind, *words = reply.split(" ")
        if kind == "MOVED":
            self._topology.moved(int(words[0]), words[1], "")
        else:
            self._report(StoreRefused(reply))
        self._not_subscribed()

    def _check(self, reply: Any) -> None:
        """Report a message that Redis refused to publish."""
        if isinstance(reply, hiredis.ReplyError):
            self._report(StoreRefused(str(reply)))
