"""Both ends of a connection without sockets: bytes and messages go in, messages come out.

Time is an argument and nothing here waits. A `ClientSession` outlives its connections and keeps every command until it
is answered; a `ServerProtocol` lives as long as one connection. All that a client must do to stay in step is here, so
the code that drives a session only moves frames.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from parlour.protocol.codec import BadFrame, Codec
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    GAME_COMMANDS,
    Cancel,
    ClientMessage,
    Command,
    Cursor,
    Hello,
    Join,
    Leave,
    Message,
    Moved,
    Ok,
    Paired,
    Ping,
    Play,
    Pong,
    Queue,
    Refused,
    Room,
    RoomEvent,
    Seek,
    ServerMessage,
    Sync,
    Welcome,
)  # fmt: skip
from parlour.protocol.replica import ApplyResult, RoomReplica
from parlour.protocol.timing import RETRY_DELAY, Action, Liveness, Urgency

Cursors = Callable[[], tuple[Cursor, ...]]

MAX_CURSORS = 64  # rooms in one hello
MAX_LEAVES = 6  # how many nodes a client leaves on account of one room whose rules they do not support

# After a refusal with one of these codes the same command is sent again.
RETRIED = frozenset(code.value for code in ErrorCode if code.is_retried)


class ClientSession:
    """A player's side of the protocol, across all connections.

    Open a connection and call `connected`. Then send what `outgoing` returns, pass every message that arrives to
    `receive`, and call `tick` several times a second. Call `disconnected` when the connection is lost, and start again.
    """

    def __init__(self, client: str, token: str | None = None, name: str | None = None) -> None:
        self.token = token
        self.rooms: dict[str, RoomReplica] = {}
        self.welcomed = False  # whether the server has answered hello on this connection
        self._client = client
        self._name = name
        self._session_id: str | None = None  # from the last welcome; never stored, so that no two clients share it
        self._next_id = 1
        self._connection = 0  # increases with every change of connection, to recognise late messages
        self._has_other_nodes = False  # according to the last welcome
        self._was_given_up = False  # whether the last connection was, and there has been no welcome since
        self._liveness = Liveness()
        self._unanswered: dict[int, Command] = {}  # in the order of sending
        self._retries: dict[int, float] = {}  # command id -> when to send it again
        self._syncing: dict[str, int] = {}  # room -> id of the sync that is under way
        # After the ok of a play the position is not known until its update arrives: other plays are held until then.
        self._awaited: dict[str, tuple[int, int]] = {}  # room -> epoch and seq of that update
        self._held: list[Play] = []
        # Seeks and places in the queue end with their connection, so their commands are kept until a game is made.
        self._places: dict[str, Command] = {}  # seek -> command
        self._leaves: dict[str, int] = {}  # room -> how many nodes were left because they do not support its rules
        self._leave_at: float | None = None  # when to leave this node for that reason
        self._outgoing: list[ClientMessage] = []

    # -- the connection

    def connected(self, now: float) -> int:
        """Start a new connection. Return its number, which `receive` wants with every message that arrives on it."""
        self.disconnected()
        self._liveness.connected(now)
        # Running games come first, in case there are more rooms than one hello can list.
        replicas = sorted(self.rooms.values(), key=lambda replica: replica.result is not None)
        cursors = tuple(replica.cursor for replica in replicas[:MAX_CURSORS])
        name = None if self.token else self._name
        self._outgoing = [Hello(self._client, self.token, cursors, name, session=self._session_id)]
        return self._connection

    def disconnected(self) -> None:
        """Forget the connection. Unanswered commands are sent again on the next one."""
        self._connection += 1
        self.welcomed = False
        self._outgoing, self._held = [], []
        self._leave_at = None
        self._retries.clear()  # every unanswered command is sent again after welcome
        for id in self._syncing.values():  # the next hello asks for the same updates
            self._unanswered.pop(id, None)
        self._syncing.clear()

    def tick(self, now: float) -> bool:
        """Ping and retry what is due.

        Return False if the server has been silent for too long, or cannot serve a room: then connect to another node.
        """
        self._was_given_up = not self._tick(now)
        return not self._was_given_up

    def _tick(self, now: float) -> bool:
        for id in [id for id, due in self._retries.items() if due <= now]:
            del self._retries[id]
            if id in self._unanswered:
                self._queue(self._unanswered[id])
        is_urgent = self._has_other_nodes and self.is_playing
        if not self.welcomed and self._liveness.is_hello_overdue(now, is_urgent=is_urgent):
            return False
        oldest = self._oldest_unanswered()
        oldest_id = None if oldest is None else oldest.id
        action = self._liveness.tick(now, oldest_id, is_urgent=self._is_urgent(oldest))
        if action is Action.PING and self.welcomed:
            self._outgoing.append(Ping())
        return action is not Action.GIVE_UP and (self._leave_at is None or now < self._leave_at)

    @property
    def is_playing(self) -> bool:
        """Whether this player has a seat in a game that goes on."""
        return any(replica.seat is not None and replica.result is None for replica in self.rooms.values())

    @property
    def is_hurried(self) -> bool:
        """Whether to try several addresses at once: this player's server was silent."""
        return self._was_given_up and self.is_playing

    @property
    def urgency(self) -> Urgency:
        """How soon to reconnect."""
        if any(isinstance(command, GAME_COMMANDS) for command in self._unanswered.values()):
            return Urgency.COMMAND
        return Urgency.GAME if self.is_playing else Urgency.NONE

    def _oldest_unanswered(self) -> Command | None:
        """Return the oldest command that the server has to answer, one of a running game if there is one.

        A command that is sent again later is not due.
        """
        if not self.welcomed:
            return None
        due = [command for command in self._unanswered.values() if command.id not in self._retries]
        in_game = (command for command in due if isinstance(command, GAME_COMMANDS))
        return next(in_game, due[0] if due else None)

    def _is_urgent(self, command: Command | None) -> bool:
        """Return whether another node should be tried soon if a command stays unanswered."""
        return self._has_other_nodes and isinstance(command, GAME_COMMANDS)

    def outgoing(self) -> list[ClientMessage]:
        """Return the messages to send now, in order, and forget them."""
        messages, self._outgoing = self._outgoing, []
        return messages

    # -- commands

    def send(self, command: Command) -> int:
        """Send a command, now or after the next welcome. Return the id that it was given."""
        id = self._next_id
        self._next_id += 1
        numbered = replace(command, id=id)
        self._unanswered[id] = numbered
        if self.welcomed:
            self._queue(numbered)
        return id

    def _queue(self, command: Command) -> None:
        if isinstance(command, Play) and command.room in self._awaited:
            self._held.append(command)
        else:
            self._outgoing.append(command)  # type: ignore[arg-type]  # every Command is a ClientMessage

    @property
    def unanswered(self) -> tuple[Command, ...]:
        """The commands that the server has not answered yet."""
        return tuple(self._unanswered.values())

    # -- messages from the server

    def receive(self, connection: int, message: ServerMessage, now: float) -> bool:
        """Process a message. Return False if it is not news: late, repeated, or out of step and being repaired."""
        if connection != self._connection:
            return False
        self._liveness.received(now)
        id = getattr(message, "id", None)
        if id in self._unanswered:
            self._liveness.answered(now, id)
        match message:
            case Welcome():
                return self._receive_welcome(message)
            case Pong():
                for cursor in message.rooms:
                    self._compare(cursor)
                return True
            case Moved() | RoomEvent():
                return self._receive_update(message)
            case Room():
                return self._receive_room(message)
            case Refused():
                return self._receive_refusal(message, now)
            case Ok():
                return self._receive_ok(message)
            case Paired():
                self._places.pop(message.seek or "", None)
                return True
            case _:
                return self._settle(getattr(message, "id", None))

    def _receive_welcome(self, welcome: Welcome) -> bool:
        if self.welcomed:
            return False
        self.token, self._session_id = welcome.token, welcome.session
        self._has_other_nodes = bool(welcome.nodes)
        self.welcomed = True
        self._was_given_up = False
        self._unanswered = {command.id: command for command in self._places.values()} | self._unanswered
        for command in self._unanswered.values():
            self._queue(command)
        return True

    def _receive_refusal(self, refused: Refused, now: float) -> bool:
        if refused.code == ErrorCode.RULES_UNSUPPORTED and self._leaves_node(refused, now):
            return False
        if refused.id is None:
            if refused.code == ErrorCode.TOKEN_UNKNOWN and not self.welcomed:
                self._become_new_guest()
            return True
        if refused.id in self._unanswered and refused.code in RETRIED:
            self._retries[refused.id] = now + max(RETRY_DELAY, (refused.retry_after or 0) / 1000)
            return False
        self._places = {seek: command for seek, command in self._places.items() if command.id != refused.id}
        return self._settle(refused.id)

    def _leaves_node(self, refused: Refused, now: float) -> bool:
        """Leave for another node, which may support the rules of a room. Return False if enough nodes were tried."""
        command = None if refused.id is None else self._unanswered.get(refused.id)
        room: str | None = getattr(command, "room", refused.room)
        if room is None or not (isinstance(command, Join) or room in self.rooms):
            return False
        if self._leave_at is None:
            if self._leaves.get(room, 0) >= MAX_LEAVES:
                return False
            self._leaves[room] = self._leaves.get(room, 0) + 1
            self._leave_at = now + RETRY_DELAY
        return True

    def _become_new_guest(self) -> None:
        """Say hello again without the token, and without the rooms and seeks of its player."""
        self.token = self._session_id = None
        self.rooms.clear()
        self._awaited.clear()
        self._places.clear()
        self._outgoing = [Hello(self._client, None, (), self._name)]

    def _receive_ok(self, ok: Ok) -> bool:
        command = self._unanswered.get(ok.id)
        is_known_place = False
        match command:
            case Leave():
                self.rooms.pop(command.room, None)
                self._release(command.room)
            case Play() if command.room in self.rooms and ok.epoch is not None and ok.seq is not None:
                self._awaited[command.room] = ok.epoch, ok.seq
                self._release_if_reached(self.rooms[command.room])
            case Cancel():
                self._places.pop(command.seek, None)
            case Queue() | Seek() if ok.seek is not None:
                is_known_place = ok.seek in self._places
                self._places[ok.seek] = command
        synced = [room for room, id in self._syncing.items() if id == ok.id]
        is_news = self._settle(ok.id)
        for room in synced:
            # All missed updates have arrived. If the replica is still wrong, only the whole room helps.
            if room in self.rooms and not self.rooms[room].in_sync:
                self._sync(self.rooms[room], whole=True)
        return is_news and not is_known_place

    def _settle(self, id: int | None) -> bool:
        """Record that a command has been answered. Return False if it was answered before."""
        if id is None:
            return True
        self._syncing = {room: sync for room, sync in self._syncing.items() if sync != id}
        return self._unanswered.pop(id, None) is not None

    # -- rooms

    def _receive_room(self, room: Room) -> bool:
        replica = self.rooms[room.room] = RoomReplica(room)
        was_syncing = self._syncing.pop(room.room, None) is not None
        self._settle(room.id)
        self._release(room.room)
        # A server that sends a wrong room twice is asked again after the next pong, not in a loop.
        if not replica.in_sync and not was_syncing:
            self._sync(replica, whole=True)
        return True

    def _receive_update(self, update: Moved | RoomEvent) -> bool:
        replica = self.rooms.get(update.room)
        if replica is None:
            return False
        result = replica.apply(update)
        if result in (ApplyResult.GAP, ApplyResult.DIVERGED):
            self._sync(replica, whole=result is ApplyResult.DIVERGED)
        self._release_if_reached(replica)
        return result is ApplyResult.APPLIED

    def _release_if_reached(self, replica: RoomReplica) -> None:
        """Send the held plays of a room whose replica has reached the update that they wait for."""
        room = replica.room.room
        if (replica.epoch, replica.seq) >= self._awaited.get(room, (0, 0)):
            self._release(room)

    def _release(self, room: str) -> None:
        """Send the held plays of a room."""
        self._awaited.pop(room, None)
        held, self._held = self._held, []
        for play in held:
            self._queue(play)

    def _compare(self, newest: Cursor) -> None:
        """Ask for lost updates if the server has sent more than has arrived."""
        replica = self.rooms.get(newest.room)
        if replica is None:
            return
        whole = not replica.in_sync or newest.epoch > replica.epoch
        if whole or (newest.epoch == replica.epoch and newest.seq > replica.seq):
            self._sync(replica, whole)

    def _sync(self, replica: RoomReplica, whole: bool) -> None:
        """Ask for the missing updates or for the whole room, unless a sync is under way already."""
        if whole:
            replica.in_sync = False
        cursor = replica.cursor
        if cursor.room not in self._syncing:
            self._syncing[cursor.room] = self.send(Sync(id=0, room=cursor.room, epoch=cursor.epoch, seq=cursor.seq))


