"""One scripted connection to the server under test. It remembers everything that came, in order.

Checks send what they like, well-formed or not, and wait for what must follow. What holds for every message of every
connection is noticed here on the way, in `Always`.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from parlour.protocol import messages as wire
from parlour.protocol.codec import BadFrame, Codec
from parlour.protocol.errors import ErrorCode
from parlour.protocol.mirror import Mirror, Verdict

M = TypeVar("M")


class Broken(Exception):
    """The rule is broken: what was seen."""


class NotReached(Exception):
    """The rule could not be looked at: why."""


class TooShort(NotReached):
    """The game was over before the rule could be looked at: another one may do."""


class Always:
    """What every message of every connection shows about the rules that always hold."""

    def __init__(self) -> None:
        self.seen: set[str] = set()  # rules about which something was seen
        self.complaints: dict[str, str] = {}  # rule -> the first thing that was wrong

    def note(self, rule: str, fine: bool, complaint: str) -> None:
        self.seen.add(rule)
        if not fine:
            self.complaints.setdefault(rule, complaint)


class Probe:
    """A connection under full control."""

    def __init__(self, socket: ClientConnection, codec: Codec, always: Always, patience: float) -> None:
        self.socket = socket
        self.codec = codec
        self.token: str | None = None
        self.welcome: wire.Welcome | None = None
        self.log: list[wire.ServerMessage] = []
        self.mirrors: dict[str, Mirror] = {}
        self.choices: dict[str, wire.Choices] = {}  # the newest that came unasked, by room
        self._always = always
        self._patience = patience
        self._sent: Counter[int] = Counter()
        self._answered: Counter[int] = Counter()
        self.ids = itertools.count(1)
        self._news = asyncio.Event()
        self._closed: str | None = None
        self._reader = asyncio.create_task(self._read())

    # -- sending

    async def send(self, message: wire.Message | dict[str, Any]) -> None:
        """A message, or any map in its place."""
        id = message.get("id") if isinstance(message, dict) else getattr(message, "id", None)
        if id is not None:
            self._sent[id] += 1
        await self.send_frame(self.codec.encode(message))

    async def send_frame(self, frame: bytes) -> None:
        """Any bytes, in the kind of frame that the subprotocol uses."""
        try:
            await self.socket.send(frame, text=self.codec.text)
        except ConnectionClosed:
            raise Broken(f"the connection was lost: {self._closed or 'closed'}") from None

    async def ask(self, command: wire.Command) -> Any:
        """Send a command under a new id and give its answer."""
        return await self.repeat(replace(command, id=next(self.ids)))

    async def repeat(self, command: wire.Command) -> Any:
        """Send a command as it is, id and all, and give the answer that follows."""
        while True:
            mark = self.mark()
            await self.send(command)
            answer = await self.answer(command.id, mark, wire.name_of(type(command)))
            if not isinstance(answer, wire.Refused) or answer.code != ErrorCode.TOO_FAST:
                return answer
            await asyncio.sleep(1)

    async def hello(
        self, token: str | None = None, rooms: tuple[wire.Standing, ...] = (), *, choices: bool = True
    ) -> wire.Welcome:
        mark = self.mark()
        await self.send(wire.Hello("parlour conform", token, rooms, choices=choices))
        self.welcome = await self.wait(wire.Welcome, mark, "welcome after hello")
        self.token = self.welcome.token
        return self.welcome

    # -- what came

    def mark(self) -> int:
        """Where the log ends now."""
        return len(self.log)

    async def until(self, done: Callable[[], bool], what: str) -> None:
        """Wait for something that only messages can bring about; broken if it does not happen in time."""
        deadline = asyncio.get_running_loop().time() + self._patience
        while not done():
            if self._closed is not None:
                raise Broken(f"waited for {what}, but the connection was lost: {self._closed}")
            self._news.clear()
            try:
                async with asyncio.timeout_at(deadline):
                    await self._news.wait()
            except TimeoutError:
                raise Broken(f"waited {self._patience:g} s for {what}") from None

    async def wait(self, kind: type[M], since: int, what: str, fits: Callable[[M], bool] = lambda _: True) -> M:
        """The first message of a kind that fits, after a mark."""
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
        """The move of that number, which has come or is on the way."""
        return await self.wait(
            wire.Moved, 0, f"moved with seq {seq}", lambda moved: moved.room == room and moved.seq == seq
        )

    async def answer(self, id: int, since: int, what: str) -> Any:
        """The first answer with that id after a mark."""
        return await self.wait(
            wire.Message, since, f"the answer to {what}", lambda message: getattr(message, "id", None) == id
        )

    async def refused(self, since: int, code: ErrorCode, id: int | None, what: str) -> wire.Refused:
        """The next refusal, which must be this one."""
        refused = await self.wait(wire.Refused, since, f"{code} after {what}")
        expect(refused.code == code, f"{what} was refused with {refused.code}, not {code}")
        expect(refused.id == id, f"the refusal of {what} has the id {refused.id}, not {id}")
        return refused

    async def settle(self) -> wire.Pong:
        """Wait until everything has come that the server had sent by now."""
        mark = self.mark()
        await self.send(wire.Ping(len(self.log)))
        return await self.wait(wire.Pong, mark, "pong")

    async def stays(self, what: str) -> None:
        """Broken unless the connection is still of use."""
        try:
            await self.settle()
        except Broken as broken:
            raise Broken(f"after {what}: {broken}") from None

    def since(self, mark: int, kind: type[M], room: str | None = None) -> list[M]:
        """Everything of a kind after a mark, of one room if one is given."""
        return [
            message
            for message in self.log[mark:]
            if isinstance(message, kind) and (room is None or getattr(message, "room", None) == room)
        ]

    # -- the end

    async def close(self) -> None:
        await self.socket.close()
        await self._reader

    async def cut(self) -> None:
        """Lose the connection without a word."""
        self.socket.transport.abort()
        await self._reader

    # -- reading

    async def _read(self) -> None:
        try:
            while True:
                self._take(await self.socket.recv())
        except ConnectionClosed as closed:
            self._closed = str(closed)
        self._news.set()

    def _take(self, frame: bytes | str) -> None:
        right_kind = isinstance(frame, str) == self.codec.text
        self._always.note("readable", right_kind, f"a frame of the wrong kind: {frame!r:.80}")
        try:
            message = self.codec.decode_server(frame)
        except BadFrame as bad:
            # What is new may be ignored; what is known must have its form.
            self._always.note("readable", bad.code == ErrorCode.MESSAGE_UNKNOWN, f"{bad.sentence} {frame!r:.80}")
            return
        self.log.append(message)
        self._watch(message)
        self._news.set()

    def _watch(self, message: wire.ServerMessage) -> None:
        id = getattr(message, "id", None)
        if id is not None:
            self._answered[id] += 1
            tag = wire.name_of(type(message))
            again = self._answered[id] > self._sent[id]
            self._always.note("one-answer", not again, f"{tag} with id {id} is answer {self._answered[id]} to it")
        match message:
            case wire.Room():
                mirror = self.mirrors[message.room] = Mirror(message)
                self._always.note("hashes", mirror.true, f"room with seq {message.seq}, hash {message.hash}")
            case wire.Moved() | wire.Happened() if message.room in self.mirrors:
                self._watch_update(self.mirrors[message.room], message)
            case wire.Choices(id=None):
                self.choices[message.room] = message

    def _watch_update(self, mirror: Mirror, update: wire.Moved | wire.Happened) -> None:
        known = f"{mirror.epoch}:{mirror.seq}"
        trusted = mirror.true
        verdict = mirror.take(update)
        here = f"update {update.epoch}:{update.seq} after {known}"
        follows = verdict is not Verdict.GAP and update.epoch == mirror.epoch
        self._always.note("numbers", follows, here)
        if follows and trusted and verdict is not Verdict.OLD:
            self._always.note("hashes", verdict is Verdict.APPLIED, f"{here}, hash {update.hash}")


def expect(fine: bool, complaint: str) -> None:
    if not fine:
        raise Broken(complaint)


def expect_refused(answer: Any, code: ErrorCode, what: str) -> None:
    """Broken unless the answer is this refusal."""
    seen = f"{answer.code}" if isinstance(answer, wire.Refused) else wire.name_of(type(answer))
    expect(seen == code, f"{what} was answered by {seen}, not {code}")


async def needs(preparation: Awaitable[M]) -> M:
    """What must work before a rule can be looked at at all."""
    try:
        return await preparation
    except Broken as broken:
        raise NotReached(str(broken)) from None
