"""A parlour from inside: one connection to a server, and everything that a player can do there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import TracebackType
from typing import Literal, Self

from parlour.client.address import socket_address
from parlour.client.connection import Connection, RefusedError, State
from parlour.client.lobby import Lobby
from parlour.client.records import Records
from parlour.client.stream import Listener, Stream
from parlour.client.table import Table
from parlour.client.waiting import Waiting
from parlour.protocol import messages
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import (
    Accept,
    AskLeaders,
    AskPlayer,
    AskRules,
    Cancel,
    Challenge,
    Challenged,
    ChangePassword,
    Choices,
    Create,
    Happened,
    InviteGone,
    Leaders,
    LobbyChanged,
    MakeBot,
    Moved,
    Ok,
    Paired,
    Presence,
    Preview,
    Previewed,
    Profile,
    Queue,
    Rated,
    Refused,
    Register,
    Room,
    Rules,
    Said,
    Seek,
    ServerMessage,
    SignedIn,
    SignIn,
    SignOut,
    Welcome,
)
from parlour.protocol.tables import GameCard, Player, Terms

SeatWish = Literal["any", "first", "second"]

# What comes unasked and is not about one table: a game was made for you, you are invited, an invitation is no more.
Summons = Paired | Challenged | InviteGone


def connect(
    addresses: str | Sequence[str],
    *,
    token: str | None = None,
    name: str | None = None,
    client: str = "parlour",
    within: float | None = 20.0,
    guest_if_unknown: bool = True,
) -> Parlour:
    """A parlour to enter with `async with`.

    `addresses`: of one server, or of several that serve the same rooms; of the socket or of the page.
    `token`: of an earlier visit or of a bot; without it you are a new guest, called `name` if that can be.
    `client`: your program and its version, for the people who run the server.
    `within`: so many seconds to be welcomed, after which `ConnectionError` is raised; None: for ever.
    `guest_if_unknown`: whether to be a new guest if nobody is known under the token; otherwise that is an error.
    """
    urls = [addresses] if isinstance(addresses, str) else list(addresses)
    connection = Connection(
        [socket_address(url) for url in urls],
        client=client,
        name=name,
        token=token,
        guest_if_unknown=guest_if_unknown,
    )
    return Parlour(connection, within)


class Parlour:
    """You, in a parlour. Everything here is asked of the server and raises `RefusedError` if it is refused.

    A connection that is cut comes back by itself, and whatever was asked for is done then. When it has ended for good,
    everything that waits fails with the reason.
    """

    def __init__(self, connection: Connection, within: float | None = None) -> None:
        self.connection = connection
        self.records = Records(connection)
        self.tables: dict[str, Table] = {}  # those at which you sit, or which you watch, by room
        self._within = within
        self._you: Player | None = None
        self._waiting: dict[str, Waiting] = {}  # by the name of the seek
        self._commands: dict[int, str] = {}  # the ids of the commands that made these -> the seek
        self._early: dict[str, str] = {}  # seek -> room, where paired came before the seek was known
        self._lobby: Lobby | None = None
        self._summons: Stream[Summons] = Stream()
        self._states: Stream[State] = Stream()
        self._running: dict[str, int] = {}
        self._pump: asyncio.Task[None] | None = None
        connection.on_state = self._state_changed

    async def __aenter__(self) -> Self:
        states = self.states()
        await self.connection.__aenter__()
        self._pump = asyncio.create_task(self._hear())
        try:
            async with asyncio.timeout(self._within):
                async for state in states:
                    if state == "connected":
                        break
        except TimeoutError:
            await self._close()
            where = " or ".join(self.connection.addresses)
            raise ConnectionError(f"There was no answer from {where} within {self._within:g} seconds.") from None
        except BaseException:
            await self._close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._close()

    async def _close(self) -> None:
        await self.connection.__aexit__(None, None, None)
        if self._pump is not None:
            self._pump.cancel()
            await asyncio.gather(self._pump, return_exceptions=True)

    # -- who and where you are

    @property
    def you(self) -> Player:
        assert self._you is not None, "enter the parlour first"
        return self._you

    @property
    def token(self) -> str:
        """Proves who you are: keep it secret, and give it to the next `connect`."""
        return self._welcome.token

    @property
    def games(self) -> tuple[GameCard, ...]:
        """What can be played here."""
        return self._welcome.games

    @property
    def server(self) -> str:
        """The program of the server and its version."""
        return self._welcome.server

    @property
    def state(self) -> State:
        """connecting, connected, reconnecting, or ended."""
        return self.connection.state

    def states(self) -> Listener[State]:
        """Each state of the connection, beginning with the present one; raises what it ended with."""
        return self._states.listen(self.connection.state)

    @property
    def running(self) -> dict[str, int]:
        """Games of yours that were on when they were last heard of: room -> your seat."""
        return dict(self._running)

    def summons(self) -> Listener[Summons]:
        """What comes unasked: games made for you, also those that go on since an earlier visit, and invitations."""
        return self._summons.listen(*(Paired(room=room, seat=seat) for room, seat in self._running.items()))

    @property
    def _welcome(self) -> Welcome:
        assert self.connection.welcome is not None, "enter the parlour first"
        return self.connection.welcome

    # -- accounts

    async def register(self, name: str, password: str) -> SignedIn:
        """Keep a name: the guest you are becomes an account, with everything played so far."""
        done = await self.connection.ask(Register(id=0, name=name, password=password), SignedIn)
        self._you = done.you
        return done

    async def sign_in(self, name: str, password: str) -> SignedIn:
        """A token for an account. You stay who you are here: `connect` with that token to be the other."""
        return await self.connection.ask(SignIn(id=0, name=name, password=password), SignedIn)

    async def sign_out(self, *, everywhere: bool = False) -> None:
        """Forget the token, here or on all devices. This connection ends; a guest is gone for good."""
        await self.connection.ask(SignOut(id=0, everywhere=everywhere), Ok)

    async def change_password(self, old: str, new: str) -> None:
        """Other devices have to sign in again."""
        await self.connection.ask(ChangePassword(id=0, old=old, new=new), Ok)

    async def make_bot(self, name: str) -> SignedIn:
        """An account for a program of yours, or a new token for one that you have."""
        return await self.connection.ask(MakeBot(id=0, name=name), SignedIn)

    # -- ways to a table

    async def quick_match(self, terms: Terms) -> Table:
        """Wait for the next fitting player, and sit down. Cancel the task to wait no longer."""
        waiting = await self.queue(terms)
        try:
            room = await waiting.room()
        except asyncio.CancelledError:
            # Not awaited: whoever cancels does not want to wait. If somebody was found just now, summons tells.
            self.connection.send(Cancel(id=0, seek=waiting.seek))
            self._forget(waiting)
            raise
        return await self.join(room)

    async def queue(self, terms: Terms) -> Waiting:
        """A place in the queue for the next fitting player."""
        return self._wait(await self.connection.ask(Queue(id=0, terms=terms), Ok))

    async def seek(self, terms: Terms, seat: SeatWish = "any", ratings: tuple[int, int] | None = None) -> Waiting:
        """Put up a table that anybody can join, or anybody with such a rating."""
        return self._wait(await self.connection.ask(Seek(id=0, terms=terms, seat=seat, ratings=ratings), Ok))

    async def challenge(
        self, terms: Terms, to: str | None = None, seat: SeatWish = "any", position: str | None = None
    ) -> Waiting:
        """Invite one player by name, or whoever gets the code, which is the `seek` of what is given back."""
        asked = Challenge(id=0, terms=terms, to=to, seat=seat, position=position)
        return self._wait(await self.connection.ask(asked, Ok))

    async def accept(self, seek: str) -> Table:
        """Sit down opposite the maker of a seek or of an invitation."""
        done = await self.connection.ask(Accept(id=0, seek=seek), Ok)
        return await self._sit_down(done)

    async def decline(self, seek: str) -> None:
        """Say no to an invitation."""
        await self.connection.ask(Cancel(id=0, seek=seek), Ok)

    async def play_computer(self, terms: Terms, level: str, seat: int = 0, position: str | None = None) -> Table:
        """Sit down opposite the computer. `seat` is yours; the levels are listed with the game."""
        levels = (None, level) if seat == 0 else (level, None)
        return await self._create(Create(id=0, terms=terms, levels=levels, position=position))

    async def watch_computers(self, terms: Terms, first: str, second: str, position: str | None = None) -> Table:
        """Watch the computer play itself, at two levels."""
        return await self._create(Create(id=0, terms=terms, levels=(first, second), position=position))

    async def join(self, room: str) -> Table:
        """Enter a room: sit down if you have a seat in it, and watch otherwise."""
        # Known before it is asked for, since what happens there may come together with the answer.
        table = self.tables.setdefault(room, Table(self.connection, room, self._leave))
        try:
            await table.joined()
        except (Refusal, ConnectionError):
            self._leave(table)
            raise
        if table.result is not None:
            self._running.pop(room, None)
        elif table.seat is not None:
            self._running[room] = table.seat
        return table

    def lobby(self) -> Lobby:
        """The lobby, to follow with `async with`: open seeks, live games. One at a time."""
        if self._lobby is not None and self._lobby.follows:
            raise RuntimeError("the lobby is followed already")
        self._lobby = Lobby(self.connection)
        return self._lobby

    # -- looking things up

    async def player(self, name: str) -> Profile:
        """A player: ratings with their history, and more."""
        return await self.connection.ask(AskPlayer(id=0, name=name), Profile)

    async def leaders(self, game: str, first: int = 0) -> Leaders:
        """The strongest players of a game."""
        return await self.connection.ask(AskLeaders(id=0, game=game, first=first), Leaders)

    async def rules(self, game: str) -> Rules:
        """The rules of a game, in Markdown, with the boards that they show."""
        return await self.connection.ask(AskRules(id=0, game=game), Rules)

    async def preview(self, terms: Terms, position: str | None = None) -> Previewed:
        """What a table of these terms would look like."""
        return await self.connection.ask(Preview(id=0, terms=terms, position=position), Previewed)

    # -- inside

    async def _create(self, command: Create) -> Table:
        return await self._sit_down(await self.connection.ask(command, Ok))

    async def _sit_down(self, done: Ok) -> Table:
        assert done.room is not None
        return await self.join(done.room)

    def _wait(self, done: Ok) -> Waiting:
        assert done.seek is not None
        waiting = Waiting(done.seek, self.join, self._withdraw)
        self._waiting[done.seek] = waiting
        self._commands[done.id] = done.seek
        if done.seek in self._early:
            self._paired(done.seek, self._early.pop(done.seek))
        return waiting

    async def _withdraw(self, waiting: Waiting) -> None:
        await self.connection.ask(Cancel(id=0, seek=waiting.seek), Ok)
        self._forget(waiting)
        waiting.lost(Refusal(ErrorCode.SEEK_GONE, "It was withdrawn."))

    def _forget(self, waiting: Waiting) -> None:
        self._waiting.pop(waiting.seek, None)
        self._commands = {id: seek for id, seek in self._commands.items() if seek != waiting.seek}

    def _paired(self, seek: str, room: str) -> None:
        waiting = self._waiting.get(seek)
        if waiting is not None:
            self._forget(waiting)
            waiting.paired(room)

    def _lose(self, seek: str, fault: Exception) -> None:
        waiting = self._waiting.get(seek)
        if waiting is not None:
            self._forget(waiting)
            waiting.lost(fault)

    def _leave(self, table: Table) -> None:
        if self.tables.get(table.room) is table:
            del self.tables[table.room]

    async def _hear(self) -> None:
        while True:
            self._take(await self.connection.news.get())

    def _take(self, message: ServerMessage) -> None:
        match message:
            case Room() | Moved() | Happened() | Choices() | Presence() | Said() | Rated():
                if isinstance(message, Happened) and message.result is not None:
                    self._running.pop(message.room, None)
                if message.room in self.tables:
                    self.tables[message.room].take(message)
            case messages.Lobby() | LobbyChanged():
                if self._lobby is not None:
                    self._lobby.take(message)
            case Paired():
                self._running[message.room] = message.seat
                if message.seek in self._waiting:
                    self._paired(message.seek, message.room)
                elif message.seek is not None:
                    self._early[message.seek] = message.room
                self._summons.put(message)
            case InviteGone():
                self._lose(message.seek, Refusal(ErrorCode.INVITE_UNKNOWN, "The invitation was declined."))
                self._summons.put(message)
            case Challenged():
                self._summons.put(message)
            case Welcome():
                self._running.clear()  # those that are on are told anew
            case Refused():
                self._refused(RefusedError(message), message.id)
            case _:
                pass

    def _refused(self, refused: RefusedError, id: int | None) -> None:
        """A place could not be taken again after a reconnect, or the server does not know us any more."""
        if id in self._commands:
            self._lose(self._commands[id], refused)
        elif id is None and refused.code == ErrorCode.TOKEN_UNKNOWN:
            self._running.clear()
            for seek in list(self._waiting):
                self._lose(seek, refused)
            for table in list(self.tables.values()):
                self._leave(table)
                table.end(refused)

    def _state_changed(self, state: State) -> None:
        if state == "connected":
            self._you = self._welcome.you
        if self._lobby is not None:
            self._lobby.state_changed(state)
        self._states.put(state)
        if state == "ended":
            self._ended(self.connection.fault or ConnectionError("The connection has ended."))

    def _ended(self, fault: Exception) -> None:
        for seek in list(self._waiting):
            self._lose(seek, fault)
        for table in self.tables.values():
            table.end(fault)
        self._states.end(fault)
        self._summons.end(fault)
