"""A scripted connection to the server under test, with a log of everything that was received.

Checks send messages, well-formed or not, and wait for what must follow. The rules for every message are checked
here, for every connection, and noted in `Observations`.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, TypeGuard, TypeVar

from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from parlour.conform.frames import Frame, Transcript
from parlour.protocol import messages as wire
from parlour.protocol.codec import BadFrame, Codec
from parlour.protocol.errors import ErrorCode
from parlour.protocol.replica import ApplyResult, RoomReplica

M = TypeVar("M")


class RuleBroken(Exception):
    """The rule is broken. The message says what was observed."""


class NotReached(Exception):
    """The rule could not be checked. The message says why."""


class NotApplicable(Exception):
    """The rule is about something that this server or this game does not have. The message says what."""


class TooShort(NotReached):
    """The game ended before the rule could be checked. Another game may be longer."""


class Observations:
    """Violations of the rules that hold for every message."""

    def __init__(self) -> None:
        self.seen: set[str] = set()  # rules for which there was an observation
        # rule -> the first violation, and the frames up to it
        self.complaints: dict[str, tuple[str, tuple[Frame, ...]]] = {}

    def note(self, rule: str, fine: bool, complaint: str, transcript: Transcript) -> None:
        self.seen.add(rule)
        if not fine and rule not in self.complaints:
            self.complaints[rule] = complaint, transcript.frames


class Probe:
    """A connection that sends whatever a check needs."""

    def __init__(
        self,
        socket: ClientConnection,
        codec: Codec,
        observations: Observations,
        timeout: float,
        transcript: Transcript,
        number: int,
    ) -> None:
        self.socket = socket
        self.number = number  # of all connections of a run, from 1
        self.transcript = transcript
        self.codec = codec
        self.token: str | None = None
        self.session_id: str | None = None
        self.welcome: wire.Welcome | None = None
        self.log: list[wire.ServerMessage] = []
        self.replicas: dict[str, RoomReplica] = {}
        self.choices: dict[str, wire.Choices] = {}  # the newest that the kit did not request, by room
        self._observations = observations
        self._timeout = timeout
        self._sent: Counter[int] = Counter()
        self._answered: Counter[int] = Counter()
        self.ids = itertools.count(1)
        self._news = asyncio.Event()
        self._closed: str | None = None
        self._reader = asyncio.create_task(self._read())

    # -- sending

    async def send(self, message: wire.Message | dict[str, Any]) -> None:
        """Send a message, or any map in its place."""
        id = message.get("id") if isinstance(message, dict) else getattr(message, "id", None)
        if id is not None:
            self._sent[id] += 1
        self.transcript.add(self.number, "client", message)
        await self._write(self.codec.encode(message))

    async def send_frame(self, frame: bytes) -> None:
        """Send any bytes, in the kind of frame that the subprotocol uses."""
        self.transcript.add(self.number, "client", f"{len(frame)} bytes: {frame!r:.80}")
        await self._write(frame)

    async def _write(self, frame: bytes) -> None:
        try:
            await self.socket.send(frame, text=self.codec.text)
        except ConnectionClosed:
            raise RuleBroken(f"the connection was lost: {self._closed or 'closed'}") from None

    async def ask(self, command: wire.Command) -> Any:
        """Send a command with a new id. Return its answer."""
        return await self.repeat(replace(command, id=next(self.ids)))

    async def repeat(self, command: wire.Command) -> Any:
        """Send a command with the id that it has. Return the answer that follows."""
        while True:
            mark = self.mark()
            await self.send(command)
            answer = await self.answer(command.id, mark, wire.name_of(type(command)))
            if not isinstance(answer, wire.Refused) or answer.code != ErrorCode.TOO_FAST:
                return answer
            await asyncio.sleep(1)

    async def hello(
        self,
        token: str | None = None,
        rooms: tuple[wire.Cursor, ...] = (),
        *,
        choices: bool = True,
        session: str | None = None,
    ) -> wire.Welcome:
        """Say hello and wait for welcome; if the server limits new guests, retry as late as it says."""
        hello = wire.Hello("parlour conform", token, rooms, choices=choices, session=session)

        def is_answer(message: wire.Message) -> bool:
            return isinstance(message, wire.Welcome) or _waits(message)

        mark = self.mark()
        await self.send(hello)
        while _waits(answer := await self.wait(wire.Message, mark, "welcome after hello", is_answer)):
            await asyncio.sleep((answer.retry_after or 0) / 1000)
            mark = self.mark()
            await self.send(hello)
        assert isinstance(answer, wire.Welcome)
        self.welcome = answer
        self.token, self.session_id = self.welcome.token, self.welcome.session
        return self.welcome

    # -- receiving

    def mark(self) -> int:
        """Return the current end of the log."""
        return len(self.log)

    async def until(self, done: Callable[[], bool], what: str) -> None:
        """Wait until messages have made a condition true. Raise RuleBroken if that takes too long."""
        deadline = asyncio.get_running_loop().time() + self._timeout
        while not done():
            if self._closed is not None:
                raise RuleBroken(f"waited for {what}, but the connection was lost: {self._closed}")
            self._news.clear()
            try:
                async with asyncio.timeout_at(deadline):
                    await self._news.wait()
            except TimeoutError:
                raise RuleBroken(f"waited {self._timeout:g} s for {what}") from None

    async def wait(self, kind: type[M], since: int, what: str, fits: Callable[[M], bool] = lambda _: True) -> M:
        """Return the first message of a kind that fits, after a mark."""
        found: list[M] = []

        def search() -> bool:
            nonlocal since
            for message in self.log[since:]:
                if isinstance(message, kind) and fits(message):
                    found.append(message)
                    return True
            since = len(self.log)
            return False

        await self.until(search, what)
        return found[0]

    async def told(self, room: str, seq: int) -> wire.Moved:
        """Return the move with this seq, and wait for it if necessary."""
        return await self.wait(
            wire.Moved, 0, f"moved with seq {seq}", lambda moved: moved.room == room and moved.seq == seq
        )

    async def answer(self, id: int, since: int, what: str) -> Any:
        """Return the first answer with this id after a mark."""
        return await self.wait(
            wire.Message, since, f"the answer to {what}", lambda message: getattr(message, "id", None) == id
        )

    async def refused(self, since: int, code: ErrorCode, id: int | None, what: str) -> wire.Refused:
        """Return the next refusal, which must be this one."""
        refused = await self.wait(wire.Refused, since, f"{code} after {what}")
        expect(refused.code == code, f"{what} was refused with {refused.code}, not {code}")
        expect(refused.id == id, f"the refusal of {what} has the id {refused.id}, not {id}")
        return refused

    async def settle(self) -> wire.Pong:
        """Wait until everything that the server has sent so far has arrived."""
        mark = self.mark()
        await self.send(wire.Ping(len(self.log)))
        return await self.wait(wire.Pong, mark, "pong")

    async def stays(self, what: str) -> None:
        """Raise RuleBroken unless the connection still works."""
        try:
            await self.settle()
        except RuleBroken as broken:
            raise RuleBroken(f"after {what}: {broken}") from None

    def since(self, mark: int, kind: type[M], room: str | None = None) -> list[M]:
        """Return all messages of a kind after a mark, of one room if one is given."""
        return [
            message
            for message in self.log[mark:]
            if isinstance(message, kind) and (room is None or getattr(message, "room", None) == room)
        ]

    # -- closing

    async def closed_by_server(self, within: float, what: str) -> int:
        """Wait until the server closes the connection. Return the close code."""
        try:
            async with asyncio.timeout(within):
                await asyncio.shield(self._reader)
        except TimeoutError:
            raise RuleBroken(f"the connection was still open {within:g} s after {what}") from None
        return self.socket.close_code or 0

    async def close(self) -> None:
        if self._closed is None:
            await self.socket.close()
        await self._reader

    async def cut(self) -> None:
        """Cut the connection without a close frame."""
        self.transcript.add(self.number, "kit", "the connection is cut")
        self.socket.transport.abort()
        await self._reader

    # -- reading

    async def _read(self) -> None:
        try:
            while True:
                self._take(await self.socket.recv())
        except ConnectionClosed as closed:
            self._closed = str(closed)
            self.transcript.add(self.number, "kit", f"the connection is lost: {closed}")
        self._news.set()

    def _take(self, frame: bytes | str) -> None:
        right_kind = isinstance(frame, str) == self.codec.text
        self._note("readable", right_kind, f"a frame of the wrong kind: {frame!r:.80}")
        try:
            message = self.codec.decode_server(frame)
        except BadFrame as bad:
            # An unknown message is allowed; a known one must have its documented form.
            self._note("readable", bad.code == ErrorCode.MESSAGE_UNKNOWN, f"{bad.sentence} {frame!r:.80}")
            return
        self.transcript.add(self.number, "server", message)
        self.log.append(message)
        self._watch(message)
        self._news.set()

    def _note(self, rule: str, fine: bool, complaint: str) -> None:
        self._observations.note(rule, fine, complaint, self.transcript)

    def _watch(self, message: wire.ServerMessage) -> None:
        id = getattr(message, "id", None)
        if id is not None:
            self._answered[id] += 1
            tag = wire.name_of(type(message))
            again = self._answered[id] > self._sent[id]
            self._note("one-answer", not again, f"{tag} with id {id} is answer {self._answered[id]} to it")
        match message:
            case wire.Room():
                replica = self.replicas[message.room] = RoomReplica(message)
                self._note("hashes", replica.in_sync, f"room with seq {message.seq}, hash {message.hash}")
            case wire.Moved() | wire.RoomEvent() if message.room in self.replicas:
                self._watch_update(self.replicas[message.room], message)
            case wire.Choices(id=None):
                self.choices[message.room] = message

    def _watch_update(self, replica: RoomReplica, update: wire.Moved | wire.RoomEvent) -> None:
        known = f"{replica.epoch}:{replica.seq}"
        trusted = replica.in_sync
        result = replica.apply(update)
        here = f"update {update.epoch}:{update.seq} after {known}"
        follows = result is not ApplyResult.GAP and update.epoch == replica.epoch
        self._note("numbers", follows, here)
        if follows and trusted and result is not ApplyResult.STALE:
            self._note("hashes", result is ApplyResult.APPLIED, f"{here}, hash {update.hash}")


def expect(fine: bool, complaint: str) -> None:
    if not fine:
        raise RuleBroken(complaint)


def expect_refused(answer: Any, code: ErrorCode, what: str) -> None:
    """Raise RuleBroken unless the answer is this refusal."""
    seen = f"{answer.code}" if isinstance(answer, wire.Refused) else wire.name_of(type(answer))
    expect(seen == code, f"{what} was answered by {seen}, not {code}")


def supported(answer: M, what: str) -> M:
    """Return an answer, unless the server does not have that kind of command."""
    if isinstance(answer, wire.Refused) and answer.code == ErrorCode.MESSAGE_UNKNOWN:
        raise NotApplicable(f"the server has no {what}")
    return answer


async def needs(preparation: Awaitable[M]) -> M:
    """Await a precondition of a rule; without it, the rule cannot be checked."""
    try:
        return await preparation
    except RuleBroken as broken:
        raise NotReached(str(broken)) from None


def _waits(message: wire.Message) -> TypeGuard[wire.Refused]:
    """Return whether a message says when to try again."""
    return isinstance(message, wire.Refused) and message.retry_after is not None
