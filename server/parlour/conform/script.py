"""Where a script gets its hands on the scripted server: everything that arrives from a client and leaves to one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from parlour.protocol.messages import ClientMessage, Message, Moved

if TYPE_CHECKING:
    from parlour.conform.connection import Connection


class Cut(Struct, frozen=True):
    """The connection is lost here, without a word."""


class Close(Struct, frozen=True):
    """The connection is closed in due form."""

    code: int


class Pause(Struct, frozen=True):
    """Nothing leaves for a while."""

    seconds: float


# What may be put on the wire: a message, anything else that can be encoded, or one of the above.
Leaving = Any


class Script:
    """What happens beyond plain service; this one lets everything pass."""

    def opened(self, connection: Connection) -> None:
        """A client has connected."""

    def arriving(self, connection: Connection, message: ClientMessage) -> bool:
        """A client sends a message; False: the server shall never see it."""
        return True

    def leaving(self, connection: Connection, message: Message | Moved) -> Iterable[Leaving]:
        """The server sends a message: what leaves instead."""
        return (message,)

    def written(self, connection: Connection, message: Leaving) -> None:
        """Something was really put on the wire."""
