"""A listener that records what connections report."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable

from parlour.protocol.codec import BadFrame
from parlour.protocol.messages import Ping, Pong
from parlour.server.connections.connection import Connection
from parlour.server.connections.incidents import Incident
from tests.waiting import WITHIN


class Recorder:
    """Answers pings with pongs and bad frames with refusals, unless told otherwise, and remembers everything."""

    def __init__(self) -> None:
        self.opened_peers: list[Connection] = []
        self.frames: list[bytes | str] = []
        self.drains: list[Connection] = []
        self.closings: list[tuple[Connection, int]] = []
        self.incidents: Counter[Incident] = Counter()
        self.on_message: Callable[[Connection, bytes | str], None] = self.answer
        self.on_opened: Callable[[Connection], None] = lambda connection: None
        self.on_drained: Callable[[Connection], None] = lambda connection: None
        self._news = asyncio.Event()

    @property
    def connection(self) -> Connection:
        """The newest connection."""
        return self.opened_peers[-1]

    @property
    def codes(self) -> list[int]:
        """The codes with which connections were closed, in order."""
        return [code for _, code in self.closings]

    # -- what a listener does

    def opened(self, connection: Connection) -> None:
        self.opened_peers.append(connection)
        self._news.set()
        self.on_opened(connection)

    def received(self, connection: Connection, frame: bytes | str) -> None:
        self.frames.append(frame)
        self._news.set()
        self.on_message(connection, frame)

    def drained(self, connection: Connection) -> None:
        self.drains.append(connection)
        self._news.set()
        self.on_drained(connection)

    def closed(self, connection: Connection, code: int) -> None:
        self.closings.append((connection, code))
        self._news.set()

    def count(self, incident: Incident) -> None:
        self.incidents[incident] += 1
        self._news.set()

    def answer(self, connection: Connection, frame: bytes | str) -> None:
        """Answer as a node would, as far as these tests need it."""
        try:
            message = connection.codec.decode_client(frame)
        except BadFrame as bad:
            connection.send(bad.answer())
        else:
            assert isinstance(message, Ping)
            connection.send(Pong(message.n))

    # -- waiting

    async def until(self, done: Callable[[], bool]) -> None:
        """Wait for something that connections report."""
        async with asyncio.timeout(WITHIN):
            while not done():
                self._news.clear()
                await self._news.wait()
