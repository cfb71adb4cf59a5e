"""Every message of the protocol, in both directions, by section.

A message is a map with its name under `t`. The exception is `moved`, an array that begins with the number 0: it is sent
to everyone in a room for every move, so it has to be short.

A command carries an `id`, a number that the client has not used before in its session. The server answers every
command with exactly one message with that id: `ok`, `refused`, or the message named in the reference. The same command
sent again with the same id is answered again and never executed twice.

Both sides ignore fields that they do not know, so that either can be extended. The docstrings here, and the comments
behind the fields, are the text of the published reference.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from parlour.protocol.scene import BoardSpec, Scene, SceneDiff
from parlour.protocol.types import (
    Clock,
    Count,
    GameCard,
    Milliseconds,
    Name,
    OptionValue,
    PaletteItem,
    Pick,
    Player,
    Points,
    PositionNumber,
    Rating,
    Result,
    RoomId,
    Seat,
    SeatedPlayer,
    Step,
    Terms,
    TimeLeft,
    TournamentId,
    TournamentSettings,
)  # fmt: skip

CommandId = Annotated[int, Meta(ge=0, lt=2**53)]
SessionId = Annotated[str, Meta(min_length=1, max_length=32)]
Picks = Annotated[tuple[Count, ...], Meta(max_length=32)]
Line = Annotated[tuple[Annotated[str, Meta(max_length=128)], ...], Meta(max_length=400)]


class Message(Struct, frozen=True, omit_defaults=True, tag_field="t", gc=False):
    """A message in either direction."""


class Command(Message, frozen=True, kw_only=True):
    """A request by a client, which gets exactly one answer."""

    id: CommandId


# ==================================================================== client to server: the connection


class Cursor(Struct, frozen=True, array_like=True):
    """The last update of a room that a client has."""

    room: RoomId
    epoch: Count
    seq: Count


class Hello(Message, frozen=True, tag="hello"):
    """The first message on every connection.

    Without a token it creates a new guest. With the token of an earlier welcome the same player continues: for every
    room listed the server sends the missed updates or the whole room. A client that reconnects also sends the session
    of its last welcome, and then every unanswered command again. Answered by welcome, or by refused without an id.
    """

    client: Name = "unnamed"  # the program and its version
    token: Annotated[str, Meta(max_length=128)] | None = None
    rooms: Annotated[tuple[Cursor, ...], Meta(max_length=64)] = ()
    name: Name | None = None  # the preferred name of a new guest
    choices: bool = True  # False: do not send choices with each turn, for programs that know the rules
    session: SessionId | None = None  # of the last welcome that this running client got; only together with `token`


class Ping(Message, frozen=True, tag="ping"):
    """Check the connection. Answered by pong with the same number."""

    n: Count = 0


# ==================================================================== client to server: identity

Password = Annotated[str, Meta(max_length=256)]
OneTimeCode = Annotated[str, Meta(max_length=64)]


class Register(Command, frozen=True, kw_only=True, tag="register"):
    """Turn the guest into an account with a password. The games played so far are kept.

    Answered by signed_in, with a token that is as good as the current one.
    """

    name: Name
    password: Password


class SignIn(Command, frozen=True, kw_only=True, tag="sign_in"):
    """Sign in to an account. Answered by signed_in.

    The player of this connection does not change: open another connection and say hello with the new token.
    """

    name: Name
    password: Password


class SignOut(Command, frozen=True, kw_only=True, tag="sign_out"):
    """Revoke the token of this connection, or all tokens of the player. Answered by ok.

    The server then closes every connection that uses a revoked token. A guest who signs out cannot return.
    """

    everywhere: bool = False


class ChangePassword(Command, frozen=True, kw_only=True, tag="change_password"):
    """Change the password of the account. Other devices have to sign in again. Answered by ok."""

    old: Password
    new: Password


class CreateRecoveryCodes(Command, frozen=True, kw_only=True, tag="create_recovery_codes"):
    """Replace the recovery codes of the account with new ones.

    Answered by recovery_codes, which contains them only this once.
    """

    password: Password


class GetRecoveryCodes(Command, frozen=True, kw_only=True, tag="get_recovery_codes"):
    """Ask how many recovery codes the account has left. Answered by recovery_codes without codes."""


class RecoverAccount(Command, frozen=True, kw_only=True, tag="recover_account"):
    """Set a new password with a recovery code, or with the code of an e-mail. Each works once. Answered by signed_in.

    All other devices have to sign in again. As with sign_in, the player of this connection does not change.
    """

    name: Name
    code: OneTimeCode  # in recovery codes, upper and lower case, spaces and hyphens make no difference
    password: Password


class GetEmail(Command, frozen=True, kw_only=True, tag="get_email"):
    """Ask for the e-mail address of the account, and whether the server sends e-mails at all. Answered by email."""


class SetEmail(Command, frozen=True, kw_only=True, tag="set_email"):
    """Set the e-mail address of the account, or remove it. Answered by ok.

    A new address gets an e-mail with a code, and counts once that is sent with confirm_email.
    """

    address: Annotated[str, Meta(max_length=254)]  # empty: remove it
    password: Password


class ConfirmEmail(Command, frozen=True, kw_only=True, tag="confirm_email"):
    """Confirm an e-mail address with the code that was sent there.

    Any player may do so, since the link may be opened on any device.

    Answered by ok.
    """

    code: OneTimeCode


class RequestRecovery(Command, frozen=True, kw_only=True, tag="request_recovery"):
    """Ask for an e-mail with a code for recover_account, which works for an hour.

    Answered by ok, whether or not there is an account with this name and a confirmed address.
    """

    name: Name


class CreateBot(Command, frozen=True, kw_only=True, tag="create_bot"):
    """Create an account for a program, labelled as a bot everywhere. Answered by signed_in with the bot's token.

    If the player already has a bot of that name, it gets a new token and the old one is revoked. Guests cannot have
    bots.
    """

    name: Name


Scope = Literal["read", "challenge", "play"]


class CreateToken(Command, frozen=True, kw_only=True, tag="create_token"):
    """Create one more token of this account or bot, limited to some scopes. Answered by signed_in.

    `read` allows what only the player may ask, such as hints; `challenge` to seek, challenge, accept and create games;
    `play` to play them and to chat. Public data needs no scope. No scope allows changes to the account.
    """

    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=3)]


class ExportAccount(Command, frozen=True, kw_only=True, tag="export_account"):
    """Ask for everything that the server has stored about the player. Answered by account_data."""


# ==================================================================== client to server: notifications

Endpoint = Annotated[str, Meta(min_length=1, max_length=1024)]
NotificationKind = Literal["your_turn", "challenge", "tournament"]


class PushSubscription(Struct, frozen=True):
    """The address and keys with which a browser receives push messages, from its push manager."""

    endpoint: Endpoint
    p256dh: Annotated[str, Meta(max_length=128)]  # the browser's public key, in URL-safe base64
    auth: Annotated[str, Meta(max_length=64)]  # the browser's secret, in URL-safe base64


class SetNotifications(Command, frozen=True, kw_only=True, tag="set_notifications"):
    """Choose the Web Push notifications that a browser gets while the player is away. Answered by ok.

    A browser has one subscription, which belongs to the player who set it last. It ends when its token is revoked, and
    when the browser has not asked get_notifications for it for 30 days as a guest, or 90 days with an account.
    """

    subscription: PushSubscription
    kinds: Annotated[tuple[NotificationKind, ...], Meta(max_length=8)] = ()  # empty: remove the subscription
    replaces: Endpoint | None = None  # the endpoint that the browser had before


class GetNotifications(Command, frozen=True, kw_only=True, tag="get_notifications"):
    """Ask for the key with which a browser subscribes, and the notifications that it gets.

    Answered by notifications.
    """

    endpoint: Endpoint | None = None  # of the browser's subscription, which is renewed


# ==================================================================== client to server: other players

ReportReason = Literal["cheating", "abuse", "stalling", "name", "other"]


class Block(Command, frozen=True, kw_only=True, tag="block"):
    """Block or unblock a player. Answered by ok.

    The two are not paired, cannot invite each other, accept each other's seeks or agree on a rematch, and the player
    who blocks does not get the other's chat. The blocked player is not told; commands that need the other's consent are
    refused with player_unavailable.
    """

    name: Name
    on: bool = True


class Mute(Command, frozen=True, kw_only=True, tag="mute"):
    """Mute or unmute a player: hide the player's chat, in every room and on every device. Answered by ok."""

    name: Name
    on: bool = True


