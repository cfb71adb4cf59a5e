"""Messages and fields that a client does not expect: it ignores them and continues to play."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from parlour.conform.client_faults import Fault
from parlour.conform.connection import Connection
from parlour.conform.script import Outgoing
from parlour.protocol import messages as wire


class _Unexpected(Fault):
    def __init__(self) -> None:
        super().__init__()
        self.kept = True  # unless the game does not end


class UnknownFields(_Unexpected):
    rule = "fields-unknown"

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        self.injected = "every message had unknown fields"
        grown: Any = msgspec.to_builtins(message)
        if isinstance(grown, list):
            return ([*grown, {"weather": "fine"}],)
        for part in (grown, grown.get("you"), grown.get("board")):
            if part is not None:
                part["weather"] = {"sky": ["blue", 1, None]}
        return (grown,)


class UnknownItems(_Unexpected):
    rule = "items-unknown"

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if not isinstance(message, wire.Moved):
            return (message,)
        self.injected = "every moved had an item more than is documented"
        return ([*msgspec.to_builtins(message), {"weather": "fine"}],)


class UnknownMessages(_Unexpected):
    rule = "messages-unknown"

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        self.injected = "unknown messages were sent"
        return message, {"t": "weather", "sky": "blue", "room": "room-1"}


class Talk(_Unexpected):
    rule = "talk"

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        room = next(iter(connection.rooms), None)
        if room is None:
            return (message,)
        self.injected = "presence, said, announced and rated were sent all the time"
        said = wire.Said(room=room, name="Guest 7", text="<b>Nice</b> move \N{SPARKLES}", at=1)
        presence = wire.Presence(room=room, online=(True, False), spectators=3, claim_in=60_000)
        rated = wire.Rated(room=room, ratings=(1500, 1500))
        return presence, wire.Announced(text="We restart at noon."), message, said, rated
