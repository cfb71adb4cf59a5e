"""Simulated guests: their operations on a server, one after the other."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random
from time import perf_counter
from typing import Any

from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from parlour import games
from parlour.protocol.codec import MSGPACK
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import (
    Accept,
    Challenge,
    Choices,
    Command,
    Create,
    Explore,
    GetLeaderboard,
    GetProfile,
    GetRules,
    Hello,
    Join,
    Leave,
    ListGames,
    ListPlayers,
    Offer,
    Ping,
    Play,
    Pong,
    Preview,
    Refused,
    Resign,
    RoomEvent,
    Say,
    Seek,
    WatchLobby,
    Welcome,
)  # fmt: skip
from parlour.protocol.types import Clock, Step, Terms

WITHIN = 120.0  # seconds for any answer; the machine may be busy
GAMES = 3  # of two guests, at most
MOVES = 40  # of a game, at most
PATIENCE = 10.0  # seconds for a move of the opponent, who may have been disconnected
CLOCK = Clock("fischer", 30_000, 0)  # so that games that both players leave are over soon


class Guest:
    """A connected guest. Every answered command is an operation."""

    def __init__(self, socket: ClientConnection, rng: Random) -> None:
        self.operations = 1  # hello
        self.name = ""
        self.turn: Choices | None = None
        self._room = ""  # the one joined last
        self._is_over = False  # the game in it
        self._news = asyncio.Event()  # something has changed there; shared with the opponent
        self._socket = socket
        self._rng = rng
        self._id = 0
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._welcome: asyncio.Future[Welcome] = asyncio.get_running_loop().create_future()
        self._pong = asyncio.Event()
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def arrive(cls, url: str, rng: Random, address: str = "127.0.0.1") -> Guest:
        """Connect from an address and say hello. Raise Refusal if the server does not want the guest."""
        subprotocols = [Subprotocol(MSGPACK.subprotocol)]
        socket = await connect(
            url, subprotocols=subprotocols, compression=None, max_size=None, ping_interval=None, open_timeout=WITHIN,
            local_addr=(address, 0),
        )  # fmt: skip
        guest = cls(socket, rng)
        try:
            await socket.send(MSGPACK.encode(Hello("guest")))
            async with asyncio.timeout(WITHIN):
                guest.name = (await guest._welcome).you.name
        except BaseException:
            await guest.leave()
            raise
        return guest

    async def ping(self) -> float:
        """Return how long the server takes to answer a ping, in seconds."""
        began = perf_counter()
        self._pong.clear()
        await self._socket.send(MSGPACK.encode(Ping(1)))
        async with asyncio.timeout(WITHIN):
            await self._pong.wait()
        return perf_counter() - began

    async def leave(self) -> None:
        """Disconnect."""
        await self._socket.close()
        await self._reader

    async def ask(self, command: Command) -> Any:
        """Send a command and return the answer."""
        self._id += 1
        answer = self._answers[self._id] = asyncio.get_running_loop().create_future()
        await self._socket.send(MSGPACK.encode(replace(command, id=self._id)))
        async with asyncio.timeout(WITHIN):
            found = await answer
        self.operations += 1
        return found

    # -- what guests do

    async def look_around(self) -> None:
        """Read this and that, and try what is not possible."""
        game = self._rng.choice(games.keys())
        await self.ask(WatchLobby(id=0))
        for command in (
            GetRules(id=0, game=game), ListPlayers(id=0), Preview(id=0, terms=Terms(game)),
            GetLeaderboard(id=0, game=game), GetProfile(id=0, name=self.name), ListGames(id=0),
            Join(id=0, room="zzzzzzzz"), Accept(id=0, seek="gone"), GetProfile(id=0, name="Not A Player"),
        ):  # fmt: skip
            if self._rng.random() < 0.3:
                await self.ask(command)
        await self.ask(WatchLobby(id=0, on=False))

    async def watch(self, room: str) -> None:
        """Watch a game for a moment, and try to play in it."""
        await self.join(room)
        await self.ask(Say(id=0, room=room, text="Good luck, both!"))
        await self.ask(Play(id=0, room=room, ply=0, picks=(0,)))
        await self.ask(Leave(id=0, room=room))

    async def join(self, room: str) -> None:
        """Enter a room."""
        self._room, self._is_over, self.turn = room, False, None
        await self.ask(Join(id=0, room=room))

    async def meet(self, other: Guest) -> str:
        """Start a game with another guest; return the room."""
        terms = Terms(self._rng.choice(games.keys()), {}, CLOCK)
        wish = Challenge(id=0, terms=terms, to=other.name) if self._rng.random() < 0.3 else Seek(id=0, terms=terms)
        seek = (await self.ask(wish)).seek
        room: str = (await other.ask(Accept(id=0, seek=seek))).room
        self._news = other._news = asyncio.Event()
        for each in (self, other):
            await each.join(room)
        return room

    async def play_computer(self) -> None:
        """Play a few moves against the computer, and resign."""
        terms = Terms(self._rng.choice(games.keys()))
        room = (await self.ask(Create(id=0, terms=terms, levels=(None, "1")))).room
        self._news = asyncio.Event()
        await self.join(room)
        for _ in range(2):
            if await self.next_turn(self) is self:
                await self.play()
        await self.ask(Resign(id=0, room=room))
        await self.ask(Leave(id=0, room=room))

    async def play_out(self, other: Guest, room: str) -> None:
        """Play some moves with another guest, and end the game in one of several ways."""
        for _ in range(self._rng.randint(2, MOVES)):
            mover = await self.next_turn(self, other)
            if mover is None:
                break
            await mover.play()
        await self.ask(Say(id=0, room=room, text="Well played."))
        await other.ask(Offer(id=0, room=room, kind="draw"))
        if self._rng.random() < 0.8:
            await self.ask(Resign(id=0, room=room))
        if self._rng.random() < 0.5:
            for each in (self, other):
                await each.ask(Leave(id=0, room=room))

    @staticmethod
    async def next_turn(*players: Guest) -> Guest | None:
        """Wait until it is the turn of one of these guests; None if their game is over or goes on without them."""
        news = players[0]._news
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while not any(player._is_over for player in players):
                    for player in players:
                        if player.turn is not None:
                            return player
                    news.clear()
                    await news.wait()
        return None

    async def play(self) -> None:
        """Play any legal turn."""
        assert self.turn is not None
        turn, self.turn = self.turn, None
        step: Step | None = turn.step
        picks: list[int] = []
        while step is not None and step.picks:
            pick = self._rng.choice(step.picks)
            if isinstance(pick, int):
                picks.append(pick)
                break
            picks.append(pick.place)
            step = pick.then
            if pick.more:
                found = await self.ask(Explore(id=0, room=turn.room, ply=turn.ply, picks=tuple(picks)))
                step = found.step if isinstance(found, Choices) else None
        await self.ask(Play(id=0, room=turn.room, ply=turn.ply, picks=tuple(picks)))

    async def _read(self) -> None:
        with suppress(ConnectionClosed):
            async for frame in self._socket:
                message = MSGPACK.decode_server(frame)
                answer = self._answers.pop(getattr(message, "id", None) or 0, None)
                if answer is not None and not answer.done():
                    answer.set_result(message)
                elif isinstance(message, Welcome):
                    self._welcome.set_result(message)
                elif isinstance(message, Refused) and message.id is None and not self._welcome.done():
                    self._welcome.set_exception(Refusal(ErrorCode.named(message.code), message.text))
                elif isinstance(message, Pong):
                    self._pong.set()
                elif isinstance(message, Choices) and message.room == self._room:
                    self.turn = message
                    self._news.set()
                elif isinstance(message, RoomEvent) and message.room == self._room and message.kind == "ended":
                    self._is_over = True
                    self._news.set()
        for answer in (self._welcome, *self._answers.values()):
            if not answer.done():
                answer.set_exception(ConnectionError("the server closed the connection"))
                answer.exception()  # whether or not a guest still waits for it


async def visit(url: str, rng: Random) -> int:
    """Let three guests arrive, two of them play each other while the third watches, and leave.

    Return the number of operations.
    """
    arrivals = await asyncio.gather(*(Guest.arrive(url, rng) for _ in range(3)), return_exceptions=True)
    guests = [arrival for arrival in arrivals if isinstance(arrival, Guest)]
    try:
        for arrival in arrivals:
            if not isinstance(arrival, Guest):
                raise arrival
        first, second, third = guests
        await third.look_around()
        for _ in range(rng.randint(1, GAMES)):
            room = await first.meet(second)
            await asyncio.gather(first.play_out(second, room), third.watch(room))
        if rng.random() < 0.1:
            await third.play_computer()
    finally:
        await asyncio.gather(*(guest.leave() for guest in guests))
    return sum(guest.operations for guest in guests)