class GetBlockList(Command, frozen=True, kw_only=True, tag="get_block_list"):
    """Ask for the players whom the player has blocked and muted. Answered by block_list."""


class Report(Command, frozen=True, kw_only=True, tag="report"):
    """Report a player to the operator. Answered by ok. A second report about the same game replaces the first.

    The player's recent chat is added: that in the room if the report names one, otherwise that in the tournaments that
    this connection follows.
    """

    name: Name
    reason: ReportReason
    text: Annotated[str, Meta(max_length=500)] = ""  # what happened, in one line
    room: RoomId | None = None  # the game that it is about


# ==================================================================== client to server: the lobby


class WatchLobby(Command, frozen=True, kw_only=True, tag="watch_lobby"):
    """Start or stop following the lobby. Answered by ok; lobby follows, and lobby_changed whenever it changes."""

    on: bool = True


class Seek(Command, frozen=True, kw_only=True, tag="seek"):
    """Create an open seek, which any player can accept. Answered by ok with the seek; paired follows on acceptance.

    The seek ends with this connection. After a reconnect, send the command again with the same id. The rating range
    applies to the accepting player's rating in this game.
    """

    terms: Terms
    seat: Literal["any", "first", "second"] = "any"
    ratings: tuple[Rating, Rating] | None = None  # the lowest and the highest rating of an opponent


class Cancel(Command, frozen=True, kw_only=True, tag="cancel"):
    """Withdraw a seek, a challenge or a place in the queue, or decline a challenge. Answered by ok."""

    seek: Name


class Accept(Command, frozen=True, kw_only=True, tag="accept"):
    """Accept a seek or a challenge. Answered by ok with the room; both players get paired."""

    seek: Name


class Queue(Command, frozen=True, kw_only=True, tag="queue"):
    """Wait for an opponent of similar strength who wants the same terms. Answered by ok with the seek; paired follows.

    The place in the queue ends with this connection. After a reconnect, send the command again with the same id.
    """

    terms: Terms


class Challenge(Command, frozen=True, kw_only=True, tag="challenge"):
    """Challenge a player by name, or anyone who has the code. Answered by ok with the seek, which is the code."""

    terms: Terms
    to: Name | None = None
    seat: Literal["any", "first", "second"] = "any"
    position: Annotated[str, Meta(max_length=4096)] | None = None


class Create(Command, frozen=True, kw_only=True, tag="create"):
    """Create a room in which the computer has one seat or both. Answered by ok with the room."""

    terms: Terms
    levels: tuple[str | None, str | None]  # by seat: a level of the computer, or None for the player
    position: Annotated[str, Meta(max_length=4096)] | None = None


# ==================================================================== client to server: rooms


class Join(Command, frozen=True, kw_only=True, tag="join"):
    """Enter a room, as a player if you have a seat in it, otherwise as a spectator. Answered by room."""

    room: RoomId


class Leave(Command, frozen=True, kw_only=True, tag="leave"):
    """Stop following a room. A player keeps the seat. Answered by ok."""

    room: RoomId


class Sync(Command, frozen=True, kw_only=True, tag="sync"):
    """Ask for the updates after a cursor, or for the whole room with epoch 0.

    Answered by ok or room. The missed updates arrive in order before the ok.
    """

    room: RoomId
    epoch: Count
    seq: Count


class Play(Command, frozen=True, kw_only=True, tag="play"):
    """Play a whole turn, given as text or as picks. If both are given, the text counts.

    Answered by ok with the epoch and the seq of the move once it is stored. Until an update with these, or a whole
    room, has arrived, do not play another turn in this room.
    """

    room: RoomId
    ply: Count  # how many moves have been played, as far as the client knows
    move: Annotated[str, Meta(max_length=128)] | None = None
    picks: Picks | None = None


class Explore(Command, frozen=True, kw_only=True, tag="explore"):
    """Ask for the picks that may follow some picks, where choices did not list them. Answered by choices."""

    room: RoomId
    ply: Count
    picks: Picks


class Describe(Command, frozen=True, kw_only=True, tag="describe"):
    """Ask for the last move in words or, with picks, for a turn that could be played now. Answered by described."""

    room: RoomId
    ply: Count  # how many moves have been played, as far as the client knows
    picks: Picks | None = None  # a whole turn


class ChooseFirst(Command, frozen=True, kw_only=True, tag="choose_first"):
    """Decide who moves first, in games in which the player who did not choose the board decides. Answered by ok."""

    room: RoomId
    go_first: bool


