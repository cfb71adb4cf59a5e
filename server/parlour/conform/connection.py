"""One socket of the scripted server, and the player behind it."""

from __future__ import annotations

import asyncio

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from parlour.conform.script import Close, Cut, Leaving, Pause, Script
from parlour.conform.scripted_room import ScriptedRoom
from parlour.protocol.codec import CODECS
from parlour.protocol.feed import Ledger
from parlour.protocol.messages import Message, Moved
from parlour.protocol.session import ServerSession
from parlour.protocol.tables import Player


class Guest:
    """A player, across all connections."""

    def __init__(self, name: str, token: str) -> None:
        self.player = Player(name)
        self.token = token
        self.ledger = Ledger()
        self.connection: Connection | None = None


class Connection:
    """One socket: what is put here is written in order."""

    def __init__(self, script: Script, socket: ServerConnection) -> None:
        self.socket = socket
        self.codec = CODECS.get(str(socket.subprotocol))
        self.guest: Guest | None = None
        self.rooms: dict[str, ScriptedRoom] = {}  # those it follows
        self.wants_choices = True
        self.lost = False  # cut or closed: nothing that still arrives counts
        self._script = script
        self._leaving: asyncio.Queue[Leaving] = asyncio.Queue()

    def send(self, message: Message | Moved) -> None:
        """Send a message, as the script has it."""
        for leaving in self._script.leaving(self, message):
            self.put(leaving)

    def put(self, leaving: Leaving) -> None:
        """Have something written, whatever the script says."""
        self.lost = self.lost or isinstance(leaving, Cut | Close)
        self._leaving.put_nowait(leaving)

    async def write(self) -> None:
        """Write what is put here until the connection ends."""
        assert self.codec is not None
        try:
            while True:
                match await self._leaving.get():
                    case Cut():
                        self.socket.transport.abort()
                        return
                    case Close(code):
                        await self.socket.close(code)
                        return
                    case Pause(seconds):
                        await asyncio.sleep(seconds)
                    case message:
                        await self.socket.send(self.codec.encode(message), text=self.codec.text)
                        self._script.written(self, message)
        except ConnectionClosed:
            return


class Session(ServerSession):
    """The protocol's own session, whose answers leave through the script as well."""

    def __init__(self, connection: Connection) -> None:
        assert connection.codec is not None
        super().__init__(connection.codec)
        self._connection = connection

    def send(self, message: Message | Moved) -> None:
        self._connection.send(message)
