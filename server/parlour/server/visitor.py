"""A connection with somebody behind it."""

from __future__ import annotations

import asyncio

from parlour.protocol.messages import Message, Moved, Standing
from parlour.protocol.session import ServerSession
from parlour.server.rooms.audience import Audience
from parlour.server.rooms.live import LiveRoom
from parlour.server.transport.frames import Broadcast
from parlour.server.transport.peer import Peer


class Visitor:
    """One connection, from its first byte to its last. Follows rooms and waits in queues on behalf of a player."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.session = ServerSession(peer.codec)
        self.player = ""  # the player's id; empty until welcome
        self.name = ""
        self.rooms: dict[str, LiveRoom] = {}  # those it follows
        self.seeks: set[str] = set()  # its places in queues
        self.is_gone = False
        self.hello_timer: asyncio.TimerHandle | None = None
        self._owed: set[str] = set()  # rooms of which updates were dropped: they will be sent whole

    @property
    def lag(self) -> int:
        """Milliseconds from the player to here."""
        return int((self.peer.rtt or 0.0) * 500)

    def send(self, message: Message | Moved) -> None:
        self.peer.send(message)

    def show(self, audience: Audience, broadcast: Broadcast) -> None:
        """Pass on what everybody in a room gets. One who cannot take it now gets the whole room later."""
        room = audience.room.id
        if room not in self._owed and not self.peer.write(broadcast):
            self._owed.add(room)

    def drained(self) -> None:
        """The connection takes data again."""
        owed, self._owed = self._owed, set()
        for id in owed:
            if id in self.rooms:
                self.rooms[id].send_whole(self)

    def standings(self) -> tuple[Standing, ...]:
        """Up to where this connection was told about each room; what it is owed is on its way already."""
        return tuple(room.standing(self) for id, room in self.rooms.items() if id not in self._owed)