class Offer(Command, frozen=True, kw_only=True, tag="offer"):
    """Offer a draw, ask to take back the last turn, or offer a rematch. Answered by ok."""

    room: RoomId
    kind: Literal["draw", "takeback", "rematch"]


class AnswerOffer(Command, frozen=True, kw_only=True, tag="answer_offer"):
    """Accept or decline the opponent's offer, or withdraw the player's own. Answered by ok."""

    room: RoomId
    kind: Literal["draw", "takeback", "rematch"]
    accept: bool


class Resign(Command, frozen=True, kw_only=True, tag="resign"):
    """Resign the game. Answered by ok."""

    room: RoomId


class Abort(Command, frozen=True, kw_only=True, tag="abort"):
    """Abort the game before both players have moved. Answered by ok."""

    room: RoomId


class Claim(Command, frozen=True, kw_only=True, tag="claim"):
    """Claim the win after the opponent has been disconnected for long enough. Answered by ok."""

    room: RoomId


class Say(Command, frozen=True, kw_only=True, tag="say"):
    """Send a chat message to everyone in the room. Answered by ok.

    The players do not see what spectators say until the game is over.
    """

    room: RoomId
    text: Annotated[str, Meta(min_length=1, max_length=280)]


class Berserk(Command, frozen=True, kw_only=True, tag="berserk"):
    """Halve the player's own clock before the player's first move. Answered by ok.

    A win then brings an extra point. Only in the games of an arena that allows it.
    """

    room: RoomId


# ==================================================================== client to server: tournaments


TournamentStatus = Literal["open", "running", "finished", "cancelled"]


class ListTournaments(Command, frozen=True, kw_only=True, tag="list_tournaments"):
    """Ask for tournaments: open ones by their start, running ones and finished ones newest first.

    Answered by tournaments.
    """

    status: Literal["open", "running", "finished"]
    before: Annotated[str, Meta(max_length=64)] = ""  # the `more` of an earlier answer, to get those that follow


class FollowTournament(Command, frozen=True, kw_only=True, tag="follow_tournament"):
    """Start or stop following a tournament. Answered by tournament, or by ok if the client stops.

    tournament_changed follows whenever something changes, at most once a second, and your_tournament if the player
    takes part. It ends with the connection: after a reconnect, send the command again with a new id.
    """

    tournament: TournamentId
    on: bool = True


class GetStandings(Command, frozen=True, kw_only=True, tag="get_standings"):
    """Ask for a page of the standings of a tournament. Answered by standings."""

    tournament: TournamentId
    offset: Count = 0  # how many of the best players to skip


class GetRound(Command, frozen=True, kw_only=True, tag="get_round"):
    """Ask for the pairings of a round, or in an arena for all games, newest first. Answered by tournament_round."""

    tournament: TournamentId
    round: Count  # from 1; 0 in an arena
    offset: Count = 0  # how many pairings to skip


class GetTournamentLog(Command, frozen=True, kw_only=True, tag="get_tournament_log"):
    """Ask for the events of a tournament, some at a time. Answered by tournament_log."""

    tournament: TournamentId
    after: Count = 0  # how many events to skip


class CreateTournament(Command, frozen=True, kw_only=True, tag="create_tournament"):
    """Create a tournament, whose organiser the player is. Answered by ok with the tournament.

    The organiser does not take part automatically, except in a simul: there the organiser is the host.
    """

    settings: TournamentSettings
    code: Annotated[str, Meta(max_length=32)] = ""  # that players need to enter; empty: none is needed
    levels: Annotated[tuple[Name, ...], Meta(max_length=16)] = ()  # of the computer, which take part


class CancelTournament(Command, frozen=True, kw_only=True, tag="cancel_tournament"):
    """Cancel a tournament that the player has created and that has not begun. Answered by ok."""

    tournament: TournamentId


class JoinTournament(Command, frozen=True, kw_only=True, tag="join_tournament"):
    """Enter a tournament, or return to it after withdrawing. Answered by ok; paired follows for each game."""

    tournament: TournamentId
    code: Annotated[str, Meta(max_length=32)] = ""  # if the tournament needs one
    team: Name | None = None  # one of those in the settings; null: the tournament has none


class WithdrawTournament(Command, frozen=True, kw_only=True, tag="withdraw_tournament"):
    """Leave a tournament. Answered by ok. A running game goes on; the results remain."""

    tournament: TournamentId


class PauseTournament(Command, frozen=True, kw_only=True, tag="pause_tournament"):
    """Pause or resume being paired in an arena or a Swiss tournament. Answered by ok."""

    tournament: TournamentId
    on: bool = True


class SayTournament(Command, frozen=True, kw_only=True, tag="say_tournament"):
    """Send a chat message to all who follow a tournament. Answered by ok."""

    tournament: TournamentId
    text: Annotated[str, Meta(min_length=1, max_length=280)]


# ==================================================================== client to server: queries


class Assess(Command, frozen=True, kw_only=True, tag="assess"):
    """Ask the computer to assess a position of a game, as a hint or for a review. Answered by assessment.

    During a game only a player against a bot may ask, only about the current position, and not if the game is rated.
    """

    room: RoomId
    ply: Count  # how many moves led to the position


class Study(Command, frozen=True, kw_only=True, tag="study"):
    """Ask for a position on an analysis board, given by a first position and the moves from there.

    Answered by studied. The server keeps no state. If the picks complete a turn, the answer is the position after it.
    """

    terms: Terms
    position: Annotated[str, Meta(max_length=4096)] | None = None
    moves: Line = ()
    picks: Picks = ()


class AssessPosition(Command, frozen=True, kw_only=True, tag="assess_position"):
    """Ask the computer to assess a position like that of study. Answered by assessment, with an empty room.

    Refused to a player who has a running game of the same kind against another person.
    """

    terms: Terms
    position: Annotated[str, Meta(max_length=4096)] | None = None
    moves: Line = ()


class Variation(Struct, frozen=True):
    """A line that leaves the moves of a game."""

    ply: Count  # the number of moves of the game before it
    moves: Line  # from there


class GetAnalysis(Command, frozen=True, kw_only=True, tag="get_analysis"):
    """Ask for the stored analysis of a finished game: the computer's assessments and the players' variations.

    Answered by analysis.
    """

    room: RoomId


class SaveVariations(Command, frozen=True, kw_only=True, tag="save_variations"):
    """Store the player's own variations of a finished game, replacing earlier ones. Answered by ok.

    Only the players of the game can store any. They are visible to all who can see the game.
    """

    room: RoomId
    variations: Annotated[tuple[Variation, ...], Meta(max_length=64)]  # of at most 500 moves in all


