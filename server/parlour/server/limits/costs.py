"""What each command costs: the table of all limits. Pure.

Costs are in units of the resource: milliseconds of a processor or an engine, bytes in the store. They are charged in
advance, so they are estimates; `bench/costs.py` measures those of records. Where the harm is not a cost to the server,
as with guessed passwords or chat, actions are counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    Accept,
    Assess,
    AssessPosition,
    Block,
    CancelTournament,
    Challenge,
    ChangePassword,
    ConfirmEmail,
    Create,
    CreateBot,
    CreateRecoveryCodes,
    CreateToken,
    CreateTournament,
    EditPosition,
    Explore,
    ExploreLesson,
    ExportAccount,
    FollowTournament,
    GetAnalysis,
    GetLeaderboard,
    GetLesson,
    GetNotifications,
    GetProfile,
    GetRecord,
    GetRound,
    GetRules,
    GetStandings,
    GetTournamentLog,
    Hello,
    Join,
    JoinTournament,
    ListGames,
    ListPlayers,
    ListTournaments,
    Message,
    Mute,
    PauseTournament,
    Preview,
    Queue,
    ReadRecord,
    RecoverAccount,
    Register,
    Report,
    RequestRecovery,
    SaveVariations,
    Say,
    SayTournament,
    Seek,
    SetEmail,
    SetNotifications,
    SignIn,
    Study,
    Sync,
    TryMove,
    WatchLobby,
    WithdrawTournament,
)  # fmt: skip


class Resource(Enum):
    """A limited resource: the setting with its limit per minute, the code of a refusal, its name in the sentence."""

    GUESTS = "guest_rate", ErrorCode.TOO_MANY_NAMES, "new guests"
    NAMES = "name_rate", ErrorCode.TOO_MANY_NAMES, "new accounts and bots"
    SIGN_INS = "sign_in_rate", ErrorCode.TOO_MANY_SIGN_INS, "sign-ins"
    SEEKS = "seek_rate", ErrorCode.TOO_MANY_SEEKS, "seeks and queued games"
    CHALLENGES = "challenge_rate", ErrorCode.TOO_MANY_CHALLENGES, "invitations"
    TOURNAMENTS = "tournament_rate", ErrorCode.TOO_MANY_TOURNAMENTS, "new tournaments"
    CHAT = "chat_rate", ErrorCode.TOO_MUCH_CHAT, "lines of chat"
    REPORTS = "report_rate", ErrorCode.TOO_MANY_REPORTS, "reports"
    STORAGE = "storage_rate", ErrorCode.OVER_BUDGET, "new games and variations"  # bytes
    PROCESSOR = "processor_rate", ErrorCode.OVER_BUDGET, "records, pictures and lists of games"  # milliseconds
    ENGINE = "engine_rate", ErrorCode.OVER_BUDGET, "questions to the computer"  # milliseconds

    def __init__(self, setting: str, code: ErrorCode, plural: str) -> None:
        self.setting = setting
        self.code = code
        self.plural = plural


# The log and the record of a short game, the seats of its players, and the keys of its commands.
GAME_BYTES = 5_000
SEEK_BYTES = 1_000
BLOCK_BYTES = 200  # with the key of the command
TOURNAMENT_BYTES = 5_000  # without its games
ENTRY_BYTES = 500  # with the key of the command
MOVE_BYTES = 12  # of a variation
SUBSCRIPTION_BYTES = 1_000  # with the key of its endpoint

# Shared by all nodes: each of these costs the store a script for the player and one for the address.
SHARED_COSTS: Mapping[type[Message], Mapping[Resource, int]] = {
    Hello: {Resource.GUESTS: 1},  # without a token
    Register: {Resource.NAMES: 1},
    CreateBot: {Resource.NAMES: 1},
    CreateToken: {Resource.NAMES: 1},
    SignIn: {Resource.SIGN_INS: 1},
    ChangePassword: {Resource.SIGN_INS: 1},
    CreateRecoveryCodes: {Resource.SIGN_INS: 1, Resource.PROCESSOR: 300},
    RecoverAccount: {Resource.SIGN_INS: 1},
    SetEmail: {Resource.SIGN_INS: 1},
    ConfirmEmail: {Resource.SIGN_INS: 1},
    RequestRecovery: {Resource.SIGN_INS: 1},
    Seek: {Resource.SEEKS: 1, Resource.STORAGE: SEEK_BYTES},
    Queue: {Resource.SEEKS: 1, Resource.STORAGE: SEEK_BYTES},
    Challenge: {Resource.CHALLENGES: 1, Resource.STORAGE: SEEK_BYTES},
    Accept: {Resource.STORAGE: GAME_BYTES},
    Create: {Resource.STORAGE: GAME_BYTES},
    Say: {Resource.CHAT: 1},
    SayTournament: {Resource.CHAT: 1},
    CreateTournament: {Resource.TOURNAMENTS: 1, Resource.STORAGE: TOURNAMENT_BYTES},
    JoinTournament: {Resource.STORAGE: ENTRY_BYTES},
    # If these are refused, the log is searched for what came of them before.
    WithdrawTournament: {Resource.PROCESSOR: 10},
    PauseTournament: {Resource.PROCESSOR: 10},
    CancelTournament: {Resource.PROCESSOR: 10},
    FollowTournament: {Resource.PROCESSOR: 5},
    GetStandings: {Resource.PROCESSOR: 5},
    GetRound: {Resource.PROCESSOR: 5},
    GetTournamentLog: {Resource.PROCESSOR: 10},
    Block: {Resource.STORAGE: BLOCK_BYTES},
    Mute: {Resource.STORAGE: BLOCK_BYTES},
    SetNotifications: {Resource.STORAGE: SUBSCRIPTION_BYTES},
    Report: {Resource.REPORTS: 1},
    Assess: {Resource.ENGINE: 1_000},
    AssessPosition: {Resource.ENGINE: 1_000},
    GetRecord: {Resource.PROCESSOR: 25},
    GetAnalysis: {Resource.PROCESSOR: 25},
    ReadRecord: {Resource.PROCESSOR: 5},  # and more for a long one, see `cost`
    ListGames: {Resource.PROCESSOR: 5},
    ExportAccount: {Resource.PROCESSOR: 50},
}
# HTTP requests, charged to the address.
EXPORT_COST: Mapping[Resource, int] = {Resource.PROCESSOR: 50}  # of twenty records without boards
PAGE_COST: Mapping[Resource, int] = {Resource.PROCESSOR: 5}  # of the lobby, a game, a player or an invitation
PICTURE_COST: Mapping[Resource, int] = {Resource.PROCESSOR: 150}  # of one that has to be drawn

READ_PER_MS = 200  # bytes of a record that are read, verified and drawn in a millisecond
MOVES_PER_MS = 10  # of a line that is studied

# Counted by each node separately, in messages: a command that costs the event loop or the store more than a move counts
# as several. All others count as one.
MESSAGES: Mapping[type[Message], int] = {
    Join: 5,
    Sync: 5,
    Explore: 3,
    Preview: 3,
    GetRules: 3,
    GetLesson: 3,
    GetNotifications: 5,
    SetNotifications: 5,
    ExploreLesson: 3,
    TryMove: 3,
    WatchLobby: 5,
    Assess: 5,
    AssessPosition: 5,
    Study: 3,
    EditPosition: 3,
    GetProfile: 3,
    GetLeaderboard: 3,
    ListPlayers: 10,
    GetRecord: 5,
    GetAnalysis: 5,
    SaveVariations: 5,
    ReadRecord: 10,
    ListGames: 5,
    ListTournaments: 5,
    FollowTournament: 5,
    GetStandings: 5,
    GetRound: 5,
    GetTournamentLog: 10,
    CreateTournament: 10,
    JoinTournament: 5,
    WithdrawTournament: 10,
    PauseTournament: 10,
    CancelTournament: 10,
}


def hello_messages(hello: Hello) -> int:
    """Return as how many messages a hello counts: its rooms are opened, but the client may also send what was not
    answered before it reconnected, within the same burst.
    """
    return max(1, len(hello.rooms) // 2)


def games_cost(games: int) -> Mapping[Resource, int]:
    """Return the cost of reading that many running games of a player."""
    return {Resource.PROCESSOR: 5 + 2 * games}


def cost(message: Message) -> Mapping[Resource, int]:
    """Return the cost of a message in the resources that all nodes share."""
    match message:
        case Hello() if message.token is not None:
            return {}
        case ReadRecord():
            return {Resource.PROCESSOR: 5 + len(message.text) // READ_PER_MS}
        case SaveVariations():
            moves = sum(len(variation.moves) for variation in message.variations)
            return {Resource.STORAGE: MOVE_BYTES * moves, Resource.PROCESSOR: 5 + moves // MOVES_PER_MS}
        case Study() | AssessPosition() if len(message.moves) >= MOVES_PER_MS:
            known = SHARED_COSTS.get(type(message), {})
            return {**known, Resource.PROCESSOR: len(message.moves) // MOVES_PER_MS}
        case _:
            return SHARED_COSTS.get(type(message), {})
