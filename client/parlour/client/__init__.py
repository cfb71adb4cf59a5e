"""Everything a player needs on this side of the wire; it knows the protocol and no game.

    async with connect("https://play.example.org", name="Ann") as parlour:
        table = await parlour.quick_match(Terms("replica"))
        while turn := await table.my_turn():
            ...

The names below are all that most programs need. They are imported when they are used first, since boards can be drawn
without any connection.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parlour.client.bot import Bot
    from parlour.client.connection import RefusedError
    from parlour.client.identity import Identities
    from parlour.client.lobby import Lobby
    from parlour.client.parlour import Parlour, connect
    from parlour.client.position import Position
    from parlour.client.table import Table
    from parlour.client.turn import Turn
    from parlour.client.waiting import Waiting
    from parlour.protocol.tables import Clock, Terms

__all__ = [
    "Bot", "Clock", "Identities", "Lobby", "Parlour", "Position", "RefusedError", "Table", "Terms", "Turn", "Waiting",
    "connect",
]  # fmt: skip

_FOUND_IN = {
    "Bot": "parlour.client.bot",
    "Clock": "parlour.protocol.tables",
    "Identities": "parlour.client.identity",
    "Lobby": "parlour.client.lobby",
    "Parlour": "parlour.client.parlour",
    "Position": "parlour.client.position",
    "RefusedError": "parlour.client.connection",
    "Table": "parlour.client.table",
    "Terms": "parlour.protocol.tables",
    "Turn": "parlour.client.turn",
    "Waiting": "parlour.client.waiting",
    "connect": "parlour.client.parlour",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _FOUND_IN:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_FOUND_IN[name]), name)