class EditPosition(Command, frozen=True, kw_only=True, tag="edit_position"):
    """Change a position that is set up by hand.

    Answered by position_edited. The server keeps no state. Without a change the answer is the position itself. If there
    are several changes, they are made in the order of the fields.
    """

    terms: Terms
    position: Annotated[str, Meta(max_length=4096)] | None = None
    clear: bool = False
    item: Count | None = None
    places: Picks = ()
    number: Count | None = None
    value: Count = 0
    turn: Seat | None = None


class Preview(Command, frozen=True, kw_only=True, tag="preview"):
    """Ask for the board of a game with these terms, for forms and editors. Answered by previewed."""

    terms: Terms
    position: Annotated[str, Meta(max_length=4096)] | None = None


class GetRules(Command, frozen=True, kw_only=True, tag="get_rules"):
    """Ask for the rules of a game, as text for people. Answered by rules."""

    game: Name


class GetLesson(Command, frozen=True, kw_only=True, tag="get_lesson"):
    """Ask for the lesson of a game: puzzles on the real board. Answered by lesson."""

    game: Name


class ExploreLesson(Command, frozen=True, kw_only=True, tag="explore_lesson"):
    """Ask for the picks that may follow some picks in a step of a lesson. Answered by lesson_choices."""

    game: Name
    step: Name
    picks: Picks = ()


class TryMove(Command, frozen=True, kw_only=True, tag="try_move"):
    """Try a whole turn in a step of a lesson, as text or as picks. If both are given, the text counts.

    Answered by tried. The server keeps no state: every step can be tried at any time and as often as you like.
    """

    game: Name
    step: Name
    move: Annotated[str, Meta(max_length=128)] | None = None
    picks: Picks | None = None


class GetRecord(Command, frozen=True, kw_only=True, tag="get_record"):
    """Ask for the record of a game, running or finished. Answered by record."""

    room: RoomId


class ReadRecord(Command, frozen=True, kw_only=True, tag="read_record"):
    """Ask the server to verify and replay a saved record, in JSON or in text form. Answered by record."""

    text: Annotated[str, Meta(max_length=15_000)]


class ListGames(Command, frozen=True, kw_only=True, tag="list_games"):
    """Ask for finished games, newest first. A game must match all given filters. Answered by games."""

    player: Name | None = None
    opponent: Name | None = None  # only together with `player`
    result: Literal["won", "lost", "drawn"] | None = None  # for `player`, and only together with it
    game: Name | None = None
    since: Milliseconds | None = None  # the earliest end of a game
    until: Milliseconds | None = None  # the latest end of a game
    min_plies: Count = 0
    max_plies: Count | None = None
    before: str = ""  # the `more` of an earlier answer, to get the games that follow it


class GetProfile(Command, frozen=True, kw_only=True, tag="get_profile"):
    """Ask for a player's profile. Answered by profile."""

    name: Name


class GetLeaderboard(Command, frozen=True, kw_only=True, tag="get_leaderboard"):
    """Ask for the strongest players of a game. Answered by leaderboard."""

    game: Name
    offset: Count = 0  # how many of the strongest players to skip


class ListPlayers(Command, frozen=True, kw_only=True, tag="list_players"):
    """Ask who is online, in alphabetical order, some players at a time. Answered by players."""

    after: Annotated[str, Meta(max_length=128)] = ""  # the `more` of an earlier answer, to get those that follow


# ==================================================================== server to client: answers


class Ok(Message, frozen=True, kw_only=True, tag="ok"):
    """The command was executed and its effect is stored. Names what was created.

    For a change of a room it has the epoch and the seq of that change.
    """

    id: CommandId
    seq: Count | None = None
    room: RoomId | None = None
    seek: Name | None = None
    epoch: Count | None = None  # that of the seq; present if `seq` is
    tournament: TournamentId | None = None


class Refused(Message, frozen=True, kw_only=True, tag="refused"):
    """The command was not executed: a stable code, and a sentence for people. See “Commands and answers”."""

    code: str
    text: str
    id: CommandId | None = None
    room: RoomId | None = None  # that cannot be opened, after join, or after hello with this room
    retry_after: Milliseconds | None = None  # when a limit allows the same command again; null: no limit was reached


class Welcome(Message, frozen=True, kw_only=True, tag="welcome"):
    """The answer to hello."""

    you: Player
    token: str  # identifies the player; keep it secret, and send it with the next hello
    session: SessionId  # of this running client; send it with the next hello, but never store or share it
    time: Milliseconds  # of the server, since 1970
    games: tuple[GameCard, ...]
    max_message_size: Count  # in bytes, of messages to the server
    nodes: tuple[str, ...] = ()  # other addresses that serve the same rooms
    server: str = ""  # the program and its version


class SignedIn(Message, frozen=True, kw_only=True, tag="signed_in"):
    """The answer to register, sign_in, create_bot and create_token: a player and its token."""

    id: CommandId
    you: Player
    token: str  # keep it secret


class RecoveryCodes(Message, frozen=True, kw_only=True, tag="recovery_codes"):
    """The recovery codes of the account, for the player to keep outside of this device."""

    id: CommandId
    codes: tuple[str, ...] = ()  # only when they are created
    left: Count = 0  # how many can still be used


class Email(Message, frozen=True, kw_only=True, tag="email"):
    """The e-mail address of the account."""

    id: CommandId
    address: str = ""  # confirmed; empty if there is none
    offered: bool = False  # whether this server sends e-mails


class Pong(Message, frozen=True, tag="pong"):
    """The answer to ping, with the newest cursor of every room that the client has joined.

    If the client has an older one, updates were lost.
    """

    n: Count = 0
    rooms: tuple[Cursor, ...] = ()


class Closing(Message, frozen=True, kw_only=True, tag="closing"):
    """The server is about to close this connection. Acknowledged commands are stored; connect to another address."""

    code: int  # the close code that will follow
    text: str
    nodes: tuple[str, ...] = ()


class Announced(Message, frozen=True, kw_only=True, tag="announced"):
    """A message of the operator to all players, or a warning to this one. Show the text as it is, never as markup."""

    text: str  # for people
    kind: str = "announcement"  # or warning
    at: Milliseconds = 0  # when it was sent


class AccountData(Message, frozen=True, kw_only=True, tag="account_data"):
    """The answer to export_account: the stored data except secrets and finished games, which list_games has."""

    id: CommandId
    data: str  # a JSON object, for the player to read and keep


