"""A client in plain JSON, as the reference describes it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from parlour.protocol.codec import JSON
from tests.e2e.processes import ServerProcess
from tests.waiting import WITHIN


class Client:
    """A client that says what it is told to, as JSON, and keeps what it receives."""

    def __init__(self, socket: ClientConnection, frames: list[str]) -> None:
        self.received: list[Any] = []
        self.welcome: dict[str, Any] = {}
        self._unread: list[Any] = []  # what no call has returned
        self._socket = socket
        self._frames = frames
        self._ids = iter(range(1, 1 << 20))

    async def send(self, message: dict[str, Any]) -> None:
        await self._socket.send(json.dumps(message))

    async def receive(self) -> Any:
        async with asyncio.timeout(WITHIN):
            frame = await self._socket.recv()
        assert isinstance(frame, str)
        self._frames.append(frame)
        message = json.loads(frame)
        self.received.append(message)
        return message

    async def until(self, *tags: str | int, **fields: Any) -> Any:
        """Return the next message with one of these names and these fields, which no call has returned yet."""

        def fits(message: Any) -> bool:
            tag = message[0] if isinstance(message, list) else message["t"]
            return tag in tags and all(message.get(name) == value for name, value in fields.items())

        for n, message in enumerate(self._unread):
            if fits(message):
                return self._unread.pop(n)
        while not fits(message := await self.receive()):
            self._unread.append(message)
        return message

    async def ask(self, command: dict[str, Any]) -> dict[str, Any]:
        """Send a command with the next id, and return its answer."""
        id = next(self._ids)
        await self.send({**command, "id": id})
        while True:
            message = await self.receive()
            if isinstance(message, dict) and message.get("id") == id:
                return dict(message)
            self._unread.append(message)


@asynccontextmanager
async def client(server: ServerProcess, frames: list[str] | None = None, **hello: Any) -> AsyncIterator[Client]:
    """Connect and say hello. What is received is also added to `frames`."""
    async with connect(server.url, subprotocols=[Subprotocol(JSON.subprotocol)], max_size=None) as socket:
        one = Client(socket, [] if frames is None else frames)
        await one.send({"t": "hello", "client": "example 1.0", **hello})
        one.welcome = await one.until("welcome")
        yield one
