"""The client: one connection to a server, and everything that a player can do there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from parlour.client.address import socket_address
from parlour.client.connection import Connection, RefusedError, State
from parlour.client.event_stream import EventStream, Subscription
from parlour.client.lessons import Lessons
from parlour.client.lobby import Lobby
from parlour.client.moderation import Moderation
from parlour.client.pending_seek import PendingSeek, SeatPreference
from parlour.client.records import Records
from parlour.client.table import Table
from parlour.client.tournaments import TournamentDirectory
from parlour.protocol import messages
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import (
    Accept,
    Cancel,
    Challenge,
    ChallengeClosed,
    Challenged,
    Choices,
    Create,
    LobbyChanged,
    Moved,
    Ok,
    Paired,
    Presence,
    Queue,
    Rated,
    Refused,
    Room,
    RoomEvent,
    Said,
    Seek,
    ServerMessage,
    Welcome,
)
from parlour.protocol.types import GameCard, Player, Terms

Notification = Paired | Challenged | ChallengeClosed | messages.YourGame | messages.Announced
"""The messages that the server sends unasked, apart from tables: games, challenges, turns, and announcements."""


def connect(
    addresses: str | Sequence[str],
    *,
    token: str | None = None,
    name: str | None = None,
    program: str = "parlour",
    timeout: float | None = 20.0,
    wait: bool = False,
    on_problem: Callable[[str], None] = lambda _: None,
    guest_if_unknown: bool = True,
) -> Client:
    """Return a client to enter with `async with`.

    `addresses`: one server, or several nodes that serve the same rooms; the address of the web page or of the socket,
    or `host:port`.
    `token`: from an earlier session or of a bot. Without it you are a new guest, called `name`, with a number behind it
    if another player has that name. A name that the server does not allow is refused with `RefusedError`.
    `program`: your program and its version, for the operator of the server.
    `wait`: if no address can be reached, keep trying; otherwise raise `ConnectError` with the reason at once. Once
    connected, the client always reconnects.
    `timeout`: seconds to wait for a connection before `ConnectionError` is raised; None: no limit.
    `on_problem`: called whenever `Client.problem` changes: with a sentence, or with an empty text when it is over.
    `guest_if_unknown`: become a new guest if the server does not know the token; otherwise raise `RefusedError`.
    """
    urls = [addresses] if isinstance(addresses, str) else list(addresses)
    connection = Connection(
        [socket_address(url) for url in urls],
        client=program,
        name=name,
        token=token,
        guest_if_unknown=guest_if_unknown,
        wait=wait,
    )
    return Client(connection, timeout, on_problem)


class Client:
    """A player's session on a server. Every method raises `RefusedError` if the server refuses the request.

    The client reconnects by itself and then sends what was not answered. When the connection has ended for good,
    everything that waits raises the reason.
    """

    def __init__(
        self, connection: Connection, timeout: float | None = None, on_problem: Callable[[str], None] = lambda _: None
    ) -> None:
        self.connection = connection  # which reconnects, and sends again what was not answered
        self.lessons = Lessons(connection)  # teach the games
        self.moderation = Moderation(connection)  # block, mute and report other players
        self.records = Records(connection)  # finished games
        self.tournaments = TournamentDirectory(connection)  # find them, take part in them, organise them
        self.tables: dict[str, Table] = {}  # the joined ones, by room
        self._timeout = timeout
        self._on_problem = on_problem
        self._problem = ""  # the last one that was reported
        self._you: Player | None = None
        self._pending: dict[str, PendingSeek] = {}  # by seek
        self._commands: dict[int, str] = {}  # the id of the command that created a pending seek -> the seek
        self._early: dict[str, str] = {}  # seek -> room, where `Paired` came before the reply with the seek
        self._lobby: Lobby | None = None
        self._notifications: EventStream[Notification] = EventStream()
        self._states: EventStream[State] = EventStream()
        self._ongoing_games: dict[str, int] = {}
        self._receiver: asyncio.Task[None] | None = None
        connection.on_state = self._state_changed

    async def __aenter__(self) -> Self:
        states = self.states()
        await self.connection.__aenter__()
        self._receiver = asyncio.create_task(self._receive())
        try:
            async with asyncio.timeout(self._timeout):
                async for state in states:
                    if state == "connected":
                        break
        except TimeoutError:
            problem, where = self.problem, " or ".join(self.connection.addresses)
            await self._close()
            raise ConnectionError(problem or f"{where} did not answer within {self._timeout:g} seconds.") from None
        except BaseException:
            await self._close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._close()

    def __repr__(self) -> str:
        name = "not connected yet" if self._you is None else self._you.name
        tables = f", tables: {', '.join(self.tables)}" if self.tables else ""
        return f"<Client: {name}, {' or '.join(self.connection.addresses)}, {self.state}{tables}>"

    async def _close(self) -> None:
        await self.connection.__aexit__(None, None, None)
        if self._receiver is not None:
            self._receiver.cancel()
            await asyncio.gather(self._receiver, return_exceptions=True)

    # -- you and the server

    @property
    def you(self) -> Player:
        """The player that this client is."""
        assert self._you is not None, "enter the client first"
        return self._you

    @property
    def token(self) -> str:
        """Proves your identity: keep it secret, and pass it to the next `connect`."""
        return self._welcome.token

    @property
    def games(self) -> tuple[GameCard, ...]:
        """The games of this server."""
        return self._welcome.games

    @property
    def server(self) -> str:
        """The server software and its version."""
        return self._welcome.server

    @property
    def state(self) -> State:
        """connecting, connected, reconnecting or ended."""
        return self.connection.state

    @property
    def problem(self) -> str:
        """Why there is no connection now, or a message of the server about it; empty if there is no problem."""
        return self.connection.problem

    def states(self) -> Subscription[State]:
        """Iterate over the states of the connection, starting with the current one. Raises the error that ends it."""
        return self._states.subscribe(self.connection.state)

    @property
    def ongoing_games(self) -> dict[str, int]:
        """Your games that are not over, as far as the client knows: room -> your seat."""
        return dict(self._ongoing_games)

    def notifications(self) -> Subscription[Notification]:
        """Iterate over challenges, new games, and games that wait for you. Starts with all ongoing games."""
        return self._notifications.subscribe(
            *(Paired(room=room, seat=seat) for room, seat in self._ongoing_games.items())
        )

    @property
    def _welcome(self) -> Welcome:
        assert self.connection.welcome is not None, "enter the client first"
        return self.connection.welcome

    # -- accounts

    async def register(self, name: str, password: str) -> messages.SignedIn:
        """Turn the guest into an account, which keeps the games played so far."""
        signed_in = await self.connection.ask(messages.Register(id=0, name=name, password=password), messages.SignedIn)
        self._you = signed_in.you
        return signed_in

    async def sign_in(self, name: str, password: str) -> messages.SignedIn:
        """Return a token for an account. This client stays as it is: `connect` with that token to use the account."""
        return await self.connection.ask(messages.SignIn(id=0, name=name, password=password), messages.SignedIn)

    async def sign_out(self, *, everywhere: bool = False) -> None:
        """Invalidate the token, or all tokens of the account. This ends the connection. A guest cannot come back."""
        await self.connection.ask(messages.SignOut(id=0, everywhere=everywhere), Ok)

    async def change_password(self, old: str, new: str) -> None:
        """Change the password. Other devices have to sign in again."""
        await self.connection.ask(messages.ChangePassword(id=0, old=old, new=new), Ok)

    async def create_bot(self, name: str) -> messages.SignedIn:
        """Create a bot account that belongs to you, or a new token for one that you have."""
        return await self.connection.ask(messages.CreateBot(id=0, name=name), messages.SignedIn)

    # -- finding a game

    async def quick_match(self, terms: Terms) -> Table:
        """Queue for an opponent, wait, and join the game. Cancel the task to stop waiting."""
        pending = await self.queue(terms)
        try:
            room = await pending.room()
        except asyncio.CancelledError:
            # Not awaited: the caller wants to stop now. If an opponent was found meanwhile, `notifications` says so.
            self.connection.send(Cancel(id=0, seek=pending.seek))
            self._remove_pending(pending)
            raise
        return await self.join(room)

    async def queue(self, terms: Terms) -> PendingSeek:
        """Take a place in the matchmaking queue."""
        return self._add_pending(await self.connection.ask(Queue(id=0, terms=terms), Ok))

    async def seek(
        self, terms: Terms, seat: SeatPreference = "any", ratings: tuple[int, int] | None = None
    ) -> PendingSeek:
        """Open a seek in the lobby, for any player or for players within a range of ratings."""
        return self._add_pending(await self.connection.ask(Seek(id=0, terms=terms, seat=seat, ratings=ratings), Ok))

    async def challenge(
        self, terms: Terms, to: str | None = None, seat: SeatPreference = "any", position: str | None = None
    ) -> PendingSeek:
        """Challenge a player by name; without a name, any player who has the returned `seek` as a code can accept."""
        asked = Challenge(id=0, terms=terms, to=to, seat=seat, position=position)
        return self._add_pending(await self.connection.ask(asked, Ok))

    async def accept(self, seek: str) -> Table:
        """Accept a seek or a challenge, and join the game."""
        return await self._join_new(Accept(id=0, seek=seek))

    async def decline(self, seek: str) -> None:
        """Decline a challenge."""
        await self.connection.ask(Cancel(id=0, seek=seek), Ok)

    async def play_computer(self, terms: Terms, level: str, seat: int = 0, position: str | None = None) -> Table:
        """Start a game against the computer. `seat` is yours; `games` lists the levels."""
        levels = (None, level) if seat == 0 else (level, None)
        return await self._join_new(Create(id=0, terms=terms, levels=levels, position=position))

    async def watch_computers(self, terms: Terms, first: str, second: str, position: str | None = None) -> Table:
        """Start a game of the computer against itself, and watch it."""
        return await self._join_new(Create(id=0, terms=terms, levels=(first, second), position=position))

    async def join(self, room: str) -> Table:
        """Join a room: as a player if you have a seat in it, as a spectator otherwise."""
        # Registered before the request, because events may arrive together with the reply.
        table = self.tables.setdefault(room, Table(self.connection, room, self._remove_table))
        try:
            await table.ensure_joined()
        except (Refusal, ConnectionError):
            self._remove_table(table)
            raise
        if table.result is not None:
            self._ongoing_games.pop(room, None)
        elif table.seat is not None:
            self._ongoing_games[room] = table.seat
        return table

    async def join_tournament(self, tournament: str, *, code: str = "", team: str | None = None) -> None:
        """Enter a tournament. Its games are among the notifications; `tournaments` has everything else."""
        await self.tournaments.join(tournament, code=code, team=team)

    def lobby(self) -> Lobby:
        """Return the lobby, to follow with `async with`. Only one can be open at a time."""
        if self._lobby is not None and self._lobby.is_open:
            raise RuntimeError("the lobby is already open")
        self._lobby = Lobby(self.connection)
        return self._lobby

    # -- lookups

    async def profile(self, name: str) -> messages.Profile:
        """Return a player's profile: ratings with their history, and more."""
        return await self.connection.ask(messages.GetProfile(id=0, name=name), messages.Profile)

    async def leaderboard(self, game: str, offset: int = 0) -> messages.Leaderboard:
        """Return the strongest players of a game, skipping the first `offset`."""
        return await self.connection.ask(messages.GetLeaderboard(id=0, game=game, offset=offset), messages.Leaderboard)

    async def online_players(self, after: str = "") -> messages.Players:
        """Return some of the players who are online, in alphabetical order.

        `after` is the `more` of an earlier answer, to get the players that follow.
        """
        return await self.connection.ask(messages.ListPlayers(id=0, after=after), messages.Players)

    async def rules(self, game: str) -> messages.Rules:
        """Return the rules of a game, in Markdown, with the boards of their diagrams."""
        return await self.connection.ask(messages.GetRules(id=0, game=game), messages.Rules)

    async def preview(self, terms: Terms, position: str | None = None) -> messages.Previewed:
        """Return the first position of a game with these terms."""
        return await self.connection.ask(messages.Preview(id=0, terms=terms, position=position), messages.Previewed)

    # -- pending seeks and tables

    async def _join_new(self, command: Accept | Create) -> Table:
        ok = await self.connection.ask(command, Ok)
        assert ok.room is not None
        return await self.join(ok.room)

    def _add_pending(self, ok: Ok) -> PendingSeek:
        assert ok.seek is not None
        pending = PendingSeek(ok.seek, self.join, self._cancel)
        self._pending[ok.seek] = pending
        self._commands[ok.id] = ok.seek
        if ok.seek in self._early:
            self._resolve(ok.seek, self._early.pop(ok.seek))
        return pending

    async def _cancel(self, pending: PendingSeek) -> None:
        await self.connection.ask(Cancel(id=0, seek=pending.seek), Ok)
        self._remove_pending(pending)
        pending.fail(Refusal(ErrorCode.SEEK_GONE, "The seek was cancelled."))

    def _remove_pending(self, pending: PendingSeek) -> None:
        self._pending.pop(pending.seek, None)
        self._commands = {id: seek for id, seek in self._commands.items() if seek != pending.seek}

    def _resolve(self, seek: str, room: str) -> None:
        if (pending := self._pending.get(seek)) is not None:
            self._remove_pending(pending)
            pending.resolve(room)

    def _fail(self, seek: str, error: Exception) -> None:
        if (pending := self._pending.get(seek)) is not None:
            self._remove_pending(pending)
            pending.fail(error)

    def _remove_table(self, table: Table) -> None:
        if self.tables.get(table.room) is table:
            del self.tables[table.room]

    # -- messages

    async def _receive(self) -> None:
        while True:
            self._handle(await self.connection.news.get())

    def _handle(self, message: ServerMessage) -> None:
        match message:
            case Room() | Moved() | RoomEvent() | Choices() | Presence() | Said() | Rated():
                if isinstance(message, RoomEvent) and message.result is not None:
                    self._ongoing_games.pop(message.room, None)
                if message.room in self.tables:
                    self.tables[message.room].handle(message)
            case messages.Lobby() | LobbyChanged():
                if self._lobby is not None:
                    self._lobby.handle(message)
            case (
                messages.Tournament()
                | messages.TournamentChanged()
                | messages.YourTournament()
                | messages.TournamentSaid()
            ):
                self.tournaments.handle(message)
            case Paired():
                self._ongoing_games[message.room] = message.seat
                if message.seek in self._pending:
                    self._resolve(message.seek, message.room)
                elif message.seek is not None:
                    self._early[message.seek] = message.room
            case ChallengeClosed():
                self._fail(message.seek, Refusal(ErrorCode.INVITE_UNKNOWN, "The challenge was declined."))
            case messages.YourGame(to_move=None):
                self._ongoing_games.pop(message.room, None)
            case Welcome():
                self._ongoing_games.clear()  # the server announces the ongoing ones again
            case Refused():
                self._handle_refusal(RefusedError(message), message.id, message.room)
        if isinstance(message, Notification):
            self._notifications.publish(message)

    def _handle_refusal(self, refused: RefusedError, id: int | None, room: str | None) -> None:
        """A seek or a table could not be continued after a reconnect, or the server no longer knows the token."""
        if id in self._commands:
            self._fail(self._commands[id], refused)
        elif room in self.tables:
            table = self.tables[room]
            self._remove_table(table)
            table.end(refused)
        elif id is None and refused.code == ErrorCode.TOKEN_UNKNOWN:
            self._ongoing_games.clear()
            for seek in list(self._pending):
                self._fail(seek, refused)
            for table in list(self.tables.values()):
                self._remove_table(table)
                table.end(refused)

    def _state_changed(self, state: State) -> None:
        if state == "connected":
            self._you = self._welcome.you
        if state != "ended" and self._problem != self.problem:
            self._problem = self.problem
            self._on_problem(self.problem)
        if self._lobby is not None:
            self._lobby.state_changed(state)
        self.tournaments.state_changed(state)
        self._states.publish(state)
        if state == "ended":
            self._end(self.connection.fault or ConnectionError("The connection has ended."))

    def _end(self, error: Exception) -> None:
        for seek in list(self._pending):
            self._fail(seek, error)
        for table in self.tables.values():
            table.end(error)
        self._states.end(error)
        self._notifications.end(error)
