"""Observes a client in every game, for the rules that always hold."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from parlour.conform.codec import CODECS
from parlour.conform.connection import Connection
from parlour.conform.script import Outgoing, Script
from parlour.conform.scripted_room import ScriptedRoom
from parlour.conform.scripted_server import ScriptedServer
from parlour.protocol import messages as wire
from parlour.protocol.errors import ErrorCode

# An exploration may cross an update: it is a question, and changes nothing.
_LATE = (ErrorCode.STALE_PLY, ErrorCode.NOT_YOUR_TURN, ErrorCode.GAME_OVER)

MOST_A_SECOND = 20  # messages that a client may send in excess of the server's

_NOT_WELL_FORMED = (ErrorCode.REQUEST_MALFORMED, ErrorCode.REQUEST_TOO_LARGE)


class ClientMonitor(Script):
    """Passes everything on to another script, and observes one client across all its connections."""

    def __init__(self, script: Script, time: Callable[[], float], *, diverges: bool = False) -> None:
        """`diverges`: the script makes the client distrust what it knows."""
        self.seen: set[str] = set()  # rules for which there was an observation
        self.complaints: dict[str, str] = {}  # rule -> the first violation
        self._script = script
        self._time = time
        self._diverges = diverges
        self._traffic: dict[Connection, deque[tuple[float, int]]] = {}  # 1 for a message to the server, -1 for one back
        self._welcomed: set[Connection] = set()
        self._tokens: set[str] = set()  # the tokens that this client was given
        self._has_read_welcome = False  # at least one: the client has answered it
        self._session_id = ""  # of the newest welcome that was sent
        self._commands: dict[tuple[str, int], wire.Command] = {}  # by session and id
        self._newest: dict[str, tuple[int, int]] = {}  # room -> the newest epoch and seq that the client was sent

    def note(self, rule: str, fine: bool, complaint: str) -> None:
        self.seen.add(rule)
        if not fine and rule not in self.complaints:
            self.complaints[rule] = complaint
            self.mark(complaint)

    # -- what only the script needs

    def attach(self, server: ScriptedServer) -> None:
        super().attach(server)
        self._script.attach(server)

    def closed(self, connection: Connection) -> None:
        self._script.closed(connection)

    def thinks(self, room: ScriptedRoom) -> float:
        return self._script.thinks(room)

    def open_lobby(self) -> None:
        self._script.open_lobby()

    def challenge(self) -> None:
        self._script.challenge()

    # -- messages from the client

    def opened(self, connection: Connection) -> None:
        offered = connection.socket.request.headers.get("Sec-WebSocket-Protocol") if connection.socket.request else None
        self.note("subprotocol", connection.codec is not None, f"offered {offered}, not one of {', '.join(CODECS)}")
        self._script.opened(connection)

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.seen |= {"hello-first", "well-formed"}
        self._count(connection, 1)
        if isinstance(message, wire.Hello):
            self._check_hello(message)
        else:
            tag = wire.name_of(type(message))
            self.note("waits-for-welcome", connection in self._welcomed, f"{tag} came before welcome was sent")
            self._has_read_welcome = True
        if isinstance(message, wire.Command):
            before = self._commands.setdefault((connection.session_id, message.id), message)
            self.note("fresh-ids", before == message, f"id {message.id} was used for {before} and for {message}")
        if isinstance(message, wire.Play):
            self.seen.add("legal")
        return self._script.incoming(connection, message)

    def pinged(self, connection: Connection) -> None:
        self._count(connection, 1)
        self._script.pinged(connection)

    def _count(self, connection: Connection, message: int) -> None:
        """Count a message to the server, or back with -1, and compare the last second with the limit."""
        now = self._time()
        traffic = self._traffic.setdefault(connection, deque())
        traffic.append((now, message))
        while traffic[0][0] < now - 1:
            traffic.popleft()
        more = sum(each for _, each in traffic)
        self.note("no-flood", more <= MOST_A_SECOND, f"in one second it sent {more} messages more than it got")

    def _check_hello(self, hello: wire.Hello) -> None:
        if self._has_read_welcome:  # and was not so slow that it abandoned its first connections
            came = f"the unknown token {hello.token}" if hello.token else "no token"
            self.note("resumes", hello.token in self._tokens, f"hello on a later connection had {came}")
            came = f"the session {hello.session}" if hello.session else "no session"
            continues = hello.session == self._session_id
            self.note("continues-session", continues, f"the session is {self._session_id}, and hello had {came}")
        cursors = {cursor.room: (cursor.epoch, cursor.seq) for cursor in hello.rooms}
        for room, newest in self._newest.items():
            stands = cursors.get(room)
            self.note(
                "stands",
                stands is not None,
                f"hello did not list {room}, which the client had been sent up to {newest}",
            )
            # The client may know less than was sent, because the last updates were lost. It cannot know more.
            known = (
                stands is None
                or (stands[0] == 0 and self._diverges)
                or (stands[0] == newest[0] and stands[1] <= newest[1])
            )
            self.note(
                "stands", known, f"hello listed {room} up to {stands}, but the client had been sent up to {newest}"
            )

    # -- messages to the client

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if isinstance(message, wire.Refused):
            self._check_refusal(connection, message)
        return self._script.outgoing(connection, message)

    def _check_refusal(self, connection: Connection, refused: wire.Refused) -> None:
        """Judge a refusal by the server. Refusals that a script injects do not pass through here."""
        if refused.code == ErrorCode.HELLO_FIRST:
            self.note("hello-first", False, f"hello was not the first message, or not the only hello: {refused.text}")
        if refused.code == ErrorCode.TOKEN_UNKNOWN:
            self._has_read_welcome = False  # a new guest has no token
            self._newest.clear()
        if refused.code in _NOT_WELL_FORMED:
            self.note("well-formed", False, refused.text)
        command = self._commands.get((connection.session_id, refused.id)) if refused.id is not None else None
        is_late = isinstance(command, wire.Explore) and refused.code in _LATE
        if isinstance(command, wire.Play | wire.Explore) and not is_late:
            self.note("legal", False, f"{command} was refused with {refused.code}: {refused.text}")

    def written(self, connection: Connection, message: Outgoing) -> None:
        self._count(connection, -1)
        match message:
            case wire.Welcome(token=token) | {"t": "welcome", "token": str(token)}:
                self._welcomed.add(connection)
                self._tokens.add(token)
                self._session_id = connection.session_id
            case wire.Room():
                self._newest[message.room] = message.epoch, message.seq
            case wire.Moved() | wire.RoomEvent():
                self._newest[message.room] = max(self._newest.get(message.room, (0, 0)), (message.epoch, message.seq))
        self._script.written(connection, message)
