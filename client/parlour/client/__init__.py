"""The Python SDK: play on a Parlour server, or run a bot there. It knows the protocol and no game.

    from parlour.client import Terms, connect

    async with connect("https://play.example.org", name="Ann") as client:
        table = await client.quick_match(Terms("replica"))
        while turn := await table.my_turn():
            while not turn.complete:
                turn = (await table.explore(turn)).children()[0]
            await table.play(turn)
        print(table.result)

A bot is a subclass of `Bot`:

    class Robbie(Bot):
        def choose(self, position: Position) -> BotMove:
            return position.random_turn()

    Robbie().run("https://play.example.org", token)

The names below are all that most programs need. They are imported on first use, because boards can be drawn without
a connection.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parlour.client.bot import Bot, BotConfig
    from parlour.client.bot_move import BotMove, NoMoveError
    from parlour.client.client import Client, connect
    from parlour.client.connection import RefusedError
    from parlour.client.lobby import Lobby
    from parlour.client.pending_seek import PendingSeek
    from parlour.client.position import Position
    from parlour.client.table import Table
    from parlour.client.tokens import TokenFile
    from parlour.client.turn import Turn
    from parlour.protocol.types import Clock, Terms

__all__ = [
    "Bot", "BotConfig", "BotMove", "Client", "Clock", "Lobby", "NoMoveError", "PendingSeek", "Position",
    "RefusedError", "Table", "Terms", "TokenFile", "Turn", "connect",
]  # fmt: skip

_MODULES = {
    "Bot": "parlour.client.bot",
    "BotConfig": "parlour.client.bot",
    "BotMove": "parlour.client.bot_move",
    "Client": "parlour.client.client",
    "Clock": "parlour.protocol.types",
    "Lobby": "parlour.client.lobby",
    "NoMoveError": "parlour.client.bot_move",
    "PendingSeek": "parlour.client.pending_seek",
    "Position": "parlour.client.position",
    "RefusedError": "parlour.client.connection",
    "Table": "parlour.client.table",
    "Terms": "parlour.protocol.types",
    "TokenFile": "parlour.client.tokens",
    "Turn": "parlour.client.turn",
    "connect": "parlour.client.client",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_MODULES[name]), name)