class ServerProtocol:
    """The server's side of one connection: expects hello first, answers pings, refuses malformed frames."""

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        self.greeted = False  # whether hello has arrived
        self._outgoing: list[Message | Moved] = []

    def receive(self, frame: bytes | str, cursors: Cursors = tuple) -> ClientMessage | None:
        """Return the message to act on, or None. `cursors` returns the newest cursor of each room, for pong."""
        try:
            message = self.codec.decode_client(frame)
        except BadFrame as bad:
            self.send(bad.answer())
            return None
        kind = type(message)
        if self.greeted and kind is not Hello and kind is not Ping:
            return message  # nearly always
        if (kind is Hello) == self.greeted:
            id = message.id if isinstance(message, Command) else None
            sentence = "You have already said hello." if self.greeted else "Say hello first."
            self.send(Refused(code=ErrorCode.HELLO_FIRST, text=sentence, id=id))
            return None
        if isinstance(message, Ping):
            self.send(Pong(message.n, cursors()))
            return None
        self.greeted = True
        return message

    def forget_hello(self) -> None:
        """Allow another hello, because this one was refused."""
        self.greeted = False

    def send(self, message: Message | Moved) -> None:
        """Queue a message."""
        self._outgoing.append(message)

    def answers(self) -> list[Message | Moved]:
        """Return the messages to send now, in order, for callers that encode them."""
        messages, self._outgoing = self._outgoing, []
        return messages

    def outgoing(self) -> list[bytes]:
        """Return the frames to send now, in order."""
        return [self.codec.encode(message) for message in self.answers()]
