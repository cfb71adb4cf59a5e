"""Ways to break the small server: scripts that alter its messages, and servers with another method."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace
from websockets.asyncio.server import ServerConnection
from websockets.typing import Subprotocol

from parlour.conform.codec import JSON
from parlour.conform.connection import Connection, Session
from parlour.conform.script import Close, Outgoing, Script
from parlour.conform.scripted_room import ScriptedRoom
from parlour.protocol import messages as wire
from parlour.protocol.errors import ErrorCode
from parlour.protocol.reply_cache import ReplyCache
from parlour.protocol.types import Player, Result
from tests.conform.small_server import SmallServer

Sent = Any  # a server message
Alter = Callable[[Connection, Sent], Outgoing]


class Altered(Script):
    """Replaces outgoing messages of one kind by another message, by several (a tuple), or by none."""

    def __init__(self, kind: type[msgspec.Struct], alter: Alter) -> None:
        self._kind = kind
        self._alter = alter

    def outgoing(self, connection: Connection, message: Sent) -> Iterable[Outgoing]:
        if not isinstance(message, self._kind):
            return (message,)
        altered = self._alter(connection, message)
        return altered if isinstance(altered, tuple) else (altered,)


class Ignored(Script):
    """Ignores matching commands of one kind, and sends a different answer."""

    def __init__(
        self, kind: type[wire.Command], fits: Callable[[Sent], bool], answer: Callable[[Sent], Outgoing]
    ) -> None:
        self._kind = kind
        self._fits = fits
        self._answer = answer

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if not isinstance(message, self._kind) or not self._fits(message):
            return True
        connection.put(self._answer(message))
        return False


class After(Script):
    """Omits the first move after a matching message from the client."""

    def __init__(self, fits: Callable[[wire.ClientMessage], bool]) -> None:
        self._fits = fits
        self._armed = False

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self._armed = self._fits(message)
        return True

    def outgoing(self, connection: Connection, message: Sent) -> Iterable[Outgoing]:
        if not self._armed or not isinstance(message, wire.Moved):
            return (message,)
        self._armed = False
        return ()


class Forgetful(ReplyCache):
    """A reply cache that finds no earlier command."""

    def get(self, sender: Any, command: wire.Command) -> None:
        return None


class OneSession(SmallServer):
    """A server that gives every connection the same session."""

    def new_session_id(self) -> str:
        return "session"


class Strict(SmallServer):
    """Refuses messages with unknown fields."""

    def receive(self, connection: Connection, session: Session, frame: bytes | str) -> None:
        if b"mood" in (frame if isinstance(frame, bytes) else frame.encode()):
            connection.send(wire.Refused(code=ErrorCode.REQUEST_MALFORMED, text="hello has no mood."))
        else:
            super().receive(connection, session, frame)


class Speechless(SmallServer):
    """A server that selects no subprotocol."""

    def choose(self, _: ServerConnection, offered: Sequence[Subprotocol]) -> None:
        return None


class AlwaysWhole(SmallServer):
    """Sends the whole room to every client that reconnects."""

    def catch_up(self, connection: Connection, room: ScriptedRoom, cursor: wire.Cursor, id: int | None = None) -> None:
        super().catch_up(connection, room, wire.Cursor(room.id, 0, 0) if id is None else cursor, id)


class SyncTellsAgain(Script):
    """Starts the answer to every sync with an update that the client already has."""

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if isinstance(message, wire.Sync) and message.epoch:
            updates = connection.rooms[message.room].updates
            last = updates.since(wire.Cursor(message.room, updates.epoch, updates.seq - 1))
            if last and message.seq == updates.seq:
                connection.put(last[0])
        return True


def recoded(code: ErrorCode, other: ErrorCode) -> Script:
    """Refuse with a different error code."""
    return Altered(wire.Refused, lambda _, refused: replace(refused, code=other) if refused.code == code else refused)


def without_id(code: ErrorCode) -> Script:
    """Omit the command id from refusals."""
    return Altered(wire.Refused, lambda _, refused: replace(refused, id=None) if refused.code == code else refused)


def ended(alter: Callable[[Result], Result | None]) -> Script:
    """Report a different result, or none, when a game ends."""

    def change(_: Connection, update: wire.RoomEvent) -> Outgoing:
        if update.result is None:
            return update
        result = alter(update.result)
        return () if result is None else replace(update, result=result)

    return Altered(wire.RoomEvent, change)


def left_out(what: str) -> Script:
    """Omit events of one kind."""
    return Altered(wire.RoomEvent, lambda _, update: () if update.kind == what else update)


def refusal(code: ErrorCode, id: int) -> wire.Refused:
    return wire.Refused(code=code, text=code.meaning, id=id)


def happened(what: str, **changes: Any) -> Script:
    """Alter events of one kind."""
    return Altered(wire.RoomEvent, lambda _, update: replace(update, **changes) if update.kind == what else update)


def hangs_up(beginning: str) -> Script:
    """Close the connection after a refusal whose text starts like this."""
    return Altered(
        wire.Refused, lambda _, refused: (refused, Close(1011)) if refused.text.startswith(beginning) else refused
    )


def picks_only(play: wire.Play) -> bool:
    """Return whether this turn is given as text."""
    return play.move is not None and len(play.move) in range(2, 9)


def comes_back(message: wire.ClientMessage) -> bool:
    return isinstance(message, wire.Hello) and bool(message.rooms)


def wrong_for_spectators(_: Connection, room: wire.Room) -> wire.Room:
    return replace(room, hash=room.hash ^ 1) if room.seat is None else room


def forgets(connection: Connection, welcome: wire.Welcome) -> wire.Welcome:
    assert connection.guest is not None
    connection.guest.replies = ReplyCache()
    return welcome


def sends_choices_to_all(connection: Connection, welcome: Sent) -> Outgoing:
    """Ignore that the client declined choices in hello."""
    connection.wants_choices = True
    return welcome


def never_remembers(connection: Connection, welcome: wire.Welcome) -> wire.Welcome:
    assert connection.guest is not None
    connection.guest.replies = Forgetful()
    return welcome


def ignores_sessions(connection: Connection, welcome: wire.Welcome) -> wire.Welcome:
    """Recognise commands by their player and id alone."""
    connection.session_id = ""
    return welcome


def different_player(connection: Connection, welcome: wire.Welcome) -> wire.Welcome:
    return replace(welcome, you=Player(f"Guest of {id(connection)}"))


def tells_spectators(connection: Connection, room: wire.Room) -> Outgoing:
    return (room, connection.rooms[room.room].choices()) if room.seat is None else room


def shouts_in_json(connection: Connection, moved: wire.Moved) -> wire.Moved:
    return replace(moved, move=moved.move.upper() + "!") if connection.codec is JSON else moved
