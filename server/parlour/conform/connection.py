"""A connection to the scripted server, and its player."""

from __future__ import annotations

import asyncio

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from parlour.conform.codec import CODECS
from parlour.conform.frames import Transcript
from parlour.conform.script import Close, Cut, Outgoing, Pause, Script
from parlour.conform.scripted_room import ScriptedRoom
from parlour.protocol.messages import Message, Moved
from parlour.protocol.reply_cache import ReplyCache
from parlour.protocol.session import ServerProtocol
from parlour.protocol.types import Player


class Guest:
    """A player, across all connections."""

    def __init__(self, name: str, token: str) -> None:
        self.player = Player(name)
        self.token = token
        self.replies = ReplyCache()


class Connection:
    """One socket, to which messages are written in order."""

    def __init__(self, script: Script, socket: ServerConnection, transcript: Transcript, number: int) -> None:
        self.socket = socket
        self.number = number  # of all connections to the server, from 1
        self.transcript = transcript
        self.codec = CODECS.get(str(socket.subprotocol))
        self.guest: Guest | None = None
        self.token = ""
        self.session_id = ""  # of the client, across its connections
        self.rooms: dict[str, ScriptedRoom] = {}  # those that the client has joined
        self.wants_choices = True
        self.lost = False  # cut or closed: later messages are ignored
        self._script = script
        self._outgoing: asyncio.Queue[Outgoing] = asyncio.Queue()

    def send(self, message: Message | Moved) -> None:
        """Send a message, or what the script sends instead."""
        for outgoing in self._script.outgoing(self, message):
            self.put(outgoing)

    def put(self, outgoing: Outgoing) -> None:
        """Send something past the script."""
        self.lost = self.lost or isinstance(outgoing, Cut | Close)
        self._outgoing.put_nowait(outgoing)

    def note(self, event: str) -> None:
        """Record an event of this connection among its frames."""
        self.transcript.add(self.number, "kit", event)

    async def write(self) -> None:
        """Write queued messages until the connection ends."""
        assert self.codec is not None
        try:
            while True:
                match await self._outgoing.get():
                    case Cut():
                        self.note("the connection is cut")
                        self.socket.transport.abort()
                        return
                    case Close(code):
                        self.note(f"the connection is closed with {code}")
                        await self.socket.close(code)
                        return
                    case Pause(seconds):
                        await asyncio.sleep(seconds)
                    case message:
                        self.transcript.add(self.number, "server", message)
                        await self.socket.send(self.codec.encode(message), text=self.codec.text)
                        self._script.written(self, message)
        except ConnectionClosed:
            return


class Session(ServerProtocol):
    """The server's side of the protocol, whose answers pass through the script too."""

    def __init__(self, connection: Connection) -> None:
        assert connection.codec is not None
        super().__init__(connection.codec)
        self._connection = connection

    def send(self, message: Message | Moved) -> None:
        self._connection.send(message)
