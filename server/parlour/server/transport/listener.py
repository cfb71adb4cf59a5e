"""What the transport tells the node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from parlour.server.transport.peer import Peer


class Listener(Protocol):
    """Implemented by the node. Everything is called on the event loop and must return at once.

    An exception from any of these is logged and counted; the connection goes on.
    """

    def opened(self, peer: Peer) -> None:
        """Somebody has connected. Nothing has been received yet."""

    def received(self, peer: Peer, frame: bytes | str) -> None:
        """A complete message came, as it was sent. Never called after `peer.close` or `closed`."""

    def drained(self, peer: Peer) -> None:
        """A peer that was behind can take data again: send it whole what it missed."""

    def closed(self, peer: Peer, code: int) -> None:
        """The connection is gone. Called exactly once for every `opened`.

        The code is ours if this side began to close, otherwise the other's; 1006 if it just broke.
        """
