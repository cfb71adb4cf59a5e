"""A player's session on one connection, from the connection's first byte to its last."""

from __future__ import annotations

from asyncio import TimerHandle
from typing import Protocol

from parlour.protocol.command_digest import command_digest
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import Command, Cursor, Join, Message, Moved, Refused, name_of
from parlour.protocol.session import ServerProtocol
from parlour.protocol.types import Player
from parlour.server.connections.connection import Connection
from parlour.server.connections.frames import Broadcast
from parlour.server.metrics import Metrics
from parlour.server.restrictions import Restriction
from parlour.server.rooms.room import Room
from parlour.server.store.block_lists import NO_BLOCK_LISTS
from parlour.server.store.players import PlayerKind, StoredPlayer

LOBBY = ""  # stands for the lobby among the rooms to resend; no room has this id


class LobbyFeed(Protocol):
    """The part of the lobby that a session uses to watch it."""

    def send_snapshot(self, session: Session) -> None: ...


class Session:
    """The player of a connection, the rooms it is subscribed to, and its seeks and invitations."""

    def __init__(self, connection: Connection, metrics: Metrics) -> None:
        self.connection = connection
        self.protocol = ServerProtocol(connection.codec)
        self.player = ""  # the player's id; empty until welcome
        self.name = ""
        self.kind: PlayerKind = "guest"
        self.muted: Restriction | None = None  # by an operator
        self.block_lists = NO_BLOCK_LISTS  # of the player
        self.scopes: frozenset[str] | None = None  # of the token; None: it is not limited
        self.token = ""  # the one presented in hello, or issued in welcome
        self.session_id = ""  # of the running client, across its connections: command ids are unique within it
        self.rooms: dict[str, Room] = {}  # subscribed to
        self.lobby: LobbyFeed | None = None  # set while the session watches the lobby
        self.seeks: set[str] = set()  # open seeks and places in queues
        self.invites: set[str] = set()  # open invitations made here
        self.evaluations = 0  # requested and not answered yet
        self.is_closed = False
        self.is_visitor = False  # an HTTP request without a token, which can only read public data
        self.wants_choices = True  # see hello
        self.hello_timer: TimerHandle | None = None
        self._to_resend: set[str] = set()  # rooms of which updates were dropped
        self._metrics = metrics

    @property
    def lag(self) -> int:
        """Milliseconds from the client to this node."""
        return self.connection.lag

    def identify(self, player: StoredPlayer, token: str, session_id: str) -> None:
        """Make this the session of a player."""
        self.player, self.name, self.kind, self.token = player.id, player.name, player.kind, token
        self.muted = player.muted
        self.scopes = None if player.scopes is None else frozenset(player.scopes)
        self.session_id = session_id

    def command_key(self, command: Command) -> str:
        """Return a secret text that is the same for a repeated command and for no other command of any player."""
        name = name_of(type(command))
        return f"{name} {self.player} {self.session_id} {command.id} {command_digest(command)}"

    def as_player(self, rating: int | None = None, *, provisional: bool = False) -> Player:
        """Return the player as others see it."""
        return Player(self.name, rating, provisional, bot=self.kind == "bot", guest=self.kind == "guest")

    def send(self, message: Message | Moved) -> None:
        """Send to this session alone."""
        if type(message) is Refused:
            self._metrics.refusals[message.code] += 1
        self.connection.send(message)

    def refuse(self, message: Message, refusal: Refusal) -> None:
        """Reply that a message was refused, and why."""
        id = message.id if isinstance(message, Command) else None
        room = message.room if isinstance(message, Join) else None
        after = refusal.retry_after
        self.send(Refused(code=refusal.code, text=refusal.sentence, id=id, room=room, retry_after=after))

    def log_context(self, message: Message) -> dict[str, object]:
        """Return the fields of a log line about a message of this session."""
        of_command = {"room": getattr(message, "room", None), "command": getattr(message, "id", None)}
        return {"player": self.player, "session": self.session_id, "address": self.connection.address, **of_command}

    def mark_for_resend(self, room: str) -> None:
        """Send the whole room once the connection accepts data again: an update was dropped."""
        self._to_resend.add(room)

    def send_lobby_update(self, update: Broadcast) -> None:
        """Send what all lobby watchers receive, or the whole lobby later if the connection is full."""
        if LOBBY not in self._to_resend and self.connection.write(update):
            self._metrics.updates_delivered += 1
        else:
            self._metrics.updates_dropped += 1
            self._to_resend.add(LOBBY)

    def resend(self) -> None:
        """Resend in full what was dropped, since the connection accepts data again."""
        rooms, self._to_resend = self._to_resend, set()
        if LOBBY in rooms and self.lobby is not None:
            self.lobby.send_snapshot(self)
        for id in rooms:
            if id in self.rooms:
                self.rooms[id].subscribers.send_snapshot(self)

    def cursors(self) -> tuple[Cursor, ...]:
        """Return how far each room has been sent to this session, except those about to be sent whole."""
        return tuple(room.subscribers.cursor(self) for id, room in self.rooms.items() if id not in self._to_resend)
