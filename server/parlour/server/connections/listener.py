"""What connections report to the rest of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from parlour.server.connections.connection import Connection


class Listener(Protocol):
    """Receives the events of all connections. Every method is called on the event loop and must return at once.

    An exception from any of these is logged and counted; the connection carries on.
    """

    def opened(self, connection: Connection) -> None:
        """Handle a new connection. Nothing has been received yet."""

    def received(self, connection: Connection, payload: bytes | str) -> None:
        """Handle a complete message. Never called after `connection.close` or `closed`."""

    def drained(self, connection: Connection) -> None:
        """Handle a connection that was behind and accepts data again: resend in full what it missed."""

    def closed(self, connection: Connection, code: int) -> None:
        """Handle the end of a connection.

        Called exactly once for every `opened`. The code is this side's if it closed first, otherwise the other side's;
        1006 if the connection broke.
        """
