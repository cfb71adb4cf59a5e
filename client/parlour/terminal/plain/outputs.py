"""The output of the line client, as objects: each is one line of JSON for programs. docs/terminal.md describes them.

People get sentences in place of these objects.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from parlour.protocol.messages import (
    Assessment,
    GameSummary,
    LeaderboardEntry,
    LiveGame,
    OnlinePlayer,
    OpenSeek,
    Profile,
    Tournament,
    TournamentGame,
    TournamentSummary,
)  # fmt: skip
from parlour.protocol.scene import BoardSpec, Scene
from parlour.protocol.types import GameCard, Player, Result, SeatedPlayer, Terms, TimeLeft


class Output(Struct, frozen=True, omit_defaults=True, tag_field="event"):
    """An object that the client prints; its kind is in the field `event`."""


# -- answers: exactly one for each line of input


class Done(Output, frozen=True, tag="done"):
    """A command was executed, and everything that it caused has been printed."""

    id: Any = None  # that of the command, if it had one


class Refused(Output, frozen=True, kw_only=True, tag="refused"):
    """A command was not executed."""

    code: str  # one of the protocol's error codes, or of a connection
    text: str
    id: Any = None


# -- the session


class Ready(Output, frozen=True, tag="ready"):
    """The client is connected. The first object."""

    server: str  # the program and its version
    you: Player
    offline: bool = False  # whether this is the private server of the user's own terminals


class Text(Output, frozen=True, tag="text"):
    """A sentence without data of its own."""

    text: str


class ConnectionState(Output, frozen=True, tag="connection"):
    """The connection was lost, is back, or has ended."""

    state: str
    text: str


class ChallengeReceived(Output, frozen=True, tag="challenged"):
    """Another player challenges you: answer with join or decline."""

    seek: str
    player: Player
    terms: Terms


class GameWaits(Output, frozen=True, tag="your_game"):
    """It is your turn in a game whose table you are not at, or such a game is over."""

    room: str
    game: str
    opponent: Player
    ply: int
    over: bool = False


class TournamentPaired(Output, frozen=True, tag="paired"):
    """Your game in a tournament has begun: go there with open."""

    tournament: str
    room: str
    seat: int


class OperatorMessage(Output, frozen=True, tag="announced"):
    """A message of the server's operator."""

    kind: str  # announcement or warning
    text: str


class Waiting(Output, frozen=True, kw_only=True, tag="waiting"):
    """You are waiting for an opponent."""

    seek: str  # its code, for a friend who wants to join
    terms: Terms
    to: str | None = None  # the challenged player


# -- a table


class TableOpened(Output, frozen=True, kw_only=True, tag="table"):
    """A table, whole, when you go there."""

    room: str
    seat: int | None  # yours; null: you watch, or both players are here
    terms: Terms
    players: tuple[SeatedPlayer, ...]
    status: str
    moves: tuple[str, ...]
    board: BoardSpec
    scene: Scene
    clocks: tuple[TimeLeft, ...] = ()
    result: Result | None = None


class TableMoved(Output, frozen=True, kw_only=True, tag="moved"):
    """A move was played."""

    room: str
    move: str
    ply: int  # the number of moves so far
    scene: Scene
    seat: int | None = None  # who played it
    clocks: tuple[TimeLeft, ...] = ()


class MoveDescribed(Output, frozen=True, kw_only=True, tag="described"):
    """The last move in the game's own words. Left out if the next move is played at once."""

    room: str
    ply: int
    text: str


class TableEvent(Output, frozen=True, kw_only=True, tag="table_event"):
    """Something else happened at the table."""

    room: str
    kind: str  # as in the protocol's message `event`
    text: str
    seat: int | None = None
    offer: str | None = None
    result: Result | None = None
    next: str | None = None
    scene: Scene | None = None


class Choice(Struct, frozen=True, omit_defaults=True):
    """A place that may be picked next."""

    name: str  # what to type
    place: int
    label: str = ""  # the game's remark on it


