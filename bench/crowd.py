"""Many players who connect, and then all queue at once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from time import perf_counter
from typing import TypeVar

from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import Hello, Message, Paired, Queue, Refused, Welcome
from parlour.protocol.tables import Terms

AT_ONCE = 50  # handshakes

M = TypeVar("M", bound=Message)


class Met(Struct, frozen=True):
    """What became of one of them."""

    name: str
    room: str
    seat: int
    seconds: float  # from the queue to the pair


class Crowd:
    """Connected players, spread evenly over some addresses."""

    def __init__(self, urls: Sequence[str], number: int) -> None:
        self._urls = [urls[at % len(urls)] for at in range(number)]
        self._stack = AsyncExitStack()
        self._players: list[tuple[str, ClientConnection]] = []

    async def __aenter__(self) -> Crowd:
        gate = asyncio.Semaphore(AT_ONCE)
        self._players = await asyncio.gather(*(self._enter(url, gate) for url in self._urls))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def _enter(self, url: str, gate: asyncio.Semaphore) -> tuple[str, ClientConnection]:
        async with gate:
            opening = connect(
                url, subprotocols=[Subprotocol(MSGPACK.subprotocol)], compression=None, max_queue=None,
                ping_interval=None, open_timeout=60,
            )  # fmt: skip
            socket = await self._stack.enter_async_context(opening)
            await socket.send(MSGPACK.encode(Hello("crowd")))
            welcome = await _hear(socket, Welcome)
            return welcome.you.name, socket

    async def queue(self, terms: Terms) -> list[Met]:
        """Let all of them queue at the same time; whom each of them met."""
        return await asyncio.gather(*(self._meet(name, socket, terms) for name, socket in self._players))

    async def _meet(self, name: str, socket: ClientConnection, terms: Terms) -> Met:
        began = perf_counter()
        await socket.send(MSGPACK.encode(Queue(id=1, terms=terms)))
        paired = await _hear(socket, Paired)
        return Met(name, paired.room, paired.seat, perf_counter() - began)

    async def more_rooms(self, met: Sequence[Met], wait: float) -> list[str]:
        """Rooms that somebody is told of within a time, other than the one he has."""

        async def listen(one: Met, socket: ClientConnection) -> list[str]:
            found = []
            try:
                async with asyncio.timeout(wait):
                    while True:
                        found.append((await _hear(socket, Paired)).room)
            except TimeoutError:
                return [room for room in found if room != one.room]

        rooms = await asyncio.gather(
            *(listen(one, socket) for one, (_, socket) in zip(met, self._players, strict=True))
        )
        return [room for each in rooms for room in each]


async def _hear(socket: ClientConnection, kind: type[M]) -> M:
    """The next message of a kind."""
    while True:
        message = MSGPACK.decode_server(await socket.recv())
        if isinstance(message, kind):
            return message
        if isinstance(message, Refused):
            raise ConnectionError(f"{message.code}: {message.text}")