class Notifications(Message, frozen=True, kw_only=True, tag="notifications"):
    """The key of the server for push subscriptions, and what the browser is told."""

    id: CommandId
    key: str = ""  # in URL-safe base64, for `applicationServerKey`; empty: the server sends no push messages
    kinds: tuple[NotificationKind, ...] = ()  # of the subscription in the question


class BlockList(Message, frozen=True, kw_only=True, tag="block_list"):
    """The names of the players whom the player has blocked and muted, in alphabetical order."""

    id: CommandId
    blocked: tuple[str, ...] = ()  # players who are not paired with the player
    muted: tuple[str, ...] = ()  # players whose chat the player does not get


# ==================================================================== server to client: the lobby


class OpenSeek(Struct, frozen=True, omit_defaults=True):
    """A seek that any player can accept."""

    seek: str
    player: Player
    terms: Terms
    seat: str = "any"  # the one that its creator takes
    ratings: tuple[Rating, Rating] | None = None


class LiveGame(Struct, frozen=True, omit_defaults=True):
    """A game that can be watched."""

    room: str
    game: str
    players: tuple[Player, ...]
    clock: Clock = Clock()
    rated: bool = False
    spectators: int = 0
    ply: int = 0
    board: BoardSpec | None = None  # only when this game is listed for the first time
    scene: Scene | None = None


class Lobby(Message, frozen=True, kw_only=True, tag="lobby"):
    """The whole lobby: open seeks and live games. `n` counts its versions; lobby_changed continues from it."""

    n: Count
    seeks: tuple[OpenSeek, ...]
    live: tuple[LiveGame, ...]
    featured: str = ""  # the room of the game most worth watching
    online: Count = 0


class LobbyChanged(Message, frozen=True, kw_only=True, tag="lobby_changed"):
    """Changes of the lobby, several at a time. If `n` skips a number, send watch_lobby again."""

    n: Count
    seeks: tuple[OpenSeek, ...] = ()  # new
    seeks_removed: tuple[str, ...] = ()
    live: tuple[LiveGame, ...] = ()  # new or changed
    live_removed: tuple[str, ...] = ()
    featured: str | None = None  # None: not changed
    online: Count | None = None


class Challenged(Message, frozen=True, kw_only=True, tag="challenged"):
    """A challenge by another player. Accept it with accept or decline it with cancel; it expires after ten minutes."""

    seek: str
    player: Player
    terms: Terms


class ChallengeClosed(Message, frozen=True, kw_only=True, tag="challenge_closed"):
    """A challenge is closed: the challenged player declined it, or its creator withdrew it."""

    seek: str
    declined: bool = False  # True: sent to the creator; False: sent to the challenged player


class Paired(Message, frozen=True, kw_only=True, tag="paired"):
    """A game was created for the player: join its room. Sent again after every reconnect during the game."""

    room: RoomId
    seat: Seat
    seek: str | None = None  # the seek, challenge or place in the queue that led to it
    tournament: TournamentId | None = None  # that it is part of


class YourGame(Message, frozen=True, kw_only=True, tag="your_game"):
    """It is the player's turn in a game whose room the player is not in, or such a game has ended.

    Sent when the opponent has moved or the game has ended, and after `paired` on every reconnect if it is the player's
    turn. A client that has joined the room can ignore it.
    """

    room: RoomId
    game: str
    opponent: Player
    ply: Count
    to_move: Seat | None = None  # the player's own seat; None: the game is over


# ==================================================================== server to client: rooms


class Room(Message, frozen=True, kw_only=True, omit_defaults=False, tag="room"):
    """A whole room: the answer to join, and sent when the missed updates are no longer available.

    Clocks do not run before each player has played a move.
    """

    room: RoomId
    epoch: Count
    seq: Count
    hash: Count  # of the scene; see “The hash of a scene”
    board: BoardSpec
    scene: Scene
    terms: Terms
    players: tuple[SeatedPlayer, ...]
    status: str  # choosing (who moves first), playing or over
    moves: tuple[str, ...]  # as text
    id: CommandId | None = None  # of the join or sync that asked for it
    seat: Seat | None = None  # the player's own; None: a spectator
    clocks: tuple[TimeLeft, ...] = ()  # by seat; empty without a time limit
    offers: tuple[str, ...] = ()  # open offers, each as "seat:what": "0:draw"
    result: Result | None = None
    spectators: Count = 0
    next: RoomId | None = None  # the room of the rematch
    turn_elapsed: Milliseconds = 0  # how long the clock of the current turn has been running
    chooser: Seat | None = None  # while the status is choosing: the seat that decides who moves first
    unrated: str = ""  # why a rated game will not count: same_network or repeated_pairing; empty: no such reason
    tournament: TournamentId | None = None  # that the game is part of
    berserk: tuple[bool, ...] = ()  # by seat: whether the player has halved the clock; empty: it is not possible


class Moved(Struct, frozen=True, array_like=True, tag=0, gc=False):
    """A move was played. An array that begins with the number 0, followed by the fields in this order.

    Apply it only if its epoch is that of the replica and its seq is the next one, and compare the hash afterwards.
    """

    room: RoomId
    epoch: Count
    seq: Count
    hash: Count
    move: str
    clock: Milliseconds | TimeLeft | None  # what the seat that moved has left; a bare number where `count` is 0
    change: SceneDiff


# The kinds of events. A client that receives another one is older than the server.
ROOM_EVENTS = (
    "chose", "swapped", "started", "offered", "declined", "withdrawn", "taken_back", "disconnected",
    "reconnected", "ended", "rematch", "excused", "closed", "berserk",
)  # fmt: skip


class RoomEvent(Message, frozen=True, kw_only=True, tag="event"):
    """Any other event in the history of a game. Numbered and checked like moved."""

    room: RoomId
    epoch: Count
    seq: Count
    hash: Count
    kind: str  # see “Keeping a replica of a room”; apply an unknown kind like any other
    seat: Seat | None = None  # the seat that caused it
    offer: str | None = None  # offered, declined, withdrawn: draw, takeback or rematch
    status: str | None = None  # of the room; None: not changed
    players: tuple[SeatedPlayer, ...] | None = None  # by seat; None: not changed
    plies: Count | None = None  # taken_back: how many moves remain
    next: RoomId | None = None  # rematch: the room of the next game
    result: Result | None = None  # ended: how the game ended
    clocks: tuple[TimeLeft, ...] | None = None
    change: SceneDiff | None = None


