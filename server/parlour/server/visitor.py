"""A connection with somebody behind it."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Protocol

from parlour.protocol.messages import Message, Moved, Refused, Standing
from parlour.protocol.session import ServerSession
from parlour.protocol.tables import Player
from parlour.server.metrics import Metrics
from parlour.server.rooms.live import LiveRoom
from parlour.server.store.players import Kind
from parlour.server.store.players import Player as Known
from parlour.server.transport.frames import Broadcast
from parlour.server.transport.limits import Rate
from parlour.server.transport.peer import Peer

LOBBY = ""  # among what a connection is owed; no room has this name


class News(Protocol):
    """The lobby, as those see it who follow it."""

    def send_whole(self, visitor: Visitor) -> None: ...


class Visitor:
    """One connection, from its first byte to its last. Follows rooms and waits in queues on behalf of a player."""

    def __init__(self, peer: Peer, metrics: Metrics, talking: Rate) -> None:
        self.peer = peer
        self.session = ServerSession(peer.codec)
        self.player = ""  # the player's id; empty until welcome
        self.name = ""
        self.kind: Kind = "guest"
        self.token = ""  # the one it came with, or got
        self.rooms: dict[str, LiveRoom] = {}  # those it follows
        self.lobby: News | None = None  # the lobby, if it follows that
        self.seeks: set[str] = set()  # its seeks and its places in queues
        self.invites: set[str] = set()  # the invitations it made
        self.questions = 0  # to the computer, that were not answered yet
        self.is_gone = False
        self.wants_choices = True  # see hello
        self.hello_timer: asyncio.TimerHandle | None = None
        self.asked: dict[int, float] = {}  # ids of commands that were not answered yet, and when they came
        self._owed: set[str] = set()  # rooms of which updates were dropped: they will be sent whole
        self._metrics = metrics
        self._talking = talking
        self._talked = 0.0  # the moment up to which the budget for talking is spent, see Rate

    @property
    def lag(self) -> int:
        """Milliseconds from the player to here."""
        return self.peer.lag

    def introduce(self, player: Known, token: str) -> None:
        """From now on it speaks for this player."""
        self.player, self.name, self.kind, self.token = player.id, player.name, player.kind, token

    def as_player(self, rating: int | None = None, *, sure: bool = True) -> Player:
        """As others see the player behind it."""
        return Player(self.name, rating, sure, bot=self.kind == "bot", guest=self.kind == "guest")

    def send(self, message: Message | Moved, patient: bool = False) -> None:
        """Send to this connection alone; see `Peer.send`."""
        metrics = self._metrics
        if self.asked:
            came = self.asked.pop(getattr(message, "id", -1), None)
            if came is not None:
                metrics.command_seconds.observe(monotonic() - came)
        if type(message) is Refused:
            metrics.refusals[message.code] += 1
        self.peer.send(message, patient)

    def owe(self, room: str) -> None:
        """An update of a room was dropped: send the whole room as soon as the connection takes data again."""
        self._owed.add(room)

    def show_lobby(self, broadcast: Broadcast) -> None:
        """Pass on what everybody gets who follows the lobby. One who cannot take it now gets everything later."""
        if LOBBY not in self._owed and self.peer.write(broadcast):
            self._metrics.updates_delivered += 1
        else:
            self._metrics.updates_dropped += 1
            self._owed.add(LOBBY)

    def may_talk(self) -> bool:
        """Whether another line is within the rate; if so, it counts."""
        now = monotonic()
        spent = max(self._talked, now)
        if spent - now > self._talking.slack:
            return False
        self._talked = spent + self._talking.step
        return True

    def drained(self) -> None:
        """The connection takes data again."""
        owed, self._owed = self._owed, set()
        if LOBBY in owed and self.lobby is not None:
            self.lobby.send_whole(self)
        for id in owed:
            if id in self.rooms:
                self.rooms[id].send_whole(self)

    def standings(self) -> tuple[Standing, ...]:
        """Up to where this connection was told about each room; what it is owed is on its way already."""
        return tuple(room.standing(self) for id, room in self.rooms.items() if id not in self._owed)
