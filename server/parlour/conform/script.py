"""Hooks into the scripted server: every message from a client and every message to one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from parlour.protocol.messages import ClientMessage, Message, Moved

if TYPE_CHECKING:
    from parlour.conform.connection import Connection
    from parlour.conform.frames import Transcript
    from parlour.conform.scripted_room import ScriptedRoom
    from parlour.conform.scripted_server import ScriptedServer

THINKING = 0.005  # seconds that the scripted opponent takes to move


class Cut(Struct, frozen=True):
    """Cut the connection here, without a close frame."""


class Close(Struct, frozen=True):
    """Close the connection with a close frame."""

    code: int


class Pause(Struct, frozen=True):
    """Send nothing for a while."""

    seconds: float


# The items that can be sent: a message, any other value that can be encoded, or one of the above.
Outgoing = Any


class Script:
    """Changes what the server receives and sends. This one changes nothing."""

    server: ScriptedServer
    _transcript: Transcript | None = None  # of the server

    def attach(self, server: ScriptedServer) -> None:
        """Remember the server of this script."""
        self.server, self._transcript = server, server.transcript

    def mark(self, event: str) -> None:
        """Record an event that decides a rule, and keep the frames around it."""
        if self._transcript is not None:
            self._transcript.mark(event)

    def opened(self, connection: Connection) -> None:
        """Note that a client has connected."""

    def closed(self, connection: Connection) -> None:
        """Note that a connection has ended."""

    def incoming(self, connection: Connection, message: ClientMessage) -> bool:
        """Handle a message from a client. Return False to keep it from the server."""
        return True

    def pinged(self, connection: Connection) -> None:
        """Note a ping, which the server answers by itself."""

    def outgoing(self, connection: Connection, message: Message | Moved) -> Iterable[Outgoing]:
        """Return what to send in place of a message from the server."""
        return (message,)

    def written(self, connection: Connection, message: Outgoing) -> None:
        """Note that something was written to the connection."""

    def thinks(self, room: ScriptedRoom) -> float:
        """Return how many seconds the scripted opponent takes to move."""
        return THINKING

    def open_lobby(self) -> None:
        """Open the seeks that a client of the lobby finds."""
        self.server.offer_seek()

    def challenge(self) -> None:
        """Challenge the bot."""
        self.server.challenge_bot()
