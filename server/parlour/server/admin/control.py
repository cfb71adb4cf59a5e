"""Commands that an operator sends to all nodes at once: announcements, and which node to drain."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
from msgspec import Struct

from parlour.protocol.messages import Announced
from parlour.server.sessions.session import Session
from parlour.server.store.store import Store


class Announce(Struct, frozen=True, tag=True):
    """Show a text to all connected players."""

    text: str
    at: int


class Drain(Struct, frozen=True, tag=True):
    """Accept no more clients and send the connected ones to other nodes, or serve clients again."""

    node: str
    drains: bool


class AddressBansChanged(Struct, frozen=True, tag=True):
    """Reload the banned networks."""


ControlMessage = Announce | Drain | AddressBansChanged

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(ControlMessage).decode


class Control:
    """Sends commands to all nodes, and executes those it receives. A node cut off from the store misses them."""

    def __init__(self, store: Store, sessions: Callable[[], Iterable[Session]]) -> None:
        """`sessions` returns those of all connections to this node."""
        self.on_drain: Callable[[bool], None] = lambda drains: None  # called if this node is to drain, or to serve
        self.on_bans_changed: Callable[[], None] = lambda: None  # called also after a message may have been missed
        self._pubsub = store.pubsub
        self._channel = store.keys.control
        self._node = store.node
        self._sessions = sessions
        store.pubsub.subscribe(self._channel, lambda message: self._receive(decode(message)), self._missed)

    def send(self, message: ControlMessage) -> None:
        """Tell every node, including this one."""
        self._pubsub.publish(self._channel, encode(message))
        self._receive(message)

    def _missed(self) -> None:
        """Catch up on the current state: commands may have been missed while the channel was not subscribed."""
        self.on_bans_changed()

    def _receive(self, message: ControlMessage) -> None:
        match message:
            case Announce():
                announced = Announced(text=message.text, at=message.at)
                for session in tuple(self._sessions()):
                    if session.player:
                        session.send(announced)
            case Drain() if message.node == self._node:
                self.on_drain(message.drains)
            case AddressBansChanged():
                self.on_bans_changed()