class Choices(Message, frozen=True, kw_only=True, tag="choices"):
    """The picks that the seat to move may make. Also the answer to explore.

    Sent at the beginning of the turn, after a whole room and after a reconnect, unless hello declined it.
    """

    room: RoomId
    ply: Count
    step: Step
    prompts: tuple[str, ...]
    id: CommandId | None = None  # of the explore that asked for it
    picks: tuple[Count, ...] = ()  # in an answer to explore: the picks made so far


class Described(Message, frozen=True, kw_only=True, tag="described"):
    """The answer to describe."""

    id: CommandId
    room: RoomId
    ply: Count
    text: str  # “You play b4, turn 1 disc and take a star (+3).” to the player who moved, else with a name
    change: SceneDiff | None = None  # of a turn that could be played: from the room's scene to the scene after it


class Presence(Message, frozen=True, kw_only=True, tag="presence"):
    """Which players are connected. Not part of the history, so it has no seq; the newest one counts."""

    room: RoomId
    online: tuple[bool, ...]  # by seat
    spectators: Count = 0
    claim_in: Milliseconds | None = None  # until the connected player may claim the win
    abort_in: Milliseconds | None = None  # until the game is aborted unless the seat to move has made its first move


class Said(Message, frozen=True, kw_only=True, tag="said"):
    """A chat message. Show the text as it is, never as markup."""

    room: RoomId
    name: str
    text: str
    at: Milliseconds = 0
    seat: Seat | None = None


class Rated(Message, frozen=True, kw_only=True, tag="rated"):
    """A rated game was counted. Sent once, soon after its end, to everyone in the room."""

    room: RoomId
    ratings: tuple[int, ...]  # by seat, after the game; `room` has those before it


# ==================================================================== server to client: tournaments


class TournamentSummary(Struct, frozen=True, omit_defaults=True):
    """A tournament in a list."""

    tournament: TournamentId
    settings: TournamentSettings
    status: TournamentStatus
    players: Count  # how many take part
    start: Milliseconds = 0  # when it begins or has begun; 0: as soon as enough players have entered
    end: Milliseconds = 0  # when it ends or has ended; 0: not known yet
    organiser: str = ""  # empty: the server
    needs_code: bool = False
    winner: Player | None = None
    next: TournamentId | None = None  # the successor of a recurring one that is over


class RoundResult(Struct, frozen=True, omit_defaults=True):
    """A player's result in a round, or in a game of an arena."""

    result: Literal["playing", "won", "drawn", "lost", "bye", "absent"]
    points: Points = 0
    opponent: Count = 0  # the rank of the opponent; 0: none
    seat: Seat | None = None  # in the first game of the match
    forfeit: bool = False  # decided without being played
    double: bool = False  # in an arena: part of a series of wins, so it counts double
    berserk: bool = False  # in an arena: the player has halved the clock
    room: RoomId | None = None  # of the last game of the match


class StandingRow(Struct, frozen=True, omit_defaults=True):
    """A player's place in a tournament."""

    rank: Count  # from 1
    player: Player  # with the rating at the entry
    points: Points
    results: tuple[RoundResult, ...] = ()  # by round; in an arena the last five games, the newest last
    tie_breaks: tuple[Points, ...] = ()  # in the order of the tournament's `tie_breaks`
    games: Count = 0  # finished ones
    performance: int | None = None  # the rating that explains the results
    streak: Count = 0  # in an arena: how many games in a row the player has won
    state: Literal["active", "paused", "withdrawn", "eliminated"] = "active"
    room: RoomId | None = None  # of the running game
    team: str = ""


class TeamRow(Struct, frozen=True):
    """A team's place in a tournament."""

    rank: Count  # from 1
    team: str
    points: Points  # of all its players
    players: Count


class TournamentGame(Struct, frozen=True, omit_defaults=True):
    """A match of a round, or a game of an arena. Join its room to see the board."""

    number: Count  # of the pairing, from 1, throughout the tournament
    players: tuple[Player, Player]  # the one with the first seat in the first game, and the other
    ranks: tuple[Count, Count]
    room: RoomId | None = None  # of the current game, or of the last one; null: it was not played
    game: Count = 1  # which game of the match that is
    points: tuple[Points, Points] = (0, 0)  # of the finished games of the match
    over: bool = False  # whether the match is decided
    forfeit: bool = False  # whether that was without playing
    round: Count = 0  # 0 in an arena


class Tournaments(Message, frozen=True, kw_only=True, tag="tournaments"):
    """A list of tournaments."""

    id: CommandId
    rows: tuple[TournamentSummary, ...]
    more: str = ""  # pass it as `before` to get those that follow; empty: there are none


class Tournament(Message, frozen=True, kw_only=True, tag="tournament"):
    """A whole tournament, with one page of each list: the answer to follow_tournament.

    `n` counts the events of the tournament; tournament_changed continues from it.
    """

    id: CommandId | None = None  # null: sent because a change could not be delivered
    n: Count
    summary: TournamentSummary
    round: Count = 0  # the current one, from 1; 0: none, or an arena
    rounds: Count = 0  # how many there will be; 0: an arena, or not known yet
    next_round: Milliseconds | None = None  # when the next round begins; null: when this one is over, or not at all
    standings: tuple[StandingRow, ...] = ()  # the best; get_standings has the others
    games: tuple[TournamentGame, ...] = ()  # of the current round, best players first; in an arena the running ones
    byes: tuple[Player, ...] = ()  # of the current round
    teams: tuple[TeamRow, ...] = ()
    tie_breaks: tuple[str, ...] = ()  # the tie-breaks, in this order: “Buchholz”
    featured: RoomId | None = None  # the running game of the best players


class TournamentChanged(Message, frozen=True, kw_only=True, tag="tournament_changed"):
    """The parts of a tournament that have changed, each replacing the earlier one.

    Null: not changed. Ignore it if `n` is lower than the last one. A skipped number does not mean that a change was
    lost.
    """

    tournament: TournamentId
    n: Count
    summary: TournamentSummary | None = None
    round: Count | None = None
    rounds: Count | None = None
    next_round: Milliseconds | None = None  # always the current value, as in tournament
    standings: tuple[StandingRow, ...] | None = None
    games: tuple[TournamentGame, ...] | None = None
    byes: tuple[Player, ...] | None = None
    teams: tuple[TeamRow, ...] | None = None
    featured: RoomId | None = None  # always the current value, as in tournament


