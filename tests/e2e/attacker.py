"""A connection that sends what it should not, and keeps track of the answers."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from parlour.protocol.codec import MSGPACK, BadFrame, Codec
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    ClientMessage,
    Command,
    Hello,
    Join,
    Paired,
    Ping,
    Pong,
    Queue,
    Refused,
    Room,
    ServerMessage,
    Welcome,
)
from parlour.protocol.types import Terms
from tests.e2e.nonsense import Frame
from tests.e2e.processes import ServerProcess

WITHIN = 60.0  # seconds for whatever is awaited here
UNDER_WAY = 10  # frames that are sent before their answers are awaited

Key = tuple[str, object]  # by what an answer is known: a command id, the number of a pong, or a code without an id


class Attacker:
    """Counts the answers that are due for every frame. All of them must come, and nothing else."""

    def __init__(self, socket: ClientConnection, codec: Codec) -> None:
        self.codec = codec
        self.refusals: Counter[str] = Counter()  # by code
        self.answers: dict[int, ServerMessage] = {}  # the newest to each command id
        self.news: list[ServerMessage] = []  # whatever came unasked
        self.sent = 0
        self.welcome: Welcome | None = None
        self.paired: Paired | None = None  # the newest game that was made for this one
        self._socket = socket
        self._owed: Counter[Key] = Counter()
        self._came: Counter[Key] = Counter()
        self._news = asyncio.Event()
        self._reader = asyncio.create_task(self._read())

    @classmethod
    @asynccontextmanager
    async def connect(
        cls, server: ServerProcess, codec: Codec = MSGPACK, *, greet: bool = True
    ) -> AsyncIterator[Attacker]:
        async with connect(
            server.url, subprotocols=[Subprotocol(codec.subprotocol)], compression=None, max_size=None
        ) as socket:
            attacker = cls(socket, codec)
            try:
                if greet:
                    await attacker.greet(Hello("attacker"))
                yield attacker
            finally:
                attacker._reader.cancel()
                await asyncio.gather(attacker._reader, return_exceptions=True)

    async def greet(self, hello: Hello) -> Welcome:
        """Say hello and be welcomed."""
        await self._send(self._frame(hello))
        await self._until(lambda: self.welcome is not None)
        assert self.welcome is not None
        return self.welcome

    async def try_tokens(self, *tokens: str) -> None:
        """Send hello with each of these tokens, and be refused: another hello may follow."""
        for token in tokens:
            self._owed["code", str(ErrorCode.TOKEN_UNKNOWN)] += 1
            await self._send(self._frame(Hello("attacker", token)))
            await self._settle()

    async def sit_down(self, terms: Terms) -> Room:
        """Queue for a game, and join its room once there is an opponent."""
        await self.send(Queue(id=1, terms=terms))
        await self._until(lambda: self.paired is not None)
        assert self.paired is not None
        (room,) = await self.send(Join(id=2, room=self.paired.room))
        assert isinstance(room, Room)
        return room

    # -- attacks

    async def attack(self, frames: Iterable[Frame]) -> None:
        """Send all of these, and wait until each is answered as it must be."""
        for frame in frames:
            self._owed[self._owed_for(frame)] += 1
            self.sent += 1
            await self._send(frame)
            await self._until(lambda: self._owed.total() - self._came.total() < UNDER_WAY)
        await self._settle()

    async def send(self, *messages: ClientMessage) -> list[ServerMessage]:
        """Send valid messages; return the answers to the commands among them."""
        await self.attack([self._frame(message) for message in messages])
        return [self.answers[message.id] for message in messages if isinstance(message, Command)]

    async def codes(self, *messages: ClientMessage) -> set[str]:
        """Return the codes with which all of these are refused."""
        answers = await self.send(*messages)
        refused = [answer for answer in answers if isinstance(answer, Refused)]
        assert len(refused) == len(answers), answers
        return {answer.code for answer in refused}

    async def is_there(self) -> bool:
        """Return whether the connection is open and answered."""
        await self.send(Ping(1_000_000 + self.sent))
        return True

    async def closed(self) -> int | None:
        """Return the code with which the server closes the connection."""
        async with asyncio.timeout(WITHIN):
            await self._socket.wait_closed()
        return self._socket.close_code

    # -- inside

    async def _settle(self) -> None:
        await self._until(lambda: self._owed.total() <= self._came.total())
        assert self._owed == self._came

    def _owed_for(self, frame: Frame) -> Key:
        try:
            message = self.codec.decode_client(frame)
        except BadFrame as bad:
            return ("id", bad.id) if bad.id is not None else ("code", str(bad.code))
        match message:
            case Command():
                return "id", message.id
            case Ping():
                return "pong", message.n
            case _:
                return "code", str(ErrorCode.HELLO_FIRST)

    def _frame(self, message: ClientMessage) -> Frame:
        data: bytes = self.codec.encode(message)
        return data.decode() if self.codec.text else data

    async def _send(self, frame: Frame) -> None:
        async with asyncio.timeout(WITHIN):
            await self._socket.send(frame)

    async def _until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(WITHIN):
            while not condition():
                assert not self._reader.done(), f"the connection was closed with {self._socket.close_code}"
                self._news.clear()
                await self._news.wait()

    async def _read(self) -> None:
        try:
            async for frame in self._socket:
                self._take(self.codec.decode_server(frame))
                self._news.set()
        except ConnectionClosed:
            pass
        finally:
            self._news.set()

    def _take(self, message: ServerMessage) -> None:
        id = getattr(message, "id", None)
        if isinstance(message, Refused):
            assert message.code in set(ErrorCode)
            self.refusals[message.code] += 1
        if isinstance(message, Welcome):
            self.welcome = message
        elif isinstance(message, Paired):
            self.paired = message
        elif id is not None:
            self.answers[id] = message
            self._came["id", id] += 1
        elif isinstance(message, Refused):
            self._came["code", message.code] += 1
        elif isinstance(message, Pong):
            self._came["pong", message.n] += 1
        else:
            self.news.append(message)
