"""The Python SDK: play on a Parlour server, or run a bot there. It knows the protocol, but no game.

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
    from parlour.client.connection import RefusedError, State
    from parlour.client.engine_bot import EngineBot
    from parlour.client.event_stream import Subscription
    from parlour.client.lessons import Lessons
    from parlour.client.lobby import Lobby
    from parlour.client.moderation import Moderation
    from parlour.client.pending_seek import PendingSeek, SeatPreference
    from parlour.client.position import Position
    from parlour.client.records import Records
    from parlour.client.table import Event, OfferKind, Table
    from parlour.client.tokens import TokenFile
    from parlour.client.tournaments import TournamentDirectory, TournamentNews
    from parlour.client.turn import Turn
    from parlour.protocol.errors import ErrorCode, Refusal, Retry
    from parlour.protocol.messages import (
        Announced,
        Assessment,
        BlockList,
        ChallengeClosed,
        Challenged,
        Choices,
        GameRating,
        Games,
        GameSummary,
        Leaderboard,
        LeaderboardEntry,
        Lesson,
        LessonChoices,
        LiveGame,
        LobbyChanged,
        Moved,
        OnlinePlayer,
        OpenSeek,
        Paired,
        Players,
        Presence,
        Previewed,
        Profile,
        Rated,
        Record,
        RecordedMove,
        Room,
        RoomEvent,
        Rules,
        Said,
        SignedIn,
        Standings,
        Tournament,
        TournamentChanged,
        TournamentRound,
        Tournaments,
        TournamentSaid,
        TournamentSummary,
        Tried,
        YourGame,
        YourTournament,
    )
    from parlour.protocol.replica import RoomReplica
    from parlour.protocol.scene import BoardSpec, Glyph, Scene, SceneDiff, SeatSpec, Zone
    from parlour.protocol.types import (
        Clock,
        GameCard,
        Level,
        OptionSpec,
        OptionValue,
        Pick,
        Player,
        Result,
        SeatedPlayer,
        Step,
        Terms,
        TimeLeft,
        TournamentSettings,
    )

# Where each public name comes from.
_MODULES = {
    "parlour.client.bot": ("Bot", "BotConfig"),
    "parlour.client.bot_move": ("BotMove", "NoMoveError"),
    "parlour.client.client": ("Client", "Notification", "connect"),
    "parlour.client.connect_errors": ("ConnectCode", "ConnectError"),
    "parlour.client.connection": ("RefusedError", "State"),
    "parlour.client.engine_bot": ("EngineBot",),
    "parlour.client.event_stream": ("Subscription",),
    "parlour.client.lessons": ("Lessons",),
    "parlour.client.lobby": ("Lobby",),
    "parlour.client.moderation": ("Moderation",),
    "parlour.client.pending_seek": ("PendingSeek", "SeatPreference"),
    "parlour.client.position": ("Position",),
    "parlour.client.records": ("Records",),
    "parlour.client.table": ("Event", "OfferKind", "Table"),
    "parlour.client.tokens": ("TokenFile",),
    "parlour.client.tournaments": ("TournamentDirectory", "TournamentNews"),
    "parlour.client.turn": ("Turn",),
    "parlour.protocol.errors": ("ErrorCode", "Refusal", "Retry"),
    "parlour.protocol.messages": (
        "Announced", "Assessment", "BlockList", "ChallengeClosed", "Challenged", "Choices", "GameRating",
        "GameSummary", "Games", "Leaderboard", "LeaderboardEntry", "Lesson", "LessonChoices", "LiveGame",
        "LobbyChanged", "Moved", "OnlinePlayer", "OpenSeek", "Paired", "Players", "Presence", "Previewed",
        "Profile", "Rated", "Record", "RecordedMove", "Room", "RoomEvent", "Rules", "Said", "SignedIn",
        "Standings", "Tournament", "TournamentChanged", "TournamentRound", "TournamentSaid", "TournamentSummary",
        "Tournaments", "Tried", "YourGame", "YourTournament",
    ),
    "parlour.protocol.replica": ("RoomReplica",),
    "parlour.protocol.scene": ("BoardSpec", "Glyph", "Scene", "SceneDiff", "SeatSpec", "Zone"),
    "parlour.protocol.types": (
        "Clock", "GameCard", "Level", "OptionSpec", "OptionValue", "Pick", "Player", "Result", "SeatedPlayer",
        "Step", "Terms", "TimeLeft", "TournamentSettings",
    ),
}  # fmt: skip

__all__ = [
    "Announced", "Assessment", "BlockList", "BoardSpec", "Bot", "BotConfig", "BotMove", "ChallengeClosed",
    "Challenged", "Choices", "Client", "Clock", "ConnectCode", "ConnectError", "EngineBot", "ErrorCode", "Event",
    "GameCard", "GameRating", "GameSummary", "Games", "Glyph", "Leaderboard", "LeaderboardEntry", "Lesson",
    "LessonChoices", "Lessons", "Level", "LiveGame", "Lobby", "LobbyChanged", "Moderation", "Moved", "NoMoveError",
    "Notification", "OfferKind", "OnlinePlayer", "OpenSeek", "OptionSpec", "OptionValue", "Paired", "PendingSeek",
    "Pick", "Player", "Players", "Position", "Presence", "Previewed", "Profile", "Rated", "Record", "RecordedMove",
    "Records", "Refusal", "RefusedError", "Result", "Retry", "Room", "RoomEvent", "RoomReplica", "Rules", "Said",
    "Scene", "SceneDiff", "SeatPreference", "SeatSpec", "SeatedPlayer", "SignedIn", "Standings", "State", "Step",
    "Subscription", "Table", "Terms", "TimeLeft", "TokenFile", "Tournament", "TournamentChanged",
    "TournamentDirectory", "TournamentNews", "TournamentRound", "TournamentSaid", "TournamentSettings",
    "TournamentSummary", "Tournaments", "Tried", "Turn", "YourGame", "YourTournament", "Zone", "connect",
]  # fmt: skip

_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _MODULE_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_MODULE_OF[name]), name)