class YourTournament(Message, frozen=True, kw_only=True, tag="your_tournament"):
    """The player's own part in a tournament. Sent after follow_tournament and whenever it changes.

    `entered`: it has not begun. `waiting`: for an opponent, or for the next round. `playing`: join the room.
    """

    tournament: TournamentId
    state: Literal["entered", "waiting", "playing", "paused", "withdrawn", "eliminated", "finished"]
    row: StandingRow | None = None
    opponent: Player | None = None  # in the current or the next game
    room: RoomId | None = None  # of the current game
    seat: Seat | None = None  # in that game
    since: Milliseconds = 0  # when the state began


class Standings(Message, frozen=True, kw_only=True, tag="standings"):
    """A page of the standings of a tournament."""

    id: CommandId
    tournament: TournamentId
    n: Count  # how many events they follow from
    offset: Count
    rows: tuple[StandingRow, ...]
    total: Count  # how many players there are


class TournamentRound(Message, frozen=True, kw_only=True, tag="tournament_round"):
    """The pairings of a round, or games of an arena."""

    id: CommandId
    tournament: TournamentId
    round: Count
    offset: Count
    games: tuple[TournamentGame, ...]
    total: Count  # how many there are
    byes: tuple[Player, ...] = ()


class TournamentLog(Message, frozen=True, kw_only=True, tag="tournament_log"):
    """Some events of a tournament, from which all else follows. `parlour verify` checks them."""

    id: CommandId
    tournament: TournamentId
    events: tuple[str, ...]  # each a JSON object
    total: Count  # how many there are


class TournamentSaid(Message, frozen=True, kw_only=True, tag="tournament_said"):
    """A chat message in a tournament. Show the text as it is, never as markup."""

    tournament: TournamentId
    name: str
    text: str
    at: Milliseconds = 0


# ==================================================================== server to client: query results


class Assessment(Message, frozen=True, kw_only=True, tag="assessment"):
    """The computer's assessment of a position."""

    id: CommandId
    room: Annotated[str, Meta(max_length=24)]  # empty: the position of assess_position
    ply: Count
    seat: Seat  # the seat to move
    chance: Count  # of this seat to win, in thousandths; a draw counts half
    move: str  # the best move found
    picks: tuple[Count, ...]  # the same move
    line: tuple[str, ...] = ()  # the expected moves, the best one first
    score: int = 0  # for the seat to move, in the game's own units


class Studied(Message, frozen=True, kw_only=True, tag="studied"):
    """A position on an analysis board."""

    id: CommandId
    board: BoardSpec
    scene: Scene
    moves: tuple[str, ...]  # all moves that led here, as the game writes them
    position: str  # in the game's notation, for create, challenge and study
    text: str = ""  # the last move in words; empty before the first
    step: Step | None = None  # what may be picked after `picks`; None: the game is over
    prompts: tuple[str, ...] = ()
    picks: tuple[Count, ...] = ()  # the picks made so far; empty after a whole turn
    result: Result | None = None  # if the game is over


class PositionEdited(Message, frozen=True, kw_only=True, tag="position_edited"):
    """A position that is set up by hand, which may still be impossible."""

    id: CommandId
    board: BoardSpec
    scene: Scene
    position: str
    palette: tuple[PaletteItem, ...] = ()  # items for the board; empty: the game takes positions as text only
    numbers: tuple[PositionNumber, ...] = ()
    slots: tuple[Count, ...] = ()  # the places beside the board where items can be put
    refusal: str = ""  # why no game can begin here; empty if one can


class PositionAssessment(Struct, frozen=True, omit_defaults=True):
    """The computer's assessment of a position of a finished game."""

    ply: Count  # the number of moves before it
    seat: Seat  # the seat to move
    chance: Count  # of this seat to win, in thousandths; a draw counts half
    move: str  # the best move found
    picks: tuple[Count, ...]  # the same move
    line: tuple[str, ...] = ()  # the expected moves, the best one first


class Analysis(Message, frozen=True, kw_only=True, tag="analysis"):
    """The stored analysis of a finished game."""

    id: CommandId
    room: RoomId
    assessments: tuple[PositionAssessment, ...] = ()  # of the positions that have one, in the order of the game
    variations: tuple[tuple[Variation, ...], ...] = ()  # by seat
    seat: Seat | None = None  # of the player who asks; None: not one of the players


class Previewed(Message, frozen=True, kw_only=True, tag="previewed"):
    """The board of a game with the given terms."""

    id: CommandId
    board: BoardSpec
    scene: Scene


class RulesExample(Struct, frozen=True, omit_defaults=True):
    """A board in the rules, as data: clients draw it like any other."""

    name: str  # the target of the image link in the text
    board: BoardSpec
    scene: Scene
    picks: tuple[int | Pick, ...] = ()  # the picks to point out


class Rules(Message, frozen=True, kw_only=True, tag="rules"):
    """The rules of a game, in Markdown, with the boards that they show."""

    id: CommandId
    game: str
    text: str
    examples: tuple[RulesExample, ...] = ()


class LessonLook(Struct, frozen=True):
    """Something to point out on the board before the learner moves."""

    places: tuple[Count, ...]
    text: str


class LessonStep(Struct, frozen=True, omit_defaults=True):
    """One puzzle of a lesson."""

    key: str  # names the step in commands; keep the keys of solved steps as progress
    title: str
    teaches: str  # the point of the step in one sentence
    prompt: str  # what the learner is asked to do
    seat: Seat  # whom the learner plays
    scene: Scene
    hint: str  # in words; show it when asked, and the move on a second request
    hint_move: str  # one that solves the step
    hint_picks: tuple[Count, ...]  # the same move
    look: tuple[LessonLook, ...] = ()  # in this order
    continues: bool = False  # the step before leads here if its hint is played


class LessonReady(Struct, frozen=True):
    """The game against the computer that follows the last step, for create."""

    text: str
    button: str
    terms: Terms
    level: str
    seat: Seat  # of the learner


class Lesson(Message, frozen=True, kw_only=True, tag="lesson"):
    """The lesson of a game. Ask for the choices of a step with explore_lesson, and play its moves with try_move."""

    id: CommandId
    game: str
    title: str
    summary: str  # how to win, in one sentence
    minutes: Count
    board: BoardSpec
    steps: tuple[LessonStep, ...]
    ready: LessonReady


class LessonChoices(Message, frozen=True, kw_only=True, tag="lesson_choices"):
    """The picks that may be made in a step of a lesson, like choices."""

    id: CommandId
    step: Step
    prompts: tuple[str, ...]
    picks: tuple[Count, ...] = ()  # the picks made so far


class LessonReply(Struct, frozen=True):
    """The opponent's move after a step was solved."""

    move: str
    text: str
    change: SceneDiff  # from the scene after the learner's move


