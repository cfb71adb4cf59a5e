"""The two ends of a conversation, without sockets: bytes and messages go in, messages come out.

Laws of this file. Time is an argument. Nothing here waits. A `ClientSession` outlives its connections and keeps every
command until it is answered; a `ServerSession` lives as long as one connection. What a client must do to stay in step
is all here: whoever drives a session only moves frames.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from parlour.protocol.codec import BadFrame, Codec
from parlour.protocol.errors import ErrorCode, Retry
from parlour.protocol.messages import (
    Cancel,
    ClientMessage,
    Command,
    Happened,
    Hello,
    Leave,
    Message,
    Moved,
    Ok,
    Paired,
    Ping,
    Pong,
    Queue,
    Refused,
    Room,
    Seek,
    ServerMessage,
    Standing,
    Sync,
    Welcome,
)  # fmt: skip
from parlour.protocol.mirror import Mirror, Verdict

Standings = Callable[[], tuple[Standing, ...]]

PING_EVERY = 10.0
SILENCE_MEANS_DEAD = 25.0

# Whoever waits for an answer asks sooner and gives up earlier: another node may have it. The patience grows with the
# time that answers take, and each time when it was too short.
HURRY_AFTER = 0.5
PATIENCE = 1.5

SEND_AGAIN_AFTER = 1.0
MOST_STANDINGS = 64  # rooms in one hello

# Refusals that settle nothing: the same command, with the same id, is sent again after a while. Those about names and
# sign-ins ask for minutes, and are for people to hear.
_FOR_PEOPLE = frozenset((ErrorCode.TOO_MANY_SIGN_INS, ErrorCode.TOO_MANY_NAMES, ErrorCode.TOO_MANY_CHALLENGES))
_SEND_AGAIN = frozenset(code for code in ErrorCode if code.retry is Retry.LATER) - _FOR_PEOPLE


class ClientSession:
    """One player's side, across all connections.

    Open a connection, call `connected`, then send whatever `outgoing` gives and hand every message that arrives to
    `receive`; call `disconnected` when the connection is lost and start again.
    """

    def __init__(self, client: str, first_id: int, token: str | None = None, name: str | None = None) -> None:
        """`first_id`: command ids count up from here; must not repeat those of earlier sessions of this player."""
        self.token = token
        self.rooms: dict[str, Mirror] = {}
        self.welcomed = False  # whether the present connection is past its welcome
        self._client = client
        self._name = name
        self._next_id = first_id
        self._connection = 0  # counts connections, to tell late messages of an old one
        self._unanswered: dict[int, Command] = {}  # in the order of sending
        self._syncing: dict[str, int] = {}  # room -> id of the sync under way
        self._postponed: dict[int, float] = {}  # command id -> when to send it again
        self._outgoing: list[ClientMessage] = []
        self._places: dict[str, Command] = {}  # seek -> the command that waits there, as long as a connection lasts
        self._heard_at = self._pinged_at = self._ticked_at = 0.0
        self._waits_since: float | None = None  # for the answer to a command
        self._hurried_at: float | None = None  # when we asked whether anybody is there
        self._patience = PATIENCE

    # -- the connection

    def connected(self, now: float) -> int:
        """A new connection is open. Gives its number, which goes with everything that arrives on it."""
        self._connection += 1
        self._heard_at = self._pinged_at = self._ticked_at = now
        self._forget_connection()
        # Games that go on come first, if there are more than one hello can hold.
        mirrors = sorted(self.rooms.values(), key=lambda mirror: mirror.result is not None)
        standings = tuple(mirror.standing for mirror in mirrors[:MOST_STANDINGS])
        self._outgoing = [Hello(self._client, self.token, standings, None if self.token else self._name)]
        return self._connection

    def disconnected(self) -> None:
        """The connection is lost; what was not answered will be sent again on the next one."""
        self._forget_connection()
        self._outgoing = []

    def _forget_connection(self) -> None:
        self.welcomed = False
        self._postponed.clear()  # everything unanswered is sent again anyway
        # Hello asks for what a sync would have brought.
        for id in self._syncing.values():
            self._unanswered.pop(id, None)
        self._syncing.clear()
        self._waits_since = self._hurried_at = None

    def tick(self, now: float) -> bool:
        """Call this every second or so: pings when it is time, and sends again what the server could not take before.

        False when the connection is as good as dead.
        """
        if self.welcomed and now - self._pinged_at >= PING_EVERY:
            self._pinged_at = now
            self._outgoing.append(Ping())
        for id in [id for id, due in self._postponed.items() if due <= now]:
            del self._postponed[id]
            if self.welcomed and id in self._unanswered:
                self._outgoing.append(self._unanswered[id])  # type: ignore[arg-type]  # every Command is a ClientMessage
        return now - self._heard_at < SILENCE_MEANS_DEAD and not self._lost_patience(now)

    def _lost_patience(self, now: float) -> bool:
        """Whether an answer is overdue and nobody has said anything since we asked for a sign of life."""
        slept, self._ticked_at = now - self._ticked_at > PATIENCE, now
        if not self.welcomed or not self._unanswered:
            self._waits_since = self._hurried_at = None
        elif self._waits_since is None or slept:  # what came while we slept was not read yet
            self._waits_since, self._hurried_at = now, None
        elif self._hurried_at is None:
            if now - max(self._waits_since, self._heard_at) >= HURRY_AFTER:
                self._hurried_at = now
                self._outgoing.append(Ping())
        elif now - self._hurried_at >= self._patience:
            self._patience = min(2 * self._patience, SILENCE_MEANS_DEAD)
            return True
        return False

    def outgoing(self) -> list[ClientMessage]:
        """What is to be sent now, in order."""
        messages, self._outgoing = self._outgoing, []
        return messages

    # -- commands

    def send(self, command: Command) -> int:
        """Have a command carried out, now or when the connection is back. Its id is chosen here and given back."""
        id = self._next_id
        self._next_id += 1
        numbered = replace(command, id=id)
        self._unanswered[id] = numbered
        if self.welcomed:
            self._outgoing.append(numbered)  # type: ignore[arg-type]  # every Command is a ClientMessage
        return id

    @property
    def unanswered(self) -> tuple[Command, ...]:
        """Commands whose answer is still to come."""
        return tuple(self._unanswered.values())

    # -- what arrives

    def receive(self, connection: int, message: ServerMessage, now: float) -> bool:
        """Take in a message. False if it changes nothing: late, repeated, or out of step and being repaired."""
        if connection != self._connection:
            return False
        self._heard_at = now
        if self._hurried_at is not None:
            self._patience = max(PATIENCE, 4 * (now - self._hurried_at))
            self._hurried_at = None
        match message:
            case Paired() if message.seek is not None:
                self._places.pop(message.seek, None)
                return True
            case Welcome():
                return self._take_welcome(message)
            case Pong():
                for standing in message.rooms:
                    self._compare(standing)
                return True
            case Moved() | Happened():
                return self._take_update(message)
            case Room():
                self.rooms[message.room] = Mirror(message)
                self._syncing.pop(message.room, None)
                self._answered(message.id)
                return True
            case Refused():
                return self._take_refusal(message, now)
            case Ok():
                return self._take_ok(message)
            case _:
                return self._answered(getattr(message, "id", None))

    def _take_welcome(self, welcome: Welcome) -> bool:
        if self.welcomed:
            return False
        self.token = welcome.token
        self.welcomed = True
        # Places in queues have gone with the connection: take them again.
        self._unanswered = {command.id: command for command in self._places.values()} | self._unanswered
        self._outgoing += self._unanswered.values()  # type: ignore[arg-type]  # every Command is a ClientMessage
        return True

    def _take_refusal(self, refused: Refused, now: float) -> bool:
        if refused.id is not None:
            if refused.id in self._unanswered and refused.code in _SEND_AGAIN:
                self._postponed[refused.id] = now + SEND_AGAIN_AFTER
                return False
            self._places = {seek: command for seek, command in self._places.items() if command.id != refused.id}
            return self._answered(refused.id)
        if refused.code == ErrorCode.TOKEN_UNKNOWN and not self.welcomed:
            # The server does not know us any more: go on as a new guest, without what belonged to the old one.
            self.token = None
            self.rooms.clear()
            self._places.clear()
            self._outgoing = [Hello(self._client, None, (), self._name)]
        return True

    def _take_ok(self, ok: Ok) -> bool:
        command = self._unanswered.get(ok.id)
        if isinstance(command, Leave):
            self.rooms.pop(command.room, None)
        elif isinstance(command, Cancel):
            self._places.pop(command.seek, None)
        elif isinstance(command, Queue | Seek) and ok.seek is not None:
            if ok.seek in self._places:
                self._answered(ok.id)
                return False  # the place is ours again
            self._places[ok.seek] = command
        synced = [room for room, sync in self._syncing.items() if sync == ok.id]
        fresh = self._answered(ok.id)
        for room in synced:
            # The missed updates have come. If the copy broke over one of them, only the whole room helps.
            if room in self.rooms and not self.rooms[room].true:
                self._ask(self.rooms[room], whole=True)
        return fresh

    def _answered(self, id: int | None) -> bool:
        """Whether this is news: no answer at all, or the first one to a command of ours."""
        if id is None:
            return True
        self._syncing = {room: sync for room, sync in self._syncing.items() if sync != id}
        return self._unanswered.pop(id, None) is not None

    def _take_update(self, update: Moved | Happened) -> bool:
        mirror = self.rooms.get(update.room)
        if mirror is None:
            return False
        verdict = mirror.take(update)
        if verdict in (Verdict.GAP, Verdict.BROKEN):
            self._ask(mirror, whole=verdict is Verdict.BROKEN)
        return verdict is Verdict.APPLIED

    def _compare(self, newest: Standing) -> None:
        """Something was lost on the way if the server is further than we are."""
        mirror = self.rooms.get(newest.room)
        if mirror is None:
            return
        whole = not mirror.true or newest.epoch > mirror.epoch
        if whole or (newest.epoch == mirror.epoch and newest.seq > mirror.seq):
            self._ask(mirror, whole)

    def _ask(self, mirror: Mirror, whole: bool) -> None:
        room = mirror.room.room
        if whole:
            mirror.true = False
        if room not in self._syncing:
            standing = mirror.standing
            self._syncing[room] = self._next_id
            self.send(Sync(id=0, room=room, epoch=standing.epoch, seq=standing.seq))


class ServerSession:
    """The server's side of one connection: hello first, pings answered, bad frames refused without harm."""

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        self.greeted = False  # whether hello has come
        self._outgoing: list[Message | Moved] = []

    def receive(self, frame: bytes | str, standings: Standings = tuple) -> ClientMessage | None:
        """The message to act on, if there is one; `standings` gives the newest seq of the rooms that are followed."""
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
            sentence = "Hello was said already." if self.greeted else "Say hello first."
            self.send(Refused(code=ErrorCode.HELLO_FIRST, text=sentence, id=id))
            return None
        if isinstance(message, Ping):
            self.send(Pong(message.n, standings()))
            return None
        self.greeted = True
        return message

    def forget_hello(self) -> None:
        """A hello was refused: another one may follow on this connection."""
        self.greeted = False

    def send(self, message: Message | Moved) -> None:
        self._outgoing.append(message)

    def answers(self) -> list[Message | Moved]:
        """What is to be sent now, in order, for those who encode by themselves."""
        messages, self._outgoing = self._outgoing, []
        return messages

    def outgoing(self) -> list[bytes]:
        """The frames to write now, in order."""
        return [self.codec.encode(message) for message in self.answers()]
