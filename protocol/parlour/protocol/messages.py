"""Every message of Parlour, in both directions, by section.

A message is a map with its name under `t`. One is an array instead, with the number 0 first: `moved`, which is sent for
every move to everybody at the table and is therefore as short as can be.

Everything a client asks for carries an `id`, a number that it has not used before on this server; it is answered by
exactly one message with that id: `ok`, `refused`, or the message named in the reference. The same command sent again
with the same id is answered again and never carried out twice.

Fields that one side does not know are ignored, so that both may grow. The docstrings here are the reference text.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from parlour.protocol.scene import BoardSpec, Scene, SceneDiff
from parlour.protocol.tables import (
    Chair,
    Clock,
    Count,
    GameCard,
    Milliseconds,
    Name,
    OptionValue,
    Pick,
    Player,
    Result,
    RoomId,
    Seat,
    Step,
    Terms,
    TimeLeft,
)  # fmt: skip

CommandId = Annotated[int, Meta(ge=0, lt=2**53)]
Picks = Annotated[tuple[Count, ...], Meta(max_length=32)]


class Message(Struct, frozen=True, omit_defaults=True, tag_field="t", gc=False):
    """Whatever is sent."""


class Command(Message, frozen=True, kw_only=True):
    """Whatever a client asks for and gets exactly one answer to."""

    id: CommandId


# ==================================================================== client to server: the connection


class Standing(Struct, frozen=True, array_like=True):
    """Up to where a client knows a room."""

    room: RoomId
    epoch: Count
    seq: Count


class Hello(Message, frozen=True, tag="hello"):
    """The first message on every connection.

    Without a token it makes a new guest. With the token of an earlier welcome the same player goes on: for every room
    listed the server sends what was missed, or the whole room, and the client then sends again every command that has
    not been answered. Answered by welcome, or by refused without an id.
    """

    client: Name = "unnamed"  # the program and its version
    token: Annotated[str, Meta(max_length=128)] | None = None
    rooms: Annotated[tuple[Standing, ...], Meta(max_length=64)] = ()
    name: Name | None = None  # a wish for a new guest's name
    choices: bool = True  # False: do not send choices with each turn; a program that knows the rules saves them


class Ping(Message, frozen=True, tag="ping"):
    """Are you there? Answered by pong with the same number. Also lets the server measure the way there and back."""

    n: Count = 0


# ==================================================================== client to server: who you are

Password = Annotated[str, Meta(max_length=256)]


class Register(Command, frozen=True, kw_only=True, tag="register"):
    """Keep a name: the guest you are becomes an account, with everything played so far.

    Answered by signed_in, with a token as good as the one you have.
    """

    name: Name
    password: Password


class SignIn(Command, frozen=True, kw_only=True, tag="sign_in"):
    """Become a player who has an account. Answered by signed_in.

    This connection stays who it was: open another one and say hello with the new token.
    """

    name: Name
    password: Password


class SignOut(Command, frozen=True, kw_only=True, tag="sign_out"):
    """Forget the token of this connection, or all tokens of the player. Answered by ok.

    Every connection that used a forgotten token is closed then. A guest who signs out is gone for good.
    """

    everywhere: bool = False


class ChangePassword(Command, frozen=True, kw_only=True, tag="change_password"):
    """Change the password of an account. Other devices have to sign in again. Answered by ok."""

    old: Password
    new: Password


class MakeBot(Command, frozen=True, kw_only=True, tag="make_bot"):
    """Make an account for a program of yours, labelled as a bot everywhere. Answered by signed_in with its token.

    The name of a bot that you have already gives a new token for it, and the old one ends. Only accounts have bots.
    """

    name: Name


# ==================================================================== client to server: the lobby


class WatchLobby(Command, frozen=True, kw_only=True, tag="watch_lobby"):
    """Begin or stop to follow open seeks and live games. Answered by ok; then lobby, and changes as they happen."""

    on: bool = True


class Seek(Command, frozen=True, kw_only=True, tag="seek"):
    """Put up a table that anybody can join. Answered by ok with the seek; paired follows when somebody accepts.

    It is gone with this connection. After a reconnect send the command again with the same id. The range of ratings is
    about the rating for this game, of whoever wants to accept.
    """

    terms: Terms
    seat: Literal["any", "first", "second"] = "any"
    ratings: tuple[int, int] | None = None  # only for players from … to …


class Cancel(Command, frozen=True, kw_only=True, tag="cancel"):
    """Withdraw an own seek, invitation or place in the queue, or decline an invitation. Answered by ok."""

    seek: Name


class Accept(Command, frozen=True, kw_only=True, tag="accept"):
    """Play the maker of a seek, or of an invitation. Answered by ok with the room; both get paired."""

    seek: Name


class Queue(Command, frozen=True, kw_only=True, tag="queue"):
    """Be paired with the next fitting player of about your strength. Answered by ok with the seek; paired follows.

    The place in the queue is gone with this connection. After a reconnect send the command again with the same id.
    """

    terms: Terms


class Challenge(Command, frozen=True, kw_only=True, tag="challenge"):
    """Invite one player by name, or whoever has the code. Answered by ok with the seek, which is the code."""

    terms: Terms
    to: Name | None = None
    seat: Literal["any", "first", "second"] = "any"
    position: Annotated[str, Meta(max_length=4096)] | None = None


class Create(Command, frozen=True, kw_only=True, tag="create"):
    """Open a table with the computer in one seat or in both. Answered by ok with the room."""

    terms: Terms
    levels: tuple[str | None, str | None]  # per seat: a level of the computer; None: you
    position: Annotated[str, Meta(max_length=4096)] | None = None


# ==================================================================== client to server: at the table


class Join(Command, frozen=True, kw_only=True, tag="join"):
    """Enter a room, to play if you have a seat in it and to watch otherwise. Answered by room."""

    room: RoomId


class Leave(Command, frozen=True, kw_only=True, tag="leave"):
    """Stop following a room. A player keeps the seat. Answered by ok."""

    room: RoomId


class Sync(Command, frozen=True, kw_only=True, tag="sync"):
    """Ask for everything after a known point: for a gap, or with epoch 0 for the whole room after a wrong hash.

    Answered by ok, before which the missed updates come in order, or room.
    """

    room: RoomId
    epoch: Count
    seq: Count


class Play(Command, frozen=True, kw_only=True, tag="play"):
    """Make a whole turn, as text or as picks; the text counts if there are both.

    Answered by ok with its seq once it cannot be lost any more.
    """

    room: RoomId
    ply: Count  # how many moves were made before, as the client knows it
    move: Annotated[str, Meta(max_length=128)] | None = None
    picks: Picks | None = None


class Explore(Command, frozen=True, kw_only=True, tag="explore"):
    """Ask what may be picked after some picks, where choices said more. Answered by choices."""

    room: RoomId
    ply: Count
    picks: Picks


class ChooseFirst(Command, frozen=True, kw_only=True, tag="choose_first"):
    """Say who moves first, where the rules give this choice to the one who did not choose the board. Answered by ok."""

    room: RoomId
    me: bool


class Offer(Command, frozen=True, kw_only=True, tag="offer"):
    """Offer a draw, ask for the last turn back, or offer another game. Answered by ok."""

    room: RoomId
    what: Literal["draw", "takeback", "rematch"]


class AnswerOffer(Command, frozen=True, kw_only=True, tag="answer"):
    """Accept or decline an offer, or withdraw the own one. Answered by ok."""

    room: RoomId
    what: Literal["draw", "takeback", "rematch"]
    yes: bool


class Resign(Command, frozen=True, kw_only=True, tag="resign"):
    """Give the game up. Answered by ok."""

    room: RoomId


class Abort(Command, frozen=True, kw_only=True, tag="abort"):
    """Call the game off before both sides have moved. Answered by ok."""

    room: RoomId


class Claim(Command, frozen=True, kw_only=True, tag="claim"):
    """Claim the win after the opponent has been away for long. Answered by ok."""

    room: RoomId


class Say(Command, frozen=True, kw_only=True, tag="say"):
    """Talk to everybody in the room. Answered by ok."""

    room: RoomId
    text: Annotated[str, Meta(min_length=1, max_length=280)]


# ==================================================================== client to server: looking things up


class Assess(Command, frozen=True, kw_only=True, tag="assess"):
    """Ask the computer what it thinks of a position of a game: a hint, or a review. Answered by assessment.

    While a game is on, only its players may ask, only about the position in front of them, and not if it is rated.
    """

    room: RoomId
    ply: Count  # how many moves were made before


class Preview(Command, frozen=True, kw_only=True, tag="preview"):
    """Ask what a table of these terms would look like: for forms and editors. Answered by previewed."""

    terms: Terms
    position: Annotated[str, Meta(max_length=4096)] | None = None


class AskRules(Command, frozen=True, kw_only=True, tag="ask_rules"):
    """Ask for the rules of a game, as text for people. Answered by rules."""

    game: Name


class AskRecord(Command, frozen=True, kw_only=True, tag="ask_record"):
    """Ask for the record of a game, running or finished. Answered by record."""

    room: RoomId


class ReadRecord(Command, frozen=True, kw_only=True, tag="read_record"):
    """Have a record read that was saved before, as JSON or as text: it is checked and replayed. Answered by record."""

    text: Annotated[str, Meta(max_length=15_000)]


class AskGames(Command, frozen=True, kw_only=True, tag="ask_games"):
    """Ask for finished games, newest first: of a player, against an opponent, of a game. Answered by games."""

    player: Name | None = None
    opponent: Name | None = None  # only together with a player
    game: Name | None = None
    before: str = ""  # the `more` of an earlier answer: go on from there


class AskPlayer(Command, frozen=True, kw_only=True, tag="ask_player"):
    """Ask about a player: ratings with their history, and more. Answered by profile."""

    name: Name


class AskLeaders(Command, frozen=True, kw_only=True, tag="ask_leaders"):
    """Ask for the strongest players of a game. Answered by leaders."""

    game: Name
    first: Count = 0


# ==================================================================== server to client: answers


class Ok(Message, frozen=True, kw_only=True, tag="ok"):
    """Done, and it will stay done. What the command made is named; a change in a room has the seq it got there."""

    id: CommandId
    seq: Count | None = None
    room: RoomId | None = None
    seek: Name | None = None


class Refused(Message, frozen=True, kw_only=True, tag="refused"):
    """Not done, and why: a stable code, and a sentence for people. Without id: what was sent could not be read."""

    code: str
    text: str
    id: CommandId | None = None


class Welcome(Message, frozen=True, kw_only=True, tag="welcome"):
    """The answer to hello."""

    you: Player
    token: str  # proves who you are; keep it secret, and give it with the next hello
    time: Milliseconds  # the server's, since 1970
    games: tuple[GameCard, ...]
    largest: Count  # bytes of the largest message the server accepts
    nodes: tuple[str, ...] = ()  # further addresses that serve the same rooms
    server: str = ""  # the program and its version


class SignedIn(Message, frozen=True, kw_only=True, tag="signed_in"):
    """The answer to register, sign_in and make_bot: who the token stands for."""

    id: CommandId
    you: Player
    token: str  # keep it secret


class Pong(Message, frozen=True, tag="pong"):
    """The answer to ping, with the newest seq of every room you follow: if you have less, something was lost."""

    n: Count = 0
    rooms: tuple[Standing, ...] = ()


class Closing(Message, frozen=True, kw_only=True, tag="closing"):
    """The server is about to close this connection. Everything acknowledged is safe; go on at another address."""

    code: int  # the close code that will follow
    text: str
    nodes: tuple[str, ...] = ()


# ==================================================================== server to client: the lobby


class OpenSeek(Struct, frozen=True, omit_defaults=True):
    """A table that waits for a second player."""

    seek: str
    player: Player
    terms: Terms
    seat: str = "any"  # which one its maker takes
    ratings: tuple[int, int] | None = None


class LiveGame(Struct, frozen=True, omit_defaults=True):
    """A game that can be watched."""

    room: str
    game: str
    players: tuple[Player, ...]
    clock: Clock = Clock()
    rated: bool = False
    watchers: int = 0
    ply: int = 0
    board: BoardSpec | None = None  # where this game is mentioned for the first time
    scene: Scene | None = None


class Lobby(Message, frozen=True, kw_only=True, tag="lobby"):
    """Everything open and everything live. `n` counts changes; lobby_changed goes on from it."""

    n: Count
    seeks: tuple[OpenSeek, ...]
    live: tuple[LiveGame, ...]
    featured: str = ""  # the room of the game most worth watching
    online: Count = 0


class LobbyChanged(Message, frozen=True, kw_only=True, tag="lobby_changed"):
    """What has changed in the lobby, several changes at a time. If `n` skips a number, ask again with watch_lobby."""

    n: Count
    seeks: tuple[OpenSeek, ...] = ()  # new
    seeks_gone: tuple[str, ...] = ()
    live: tuple[LiveGame, ...] = ()  # new or changed
    live_gone: tuple[str, ...] = ()
    featured: str | None = None  # where it has changed
    online: Count | None = None


class Challenged(Message, frozen=True, kw_only=True, tag="challenged"):
    """Somebody invites you. Take it with accept, decline it with cancel; after ten minutes it is gone."""

    seek: str
    player: Player
    terms: Terms


class InviteGone(Message, frozen=True, kw_only=True, tag="invite_gone"):
    """An invitation to one player is no more: the player who was invited declined, or else its maker withdrew it."""

    seek: str
    declined: bool = False  # this is told to its maker; otherwise to the one who was invited


class Paired(Message, frozen=True, kw_only=True, tag="paired"):
    """A game has been made for you: join the room. Comes again after a reconnect while the game is on."""

    room: RoomId
    seat: Seat
    seek: str | None = None  # the seek, invitation or queue that led here


# ==================================================================== server to client: at the table


class Room(Message, frozen=True, kw_only=True, omit_defaults=False, tag="room"):
    """A room as a whole: the answer to join, and what comes when the missed updates are not to be had any more.

    The clock of the seat to move runs once two moves have been made: the first move of each side is free.
    """

    room: RoomId
    epoch: Count
    seq: Count
    hash: Count  # of the scene; see “The hash of a scene”
    board: BoardSpec
    scene: Scene
    terms: Terms
    chairs: tuple[Chair, ...]
    status: str  # waiting, choosing (who moves first), playing or over
    moves: tuple[str, ...]  # so far, as text
    id: CommandId | None = None  # of the join or sync that asked for it
    seat: Seat | None = None  # yours; None: you watch
    clocks: tuple[TimeLeft, ...] = ()  # by seat; none without time limits
    offers: tuple[str, ...] = ()  # open offers, each as "seat:what": "0:draw"
    result: Result | None = None
    watchers: Count = 0
    next: RoomId | None = None  # the room of the rematch
    lasted: Milliseconds = 0  # how long the present turn has lasted while its clock was on
    chooser: Seat | None = None  # while the status is choosing: who says who moves first


class Moved(Struct, frozen=True, array_like=True, tag=0, gc=False):
    """A move was made. An array that begins with the number 0, then in this order.

    Apply it only if epoch is the one you have and seq is the next number; compare the hash of the scene afterwards.
    """

    room: RoomId
    epoch: Count
    seq: Count
    hash: Count
    move: str
    clock: Milliseconds | TimeLeft | None  # left to the seat that moved; a bare number where `count` would be 0
    change: SceneDiff


# What can have happened. A client that meets another one has an older list than the server.
HAPPENINGS = (
    "seated", "chose", "swapped", "started", "offered", "declined", "withdrawn", "taken_back", "gone", "back", "ended",
    "rematch", "excused",
)  # fmt: skip


class Happened(Message, frozen=True, kw_only=True, tag="happened"):
    """Anything else that belongs to the history of a game. Numbered, checked and repaired like moved."""

    room: RoomId
    epoch: Count
    seq: Count
    hash: Count
    what: str  # see “Staying in step with a room”; apply one that you do not know like any other
    seat: Seat | None = None  # who did it
    offer: str | None = None  # offered, declined, withdrawn: draw, takeback or rematch
    status: str | None = None  # of the room, where it has changed
    chairs: tuple[Chair, ...] | None = None  # who has which seat now, where that has changed
    plies: Count | None = None  # taken_back: how many moves are left
    next: RoomId | None = None  # rematch: the room of the next game
    result: Result | None = None  # ended: how
    clocks: tuple[TimeLeft, ...] | None = None
    change: SceneDiff | None = None


class Choices(Message, frozen=True, kw_only=True, tag="choices"):
    """What you may pick now. Comes to the seat to move with the turn, after a whole room, and after a resume.

    Not to a connection whose hello has declined it. Also the answer to explore.
    """

    room: RoomId
    ply: Count
    step: Step
    prompts: tuple[str, ...]
    id: CommandId | None = None  # of the explore that asked for it
    picks: tuple[Count, ...] = ()  # the picks already made, in an answer to explore


class Presence(Message, frozen=True, kw_only=True, tag="presence"):
    """Who is here. Not part of the history, so it has no number; the newest counts."""

    room: RoomId
    online: tuple[bool, ...]  # by seat
    watchers: Count = 0
    claim_in: Milliseconds | None = None  # until the one who is here may claim the win


class Said(Message, frozen=True, kw_only=True, tag="said"):
    """Somebody talks. The text is data: show it as it is, never as markup."""

    room: RoomId
    name: str
    text: str
    at: Milliseconds = 0
    seat: Seat | None = None


class Rated(Message, frozen=True, kw_only=True, tag="rated"):
    """A rated game was counted. Comes once, soon after the end, to whoever is in the room then."""

    room: RoomId
    ratings: tuple[int, ...]  # by seat, from now on; the room has those before


# ==================================================================== server to client: looked up


class Assessment(Message, frozen=True, kw_only=True, tag="assessment"):
    """What the computer thinks of a position."""

    id: CommandId
    room: RoomId
    ply: Count
    seat: Seat  # whose turn it is
    chance: Count  # that this seat wins, in thousandths; a draw counts half
    move: str  # the best one found
    picks: tuple[Count, ...]  # the same
    line: tuple[str, ...] = ()  # how it would go on, with the best move first
    score: int = 0  # in the game's own units, for the seat to move


class Previewed(Message, frozen=True, kw_only=True, tag="previewed"):
    """What a table would look like."""

    id: CommandId
    board: BoardSpec
    scene: Scene


class RulesExample(Struct, frozen=True, omit_defaults=True):
    """A picture in the rules, as data: clients draw it like any board."""

    name: str  # the target of the picture in the text
    board: BoardSpec
    scene: Scene
    picks: tuple[int | Pick, ...] = ()  # what may be picked, where a turn is being chosen


class Rules(Message, frozen=True, kw_only=True, tag="rules"):
    """The rules of a game, in Markdown, with the boards that they show."""

    id: CommandId
    game: str
    text: str
    examples: tuple[RulesExample, ...] = ()


class RecordedMove(Struct, frozen=True, array_like=True):
    """A move, the time it took, and what it changed in the scene."""

    move: str
    took: Milliseconds = 0
    change: SceneDiff | None = None


class Record(Message, frozen=True, kw_only=True, omit_defaults=False, tag="record"):
    """A game from its beginning."""

    id: CommandId
    room: RoomId
    terms: Terms
    options: dict[str, OptionValue]  # complete, with the seed where there is one
    players: tuple[Player | None, ...]
    moves: tuple[RecordedMove, ...]
    rules_version: Count
    board: BoardSpec
    first: Scene  # before the first move
    position: str | None = None  # where it began, if not at the game's own beginning
    result: Result | None = None
    started: Milliseconds = 0
    ended: Milliseconds = 0  # 0 while the game is on
    chain: str = ""  # hashes over everything before: a mark for each move, and the last link; empty while it is on
    text: str = ""  # the same record as text that people can read, and read_record too; empty while the game is on


class GameLine(Struct, frozen=True, omit_defaults=True):
    """A finished game in a list."""

    room: str
    game: str
    players: tuple[Player | None, ...]  # with the ratings they had
    result: Result
    plies: int
    ended: Milliseconds
    rated: bool = False
    clock: Clock = Clock()


class Games(Message, frozen=True, kw_only=True, tag="games"):
    """Finished games, newest first."""

    id: CommandId
    rows: tuple[GameLine, ...]
    more: str = ""  # give it as `before` to go on; empty: that was all


class Standings(Struct, frozen=True, omit_defaults=True):
    """A player in one game."""

    game: str
    rating: int
    deviation: int  # the rating is within twice this, most likely
    games: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    place: int | None = None  # on the leaderboard, from 1
    history: tuple[tuple[Milliseconds, int], ...] = ()  # when, and the rating from then on; thinned out


class Profile(Message, frozen=True, kw_only=True, tag="profile"):
    """A player, as everybody may see him."""

    id: CommandId
    player: Player
    since: Milliseconds
    online: bool = False
    ratings: tuple[Standings, ...] = ()
    owner: str | None = None  # of a bot
    bots: tuple[str, ...] = ()
    playing: tuple[str, ...] = ()  # rooms that anybody may watch


class Leader(Struct, frozen=True, array_like=True):
    """A line of a leaderboard."""

    player: Player
    games: int


class Leaders(Message, frozen=True, kw_only=True, tag="leaders"):
    """The strongest players of a game."""

    id: CommandId
    game: str
    first: Count
    rows: tuple[Leader, ...]


# ==================================================================== the two unions

ClientMessage = (
    Hello | Ping
    | Register | SignIn | SignOut | ChangePassword | MakeBot
    | WatchLobby | Seek | Cancel | Accept | Queue | Challenge | Create
    | Join | Leave | Sync | Play | Explore | ChooseFirst | Offer | AnswerOffer | Resign | Abort | Claim | Say
    | Assess | Preview | AskRules | AskRecord | ReadRecord | AskGames | AskPlayer | AskLeaders
)  # fmt: skip

# Every message of the server that is a map. `Moved` is the one that is an array.
ServerMap = (
    Ok | Refused | Welcome | SignedIn | Pong | Closing
    | Lobby | LobbyChanged | Challenged | InviteGone | Paired
    | Room | Happened | Choices | Presence | Said | Rated
    | Assessment | Previewed | Rules | Record | Games | Profile | Leaders
)  # fmt: skip
ServerMessage = ServerMap | Moved


def name_of(kind: type[Struct]) -> str:
    """The name of a message: its tag, or for the one whose tag is a number the name of its class."""
    tag = kind.__struct_config__.tag
    return tag if isinstance(tag, str) else kind.__name__.lower()
