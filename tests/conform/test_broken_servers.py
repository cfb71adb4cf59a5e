"""Servers that break one rule each: the check must name it, and blame nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace
from websockets.asyncio.server import ServerConnection
from websockets.typing import Subprotocol

from parlour.conform.connection import Connection, Session
from parlour.conform.report import Verdict
from parlour.conform.rules import SERVER_RULES
from parlour.conform.script import Close, Leaving, Script
from parlour.conform.scripted_room import ScriptedRoom
from parlour.conform.scripted_server import ScriptedServer
from parlour.conform.server_check import check_server
from parlour.protocol import messages as wire
from parlour.protocol.codec import JSON, MSGPACK
from parlour.protocol.errors import ErrorCode
from parlour.protocol.feed import Ledger
from parlour.protocol.tables import Player, Result

# Long enough for a message on one busy machine; only a few of the faults are waited for.
PATIENCE = 2.0

Sent = Any  # a message of the server
Alter = Callable[[Connection, Sent], Leaving]


class Altered(Script):
    """Changes messages of one kind on their way out: into another, into several (a tuple), or into none."""

    def __init__(self, kind: type[msgspec.Struct], alter: Alter) -> None:
        self._kind = kind
        self._alter = alter

    def leaving(self, connection: Connection, message: Sent) -> Iterable[Leaving]:
        if not isinstance(message, self._kind):
            return (message,)
        altered = self._alter(connection, message)
        return altered if isinstance(altered, tuple) else (altered,)


class Ignored(Script):
    """Never sees the commands of one kind that fit, and answers something of its own."""

    def __init__(
        self, kind: type[wire.Command], fits: Callable[[Sent], bool], answer: Callable[[Sent], Leaving]
    ) -> None:
        self._kind = kind
        self._fits = fits
        self._answer = answer

    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if not isinstance(message, self._kind) or not self._fits(message):
            return True
        connection.put(self._answer(message))
        return False


class After(Script):
    """Leaves out the first move after a message from the client that fits."""

    def __init__(self, fits: Callable[[wire.ClientMessage], bool]) -> None:
        self._fits = fits
        self._armed = False

    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self._armed = self._fits(message)
        return True

    def leaving(self, connection: Connection, message: Sent) -> Iterable[Leaving]:
        if not self._armed or not isinstance(message, wire.Moved):
            return (message,)
        self._armed = False
        return ()


class Forgetful(Ledger):
    """Knows no command that it has seen before."""

    def find(self, sender: Any, id: int) -> None:
        return None


class Strict(ScriptedServer):
    """Refuses fields that it does not know."""

    def receive(self, connection: Connection, session: Session, frame: bytes | str) -> None:
        if b"mood" in (frame if isinstance(frame, bytes) else frame.encode()):
            connection.send(wire.Refused(code=ErrorCode.REQUEST_MALFORMED, text="hello has no mood."))
        else:
            super().receive(connection, session, frame)


class Speechless(ScriptedServer):
    """Chooses no subprotocol."""

    def choose(self, _: ServerConnection, offered: Sequence[Subprotocol]) -> None:
        return None


class AlwaysWhole(ScriptedServer):
    """Sends the whole room to everybody who comes back."""

    def catch_up(
        self, connection: Connection, room: ScriptedRoom, standing: wire.Standing, id: int | None = None
    ) -> None:
        super().catch_up(connection, room, wire.Standing(room.id, 0, 0) if id is None else standing, id)


class SyncTellsAgain(Script):
    """Begins the answer to every sync with the update that the client says it has."""

    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if isinstance(message, wire.Sync) and message.epoch:
            feed = connection.rooms[message.room].feed
            last = feed.since(wire.Standing(message.room, feed.epoch, feed.seq - 1))
            if last and message.seq == feed.seq:
                connection.put(last[0])
        return True


def recoded(code: ErrorCode, other: ErrorCode) -> Script:
    """Refuses with another code."""
    return Altered(wire.Refused, lambda _, refused: replace(refused, code=other) if refused.code == code else refused)


def without_id(code: ErrorCode) -> Script:
    """Refuses without saying what."""
    return Altered(wire.Refused, lambda _, refused: replace(refused, id=None) if refused.code == code else refused)


def ended(alter: Callable[[Result], Result | None]) -> Script:
    """Tells another result, or none, when a game ends."""

    def change(_: Connection, update: wire.Happened) -> Leaving:
        if update.result is None:
            return update
        result = alter(update.result)
        return () if result is None else replace(update, result=result)

    return Altered(wire.Happened, change)


def left_out(what: str) -> Script:
    """Does not tell that something happened."""
    return Altered(wire.Happened, lambda _, update: () if update.what == what else update)


def refusal(code: ErrorCode, id: int) -> wire.Refused:
    return wire.Refused(code=code, text=code.meaning, id=id)


def happened(what: str, **changes: Any) -> Script:
    """Tells something that happened in another way."""
    return Altered(wire.Happened, lambda _, update: replace(update, **changes) if update.what == what else update)


def hangs_up(beginning: str) -> Script:
    """Closes the connection after a refusal with such a text."""
    return Altered(
        wire.Refused, lambda _, refused: (refused, Close(1011)) if refused.text.startswith(beginning) else refused
    )


def picks_only(play: wire.Play) -> bool:
    """Whether it is a turn as text."""
    return play.move is not None and len(play.move) in range(2, 9)


def comes_back(message: wire.ClientMessage) -> bool:
    return isinstance(message, wire.Hello) and bool(message.rooms)


def wrong_for_watchers(_: Connection, room: wire.Room) -> wire.Room:
    return replace(room, hash=room.hash ^ 1) if room.seat is None else room


def forgets(connection: Connection, welcome: wire.Welcome) -> wire.Welcome:
    assert connection.guest is not None
    connection.guest.ledger = Ledger()
    return welcome


def sends_choices_to_all(connection: Connection, welcome: Sent) -> Leaving:
    """Does not listen to the part of hello that declines them."""
    connection.wants_choices = True
    return welcome


def never_remembers(connection: Connection, welcome: wire.Welcome) -> wire.Welcome:
    assert connection.guest is not None
    connection.guest.ledger = Forgetful()
    return welcome


def somebody_else(connection: Connection, welcome: wire.Welcome) -> wire.Welcome:
    return replace(welcome, you=Player(f"Guest of {id(connection)}"))


def tells_watchers(connection: Connection, room: wire.Room) -> Leaving:
    return (room, connection.rooms[room.room].choices()) if room.seat is None else room


def shouts_in_json(connection: Connection, moved: wire.Moved) -> wire.Moved:
    return replace(moved, move=moved.move.upper() + "!") if connection.codec is JSON else moved


class Case(NamedTuple):
    """A server that breaks a rule, and what else that must break."""

    rule: str
    script: Script = Script()
    server: type[ScriptedServer] = ScriptedServer
    also: tuple[str, ...] = ()


E = ErrorCode

# Nothing can be said to a server without a subprotocol, so these do not get their answers.
SPEECHLESS = ("welcome", "token-unknown", "hello-first", "fields-unknown")

CASES = [
    Case("readable", Altered(wire.Ok, lambda _, ok: (ok, {"t": "presence", "room": 5}))),
    Case("one-answer", Altered(wire.Ok, lambda _, ok: (ok, ok) if ok.seek else ok)),
    Case("numbers", left_out("declined"), also=("offer",)),
    Case("hashes", Altered(wire.Room, wrong_for_watchers)),
    Case("subprotocol", server=Speechless, also=SPEECHLESS),
    Case("welcome", Altered(wire.Welcome, lambda _, welcome: replace(welcome, games=()))),
    Case("token", Altered(wire.Welcome, somebody_else)),
    Case("token-unknown", recoded(E.TOKEN_UNKNOWN, E.REQUEST_MALFORMED)),
    Case("hello-first", without_id(E.HELLO_FIRST)),
    Case("hello-once", hangs_up("Hello was")),
    Case("ping", Altered(wire.Pong, lambda _, pong: replace(pong, n=pong.n + 1))),
    Case("message-unknown", without_id(E.MESSAGE_UNKNOWN)),
    Case("fields-unknown", server=Strict),
    Case("frame-malformed", hangs_up("This is not")),
    Case("field-malformed", without_id(E.REQUEST_MALFORMED)),
    Case("too-large", recoded(E.REQUEST_TOO_LARGE, E.REQUEST_MALFORMED)),
    Case("both-forms", Altered(wire.Moved, shouts_in_json)),
    Case("game-unknown", recoded(E.GAME_UNKNOWN, E.REQUEST_MALFORMED)),
    Case("option-refused", recoded(E.OPTION_INVALID, E.OPTION_UNKNOWN)),
    Case("queue", Altered(wire.Ok, lambda _, ok: replace(ok, seek=None))),
    Case("paired-again", Altered(wire.Paired, lambda _, paired: paired if paired.seek else ())),
    Case("join", Altered(wire.Room, lambda _, room: replace(room, chairs=()))),
    Case("room-unknown", recoded(E.ROOM_UNKNOWN, E.NOT_IN_ROOM)),
    Case("not-in-room", recoded(E.NOT_IN_ROOM, E.NOT_A_PLAYER)),
    Case("watch", Altered(wire.Room, tells_watchers)),
    Case("not-a-player", recoded(E.NOT_A_PLAYER, E.NOT_YOUR_TURN)),
    Case("choices", Altered(wire.Choices, lambda _, choices: replace(choices, prompts=()))),
    Case("declined", Altered(wire.Welcome, sends_choices_to_all)),
    Case("explore", Altered(wire.Choices, lambda _, choices: replace(choices, picks=()))),
    Case("play", Altered(wire.Ok, lambda _, ok: replace(ok, seq=None)), also=("offer",)),
    Case("play-text", Ignored(wire.Play, picks_only, lambda play: refusal(E.REQUEST_MALFORMED, play.id))),
    Case("repeat", Altered(wire.Welcome, never_remembers), also=("resume-unanswered",)),
    Case("stale-ply", recoded(E.STALE_PLY, E.MOVE_ILLEGAL)),
    Case("not-your-turn", recoded(E.NOT_YOUR_TURN, E.MOVE_ILLEGAL)),
    Case("move-illegal", recoded(E.MOVE_ILLEGAL, E.MOVE_MALFORMED)),
    Case("move-malformed", recoded(E.MOVE_MALFORMED, E.MOVE_ILLEGAL)),
    Case("sync-missed", After(lambda message: isinstance(message, wire.Sync))),
    Case("sync-current", SyncTellsAgain()),
    Case("sync-whole", Ignored(wire.Sync, lambda sync: sync.epoch == 0, lambda sync: wire.Ok(id=sync.id))),
    Case("pong-standings", Altered(wire.Pong, lambda _, pong: replace(pong, rooms=()))),
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
    """A server that breaks one rule is told so, and no rule that it keeps is called broken."""
    async with case.server(case.script, opponent=False) as server:
        report = await check_server(server.url, forms=(MSGPACK,), patience=PATIENCE)
    assert set(report.of(Verdict.BROKEN)) == {case.rule, *case.also}, report.table()
    assert report.exit_code == 1


def test_every_rule_can_be_broken() -> None:
    """For every rule of a server there is one here that breaks it."""
    assert [case.rule for case in CASES] == [rule.key for rule in SERVER_RULES]
