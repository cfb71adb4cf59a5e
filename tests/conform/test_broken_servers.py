"""Servers that break one rule each: the check names that rule and no other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace
from websockets.asyncio.server import ServerConnection
from websockets.typing import Subprotocol

from parlour.conform.codec import JSON, MSGPACK
from parlour.conform.connection import Connection, Session
from parlour.conform.report import Verdict
from parlour.conform.rules import SERVER_RULES
from parlour.conform.script import Close, Outgoing, Script
from parlour.conform.scripted_room import ScriptedRoom
from parlour.conform.scripted_server import ScriptedServer
from parlour.conform.server_check import check_server
from parlour.protocol import messages as wire
from parlour.protocol.errors import ErrorCode
from parlour.protocol.reply_cache import ReplyCache
from parlour.protocol.types import Player, Result

# Long enough for one message on a busy machine; only a few faults wait this long.
TIMEOUT = 2.0

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


class OneSession(ScriptedServer):
    """A server that gives every connection the same session."""

    def new_session_id(self) -> str:
        return "session"


class Strict(ScriptedServer):
    """Refuses messages with unknown fields."""

    def receive(self, connection: Connection, session: Session, frame: bytes | str) -> None:
        if b"mood" in (frame if isinstance(frame, bytes) else frame.encode()):
            connection.send(wire.Refused(code=ErrorCode.REQUEST_MALFORMED, text="hello has no mood."))
        else:
            super().receive(connection, session, frame)


class Speechless(ScriptedServer):
    """A server that selects no subprotocol."""

    def choose(self, _: ServerConnection, offered: Sequence[Subprotocol]) -> None:
        return None


class AlwaysWhole(ScriptedServer):
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


class Case(NamedTuple):
    """A server that breaks a rule, and the other rules that it inevitably breaks."""

    rule: str
    script: Script = Script()
    server: type[ScriptedServer] = ScriptedServer
    also: tuple[str, ...] = ()


E = ErrorCode

# A server without a subprotocol cannot answer, so these rules are broken too.
SPEECHLESS = ("welcome", "token-unknown", "hello-first", "fields-unknown")

CASES = [
    Case("readable", Altered(wire.Ok, lambda _, ok: (ok, {"t": "presence", "room": 5}))),
    Case("one-answer", Altered(wire.Ok, lambda _, ok: (ok, ok) if ok.seek else ok)),
    Case("numbers", left_out("declined"), also=("offer",)),
    Case("hashes", Altered(wire.Room, wrong_for_spectators)),
    Case("subprotocol", server=Speechless, also=SPEECHLESS),
    Case("welcome", Altered(wire.Welcome, lambda _, welcome: replace(welcome, games=()))),
    Case("token", Altered(wire.Welcome, different_player)),
    Case("session", server=OneSession, also=("sessions-apart",)),
    Case("token-unknown", recoded(E.TOKEN_UNKNOWN, E.REQUEST_MALFORMED)),
    Case("hello-first", without_id(E.HELLO_FIRST)),
    Case("hello-once", hangs_up("You have already")),
    Case("ping", Altered(wire.Pong, lambda _, pong: replace(pong, n=pong.n + 1))),
    Case("message-unknown", without_id(E.MESSAGE_UNKNOWN)),
    Case("fields-unknown", server=Strict),
    Case("frame-malformed", hangs_up("This is not")),
    Case("field-malformed", without_id(E.REQUEST_MALFORMED)),
    Case("too-large", recoded(E.REQUEST_TOO_LARGE, E.REQUEST_MALFORMED)),
    Case("both-subprotocols", Altered(wire.Moved, shouts_in_json)),
    Case("game-unknown", recoded(E.GAME_UNKNOWN, E.REQUEST_MALFORMED)),
    Case("option-refused", recoded(E.OPTION_INVALID, E.OPTION_UNKNOWN)),
    Case("queue", Altered(wire.Ok, lambda _, ok: replace(ok, seek=None))),
    Case("paired-again", Altered(wire.Paired, lambda _, paired: paired if paired.seek else ())),
    Case("join", Altered(wire.Room, lambda _, room: replace(room, players=()))),
    Case("room-unknown", recoded(E.ROOM_UNKNOWN, E.NOT_IN_ROOM)),
    Case("not-in-room", recoded(E.NOT_IN_ROOM, E.NOT_A_PLAYER)),
    Case("watch", Altered(wire.Room, tells_spectators)),
    Case("not-a-player", recoded(E.NOT_A_PLAYER, E.NOT_YOUR_TURN)),
    Case("choices", Altered(wire.Choices, lambda _, choices: replace(choices, prompts=()))),
    Case("declined", Altered(wire.Welcome, sends_choices_to_all)),
    Case("explore", Altered(wire.Choices, lambda _, choices: replace(choices, picks=()))),
    Case("play", Altered(wire.Ok, lambda _, ok: replace(ok, seq=None)), also=("offer",)),
    Case("play-text", Ignored(wire.Play, picks_only, lambda play: refusal(E.REQUEST_MALFORMED, play.id))),
    Case("repeat", Altered(wire.Welcome, never_remembers), also=("id-reused", "resume-unanswered")),
    Case("id-reused", recoded(E.ID_REUSED, E.REQUEST_MALFORMED)),
    Case("sessions-apart", Altered(wire.Welcome, ignores_sessions)),
    Case("ok-epoch", Altered(wire.Ok, lambda _, ok: replace(ok, epoch=None))),
    Case("stale-ply", recoded(E.STALE_PLY, E.MOVE_ILLEGAL)),
    Case("not-your-turn", recoded(E.NOT_YOUR_TURN, E.MOVE_ILLEGAL)),
    Case("move-illegal", recoded(E.MOVE_ILLEGAL, E.MOVE_MALFORMED)),
    Case("move-malformed", recoded(E.MOVE_MALFORMED, E.MOVE_ILLEGAL)),
    Case("sync-missed", After(lambda message: isinstance(message, wire.Sync))),
    Case("sync-current", SyncTellsAgain()),
    Case("sync-whole", Ignored(wire.Sync, lambda sync: sync.epoch == 0, lambda sync: wire.Ok(id=sync.id))),
    Case("pong-cursors", Altered(wire.Pong, lambda _, pong: replace(pong, rooms=()))),
    Case("resume-missed", After(comes_back), also=("numbers", "resume-unanswered")),
    Case("resume-current", server=AlwaysWhole),
    Case("resume-unanswered", Altered(wire.Welcome, forgets)),
    Case("say", Altered(wire.Said, lambda _, said: replace(said, text=said.text.upper()))),
    Case("leave", Ignored(wire.Leave, lambda _: True, lambda leave: wire.Ok(id=leave.id))),
    Case("offer", happened("offered", offer="rematch")),
    Case("nothing-offered", recoded(E.NOTHING_OFFERED, E.OFFER_REFUSED)),
    Case("abort", ended(lambda result: Result(0, "aborted") if result.reason == "aborted" else result)),
    Case("too-late-to-abort", recoded(E.TOO_LATE_TO_ABORT, E.GAME_OVER)),
    Case("resign", ended(lambda result: Result(None, "resigned") if result.reason == "resigned" else result)),
    Case("whole-game", ended(lambda result: result if result.reason in ("aborted", "resigned") else None)),
    Case("game-over", recoded(E.GAME_OVER, E.NOT_YOUR_TURN)),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.rule for case in CASES])
async def test_a_broken_rule_is_named(case: Case) -> None:
    """The broken rule is reported, and no rule that the server keeps is reported as broken."""
    async with case.server(case.script, opponent=False) as server:
        report = await check_server(server.url, codecs=(MSGPACK,), timeout=TIMEOUT)
    assert set(report.of(Verdict.BROKEN)) == {case.rule, *case.also}, report.table()
    assert report.exit_code == 1


def test_every_rule_can_be_broken() -> None:
    """For every server rule there is a case that breaks it."""
    assert [case.rule for case in CASES] == [rule.key for rule in SERVER_RULES]
