"""What a newer server and talkative people send: a client takes it or leaves it, and plays on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from parlour.conform.client_faults import Fault
from parlour.conform.connection import Connection
from parlour.conform.script import Leaving
from parlour.protocol import messages as wire


class _Noise(Fault):
    def __init__(self) -> None:
        super().__init__()
        self.kept = True  # unless the game does not get to its end


class UnknownFields(_Noise):
    rule = "fields-unknown"

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        self.struck = "every message had fields that nobody knows"
        grown: Any = msgspec.to_builtins(message)
        if isinstance(grown, list):
            return ([*grown, {"weather": "fine"}],)
        for part in (grown, grown.get("you"), grown.get("board")):
            if part is not None:
                part["weather"] = {"sky": ["blue", 1, None]}
        return (grown,)


class UnknownMessages(_Noise):
    rule = "messages-unknown"

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        self.struck = "messages came that nobody knows"
        return message, {"t": "weather", "sky": "blue", "room": "room-1"}


class Talk(_Noise):
    rule = "talk"

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        room = next(iter(connection.rooms), None)
        if room is None:
            return (message,)
        self.struck = "presence and said came all the time"
        said = wire.Said(room=room, name="Guest 7", text="<b>Nice</b> move \N{SPARKLES}", at=1)
        return wire.Presence(room=room, online=(True, False), watchers=3), message, said
