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

The names below are all that most programs need: what connects, plays and looks things up, the events at a table and the
messages that they are, and what can go wrong. They are imported on first use, because boards can be drawn without a
connection.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parlour.client.bot import Bot, BotConfig
    from parlour.client.bot_move import BotMove, NoMoveError
    from parlour.client.client import Client, Notification, connect
    from parlour.client.connect_errors import ConnectCode, ConnectError
    from parlour.client.connection import RefusedError
    from parlour.client.lobby import Lobby
    from parlour.client.pending_seek import PendingSeek
    from parlour.client.position import Position
    from parlour.client.table import Event, Table
    from parlour.client.tokens import TokenFile
    from parlour.client.turn import Turn
    from parlour.protocol.errors import ErrorCode, Refusal
    from parlour.protocol.messages import (
        Announced,
        Assessment,
        ChallengeClosed,
        Challenged,
        Choices,
        GameSummary,
        Leaderboard,
        LiveGame,
        Moved,
        OnlinePlayer,
        OpenSeek,
        Paired,
        Players,
        Presence,
        Profile,
        Rated,
        Record,
        Room,
        RoomEvent,
        Said,
        YourGame,
    )
    from parlour.protocol.types import Clock, GameCard, Player, Result, SeatedPlayer, Terms, TimeLeft

# Where each public name comes from.
_MODULES = {
    "parlour.client.bot": ("Bot", "BotConfig"),
    "parlour.client.bot_move": ("BotMove", "NoMoveError"),
    "parlour.client.client": ("Client", "Notification", "connect"),
    "parlour.client.connect_errors": ("ConnectCode", "ConnectError"),
    "parlour.client.connection": ("RefusedError",),
    "parlour.client.lobby": ("Lobby",),
    "parlour.client.pending_seek": ("PendingSeek",),
    "parlour.client.position": ("Position",),
    "parlour.client.table": ("Event", "Table"),
    "parlour.client.tokens": ("TokenFile",),
    "parlour.client.turn": ("Turn",),
    "parlour.protocol.errors": ("ErrorCode", "Refusal"),
    "parlour.protocol.messages": (
        "Announced", "Assessment", "ChallengeClosed", "Challenged", "Choices", "GameSummary", "Leaderboard", "LiveGame",
        "Moved", "OnlinePlayer", "OpenSeek", "Paired", "Players", "Presence", "Profile", "Rated", "Record",
        "Room", "RoomEvent", "Said", "YourGame",
    ),
    "parlour.protocol.types": ("Clock", "GameCard", "Player", "Result", "SeatedPlayer", "Terms", "TimeLeft"),
}  # fmt: skip

__all__ = [
    "Announced", "Assessment", "Bot", "BotConfig", "BotMove", "ChallengeClosed", "Challenged", "Choices", "Client",
    "Clock", "ConnectCode", "ConnectError", "ErrorCode", "Event", "GameCard", "GameSummary", "Leaderboard", "LiveGame",
    "Lobby", "Moved", "NoMoveError", "Notification", "OnlinePlayer", "OpenSeek", "Paired", "PendingSeek",
    "Player", "Players", "Position", "Presence", "Profile", "Rated", "Record", "Refusal", "RefusedError",
    "Result", "Room", "RoomEvent", "Said", "SeatedPlayer", "Table", "Terms", "TimeLeft", "TokenFile", "Turn",
    "YourGame", "connect",
]  # fmt: skip

_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _MODULE_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_MODULE_OF[name]), name)