class Turn(Output, frozen=True, kw_only=True, tag="turn"):
    """A player at this terminal is to move, or to pick the rest of a turn."""

    room: str
    seat: int
    ply: int
    prompt: str
    choices: tuple[Choice, ...]  # what may be picked next; a whole move may be typed, too
    picks: tuple[int, ...] = ()  # made so far


class ChatLine(Output, frozen=True, tag="said"):
    """A chat message."""

    room: str
    name: str
    text: str


class PlayersOnline(Output, frozen=True, kw_only=True, tag="presence"):
    """Which players are connected."""

    room: str
    online: tuple[bool, ...]  # by seat
    claim_in: int | None = None  # milliseconds until the win can be claimed
    abort_in: int | None = None  # milliseconds until the game is aborted, unless the first move is made


class NewRatings(Output, frozen=True, tag="rated"):
    """The ratings after a rated game, by seat."""

    room: str
    ratings: tuple[int, ...]


# -- a lesson


class LessonShown(Output, frozen=True, kw_only=True, tag="lesson"):
    """A step of a lesson, or its end, which has no board."""

    game: str
    title: str
    text: tuple[str, ...]  # the task, with what is worth a look or the hint if it was asked for
    step: str = ""  # its key
    prompt: str = ""
    board: BoardSpec | None = None
    scene: Scene | None = None
    choices: tuple[Choice, ...] = ()
    picks: tuple[int, ...] = ()


class LessonTried(Output, frozen=True, kw_only=True, tag="tried"):
    """What a move in a lesson led to. If it did not solve the step, it was put back."""

    game: str
    step: str
    solved: bool
    move: str
    text: tuple[str, ...]
    scene: Scene  # after the move and the reply
    reply: str = ""  # the opponent's move


# -- replies to commands that ask for something


class GameList(Output, frozen=True, tag="games"):
    games: tuple[GameCard, ...]


class TableList(Output, frozen=True, tag="tables"):
    tables: tuple[OpenSeek, ...]


class LiveGames(Output, frozen=True, tag="live"):
    games: tuple[LiveGame, ...]  # without boards
    featured: str = ""


class OnlineList(Output, frozen=True, tag="players"):
    players: tuple[OnlinePlayer, ...]


class OwnGames(Output, frozen=True, tag="mine"):
    ongoing: tuple[str, ...]  # rooms
    finished: tuple[GameSummary, ...]


class Leaders(Output, frozen=True, tag="leaderboard"):
    game: str
    rows: tuple[LeaderboardEntry, ...]


class PlayerProfile(Output, frozen=True, tag="player"):
    profile: Profile


class BlockedPlayers(Output, frozen=True, tag="block_list"):
    blocked: tuple[str, ...]  # names
    muted: tuple[str, ...]


class TournamentList(Output, frozen=True, tag="tournaments"):
    tournaments: tuple[TournamentSummary, ...]


class TournamentShown(Output, frozen=True, tag="tournament"):
    tournament: Tournament


class TournamentPairings(Output, frozen=True, tag="round"):
    tournament: str
    round: int
    games: tuple[TournamentGame, ...]
    byes: tuple[Player, ...] = ()


class RulesText(Output, frozen=True, tag="rules"):
    game: str
    text: str  # in Markdown


class BoardPreview(Output, frozen=True, tag="preview"):
    board: BoardSpec
    scene: Scene


class SettingList(Output, frozen=True, tag="settings"):
    settings: dict[str, str | bool | dict[str, str]]


class Assessed(Output, frozen=True, tag="assessment"):
    assessment: Assessment


class ReplayPosition(Output, frozen=True, kw_only=True, tag="replay"):
    """A position of a replay."""

    room: str
    ply: int
    length: int  # the number of moves of the game
    scene: Scene
    move: str = ""  # that led to it
    result: Result | None = None  # at the end
