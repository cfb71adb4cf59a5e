"""The sockets of a scripted server: addresses, connections, and the frames on them."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from parlour.conform.codec import CODECS
from parlour.conform.connection import Connection, Session
from parlour.conform.frames import Transcript
from parlour.conform.listening import Listening, OpenSocket
from parlour.conform.script import Script
from parlour.protocol import messages as wire
from parlour.protocol.codec import BadFrame


class ServerSockets(ABC):
    """Reads frames from all connections, and shows them to the script and the transcript."""

    largest_frame: int | None = 2**20  # bytes

    def __init__(self, script: Script, addresses: int, open_socket: OpenSocket) -> None:
        self.script = script
        self.connections: list[Connection] = []
        self.transcript = Transcript(time.monotonic)
        self._opened = 0
        self._addresses = addresses
        self._listening = Listening(self._serve, open_socket)

    async def listen(self) -> tuple[str, ...]:
        """Open all addresses. Return those besides the first."""
        self.transcript = Transcript(asyncio.get_running_loop().time)
        try:
            await self._listening.open(self.choose, self._addresses, self.largest_frame)
        except BaseException:
            await self.stop_listening()
            raise
        return tuple(self._listening.urls[1:])

    async def stop_listening(self) -> None:
        """Close all addresses and connections."""
        await self._listening.close()

    @property
    def now(self) -> float:
        """The time in seconds, on the clock of the event loop."""
        return asyncio.get_running_loop().time()

    @property
    def url(self) -> str:
        return self._listening.urls[0]

    def refuse_first_address(self) -> None:
        """Accept no more connections at the first address, as if its node was gone."""
        self._listening.refuse(0)

    def choose(self, _: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
        """Choose a subprotocol. Clients that offer none are accepted, so that the script can note it."""
        return next((name for name in offered if name in CODECS), None)

    async def _serve(self, socket: ServerConnection) -> None:
        self._opened += 1
        connection = Connection(self.script, socket, self.transcript, self._opened)
        connection.note("a connection is opened")
        self.script.opened(connection)
        self.opened(connection)
        if connection.codec is None:
            await socket.close(1002, "Offer parlour.v1+msgpack or parlour.v1+json.")
            return
        session = Session(connection)
        writer = asyncio.create_task(connection.write())
        self.connections.append(connection)
        try:
            async for frame in socket:
                if connection.lost:
                    break
                self.receive(connection, session, frame)
        except ConnectionClosed:
            pass
        finally:
            self.connections.remove(connection)
            self.disconnected(connection)
            self.script.closed(connection)
            if connection.lost:
                await writer
            writer.cancel()

    def receive(self, connection: Connection, session: Session, frame: bytes | str) -> None:
        cursors = tuple(
            wire.Cursor(room.id, room.updates.epoch, room.updates.seq) for room in connection.rooms.values()
        )
        read = readable(connection, frame)
        connection.transcript.add(connection.number, "client", read)
        if isinstance(read, wire.Ping):
            self.script.pinged(connection)
        message = session.receive(frame, lambda: cursors)
        if message is None or not self.script.incoming(connection, message):
            return
        if not isinstance(message, wire.Hello):
            assert isinstance(message, wire.Command)
            self.handle(connection, message)
        elif not self.greet(connection, message):
            session.forget_hello()

    # -- what a server does

    @abstractmethod
    def opened(self, connection: Connection) -> None:
        """Note that a connection was opened."""

    @abstractmethod
    def disconnected(self, connection: Connection) -> None:
        """Note that a connection has ended."""

    @abstractmethod
    def greet(self, connection: Connection, hello: wire.Hello) -> bool:
        """Answer a hello. Return False if another one may follow."""

    @abstractmethod
    def handle(self, connection: Connection, command: wire.Command) -> None:
        """Execute a command and answer it."""


def readable(connection: Connection, frame: bytes | str) -> object:
    """Return the message in a frame for the transcript, whatever it is."""
    assert connection.codec is not None
    try:
        return connection.codec.decode_client(frame)
    except BadFrame:
        return f"a frame that is not a message: {frame!r:.120}"
