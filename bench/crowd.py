"""Many players who connect, and then all join the quick match queue at once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import count
from time import perf_counter
from typing import TypeVar

from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import Hello, Message, Paired, Queue, Refused, Welcome
from parlour.protocol.types import Terms

MAX_HANDSHAKES = 20  # at the same time; the nodes close those that take longer than five seconds

M = TypeVar("M", bound=Message)


class Pairing(Struct, frozen=True):
    """The room and seat that a player was paired into."""

    name: str
    room: str
    seat: int
    seconds: float  # from queue to paired


class Crowd:
    """Connected players, spread evenly over several nodes."""

    def __init__(self, urls: Sequence[str], number: int) -> None:
        self._urls = [urls[at % len(urls)] for at in range(number)]
        self._ids = count(1)
        self._stack = AsyncExitStack()
        self._players: list[tuple[str, ClientConnection]] = []

    async def __aenter__(self) -> Crowd:
        gate = asyncio.Semaphore(MAX_HANDSHAKES)
        self._players = await asyncio.gather(*(self._connect(url, gate) for url in self._urls))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def _connect(self, url: str, gate: asyncio.Semaphore) -> tuple[str, ClientConnection]:
        async with gate:
            opening = connect(
                url, subprotocols=[Subprotocol(MSGPACK.subprotocol)], compression=None, max_queue=None,
                ping_interval=None, open_timeout=60,
            )  # fmt: skip
            socket = await self._stack.enter_async_context(opening)
            await socket.send(MSGPACK.encode(Hello("crowd")))
            welcome = await _receive(socket, Welcome)
            return welcome.you.name, socket

    async def queue(self, terms: Terms) -> list[Pairing]:
        """Have all players join the queue at the same time, and return how each was paired."""
        queue = Queue(id=next(self._ids), terms=terms)
        return await asyncio.gather(*(self._pair(name, socket, queue) for name, socket in self._players))

    async def _pair(self, name: str, socket: ClientConnection, queue: Queue) -> Pairing:
        start = perf_counter()
        await socket.send(MSGPACK.encode(queue))
        paired = await _receive(socket, Paired)
        return Pairing(name, paired.room, paired.seat, perf_counter() - start)

    async def more_rooms(self, pairings: Sequence[Pairing], wait: float) -> list[str]:
        """Return the rooms, other than their own, that players are paired into within a time."""

        async def listen(pairing: Pairing, socket: ClientConnection) -> list[str]:
            found = []
            try:
                async with asyncio.timeout(wait):
                    while True:
                        found.append((await _receive(socket, Paired)).room)
            except TimeoutError:
                return [room for room in found if room != pairing.room]

        rooms = await asyncio.gather(
            *(listen(pairing, socket) for pairing, (_, socket) in zip(pairings, self._players, strict=True))
        )
        return [room for found in rooms for room in found]


async def _receive(socket: ClientConnection, message_type: type[M]) -> M:
    """Return the next message of a type, and skip all others."""
    while True:
        message = MSGPACK.decode_server(await socket.recv())
        if isinstance(message, message_type):
            return message
        if isinstance(message, Refused):
            raise ConnectionError(f"{message.code}: {message.text}")