class Tried(Message, frozen=True, kw_only=True, tag="tried"):
    """The outcome of a move in a step of a lesson. If it did not solve the step, show it, and then the step again."""

    id: CommandId
    solved: bool
    move: str
    words: str  # the move in words: “You crown the man on h3.”
    text: str  # praise, or why the move was wrong
    change: SceneDiff  # from the scene of the step
    reply: LessonReply | None = None


class RecordedMove(Struct, frozen=True, array_like=True):
    """A move, how long the player thought about it, and how it changed the scene."""

    move: str
    duration: Milliseconds = 0
    change: SceneDiff | None = None


class Record(Message, frozen=True, kw_only=True, omit_defaults=False, tag="record"):
    """The record of a game, from its first move."""

    id: CommandId
    room: RoomId
    terms: Terms
    options: dict[str, OptionValue]  # all options, including the seed if there is one
    players: tuple[Player, ...]
    moves: tuple[RecordedMove, ...]
    rules_version: Count
    replayable: bool  # False: the server does not have the version of the rules, so there are no boards
    board: BoardSpec | None = None  # None if the record is not replayable
    initial_scene: Scene | None = None  # before the first move; None if the record is not replayable
    position: str | None = None  # where the game began, if not in the initial position
    result: Result | None = None
    started: Milliseconds = 0
    ended: Milliseconds = 0  # 0 during the game
    chain: str = ""  # a hash chain: a mark for each move, and the last link; empty during the game
    text: str = ""  # the record as text, for people and for read_record; empty during the game
    salts: tuple[str, ...] = ()  # by seat: what is hashed with the name for the chain; empty: the name is not hashed
    erased: tuple[str, ...] = ()  # by seat: that hash, if the player was deleted and the record has no name any more


class GameSummary(Struct, frozen=True, omit_defaults=True):
    """A finished game in a list."""

    room: str
    game: str
    players: tuple[Player, ...]  # with their ratings at the time
    result: Result
    plies: int
    ended: Milliseconds
    rated: bool = False
    clock: Clock = Clock()


class Games(Message, frozen=True, kw_only=True, tag="games"):
    """Finished games, newest first."""

    id: CommandId
    rows: tuple[GameSummary, ...]
    more: str = ""  # pass it as `before` to get the games that follow; empty: there are none


class GameRating(Struct, frozen=True, omit_defaults=True):
    """A player's rating and results in one game."""

    game: str
    rating: int
    deviation: int  # the true strength is most likely within twice this
    games: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    place: int | None = None  # on the leaderboard, from 1
    history: tuple[tuple[Milliseconds, int], ...] = ()  # times, each with the rating from then on; thinned out


class Profile(Message, frozen=True, kw_only=True, tag="profile"):
    """A player's public profile."""

    id: CommandId
    player: Player
    created: Milliseconds
    online: bool = False
    ratings: tuple[GameRating, ...] = ()
    owner: str | None = None  # of a bot
    bots: tuple[str, ...] = ()
    playing: tuple[str, ...] = ()  # rooms of running games, open to spectators
    blocked: bool = False  # by the player who asks
    muted: bool = False  # by the player who asks


class LeaderboardEntry(Struct, frozen=True, array_like=True):
    """An entry of a leaderboard."""

    player: Player
    games: int


class Leaderboard(Message, frozen=True, kw_only=True, tag="leaderboard"):
    """The strongest players of a game."""

    id: CommandId
    game: str
    offset: Count
    rows: tuple[LeaderboardEntry, ...]


class OnlinePlayer(Struct, frozen=True, omit_defaults=True):
    """A player who is online, with or without a game."""

    player: Player  # without a rating
    ratings: dict[str, int] = {}  # by game, without provisional ones
    playing: tuple[str, ...] = ()  # rooms of running games, open to spectators


class Players(Message, frozen=True, kw_only=True, tag="players"):
    """Players who are online, in alphabetical order. The list may lag behind by a second."""

    id: CommandId
    rows: tuple[OnlinePlayer, ...]
    more: str = ""  # pass it as `after` to get the players that follow; empty: there are none


# ==================================================================== the two unions

ClientMessage = (
    Hello | Ping
    | Register | SignIn | SignOut | ChangePassword
    | CreateRecoveryCodes | GetRecoveryCodes | RecoverAccount
    | GetEmail | SetEmail | ConfirmEmail | RequestRecovery | CreateBot | CreateToken | ExportAccount
    | SetNotifications | GetNotifications
    | Block | Mute | GetBlockList | Report
    | WatchLobby | Seek | Cancel | Accept | Queue | Challenge | Create
    | Join | Leave | Sync | Play | Explore | Describe | ChooseFirst | Offer | AnswerOffer | Resign | Abort | Claim | Say
    | Berserk
    | ListTournaments | FollowTournament | GetStandings | GetRound | GetTournamentLog
    | CreateTournament | CancelTournament | JoinTournament | WithdrawTournament | PauseTournament | SayTournament
    | Assess | Study | AssessPosition | EditPosition | GetAnalysis | SaveVariations
    | Preview | GetRules | GetLesson | ExploreLesson | TryMove
    | GetRecord | ReadRecord | ListGames | GetProfile | GetLeaderboard | ListPlayers
)  # fmt: skip

# Every message from a server except `Moved`, which is an array.
ServerMap = (
    Ok | Refused | Welcome | SignedIn | RecoveryCodes | Email | Pong | Closing | Announced
    | AccountData | Notifications | BlockList
    | Lobby | LobbyChanged | Challenged | ChallengeClosed | Paired | YourGame
    | Room | RoomEvent | Choices | Described | Presence | Said | Rated
    | Tournaments | Tournament | TournamentChanged | YourTournament
    | Standings | TournamentRound | TournamentLog | TournamentSaid
    | Assessment | Studied | PositionEdited | Analysis | Previewed | Rules | Lesson | LessonChoices | Tried
    | Record | Games | Profile | Leaderboard | Players
)  # fmt: skip
ServerMessage = ServerMap | Moved

# The commands of a running game. The player waits for their answers, so a client gives up on them sooner: see
# `timing.py`.
GAME_COMMANDS = (Play, ChooseFirst, Offer, AnswerOffer, Resign, Abort, Claim, Berserk)


def name_of(kind: type[Struct]) -> str:
    """Return the name of a message: its tag, or the name of its class if the tag is a number."""
    tag = kind.__struct_config__.tag
    return tag if isinstance(tag, str) else kind.__name__.lower()
