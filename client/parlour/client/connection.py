"""A player's connection to a server, which reconnects by itself, to another address if necessary.

`ClientSession` decides what to send and when to give up. This module only moves its frames.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Literal, Self, TypeVar

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from parlour.client.connect_errors import ConnectError, closed_before_welcome, unreadable_welcome
from parlour.client.websocket import open_first
from parlour.protocol.codec import MSGPACK, BadFrame, Codec
from parlour.protocol.errors import CloseCode, ErrorCode, Refusal
from parlour.protocol.messages import Closing, Command, Refused, ServerMessage, Welcome, name_of
from parlour.protocol.replica import RoomReplica
from parlour.protocol.session import RETRIED, ClientSession
from parlour.protocol.timing import addresses_to_try, open_timeout, reconnect_delay

logger = logging.getLogger(__name__)

State = Literal["connecting", "connected", "reconnecting", "ended"]
"""The state of a connection: before the first welcome; welcomed; lost and trying again; ended for good."""

A = TypeVar("A")

# Seconds between calls of the session's `tick`, and while a command is unanswered: the server may have to be left soon.
TICK = 0.25
UNANSWERED_TICK = 0.1

# After these close codes the client does not reconnect.
FINAL = frozenset((CloseCode.TAKEN_OVER, CloseCode.SIGNED_OUT))


class RefusedError(Refusal):
    """The server refused a command. `code` may be one that this version does not know."""

    def __init__(self, refused: Refused) -> None:
        Exception.__init__(self, refused.text)
        self.code = refused.code  # type: ignore[assignment]  # a text, as it was received
        self.sentence: str = refused.text  # for people
        self.retry_after: int | None = refused.retry_after  # milliseconds; None: no limit that recovers refused it


class Connection:
    """An async context manager. Inside it the connection is kept up, as far as the network allows.

    Commands that are still unanswered when the connection ends for good fail with `RefusedError` or `ConnectionError`:
    when the server ends the session or refuses hello, and when the context is left.
    """

    def __init__(
        self,
        addresses: Sequence[str],
        *,
        client: str = "parlour",
        name: str | None = None,
        token: str | None = None,
        codec: Codec = MSGPACK,
        guest_if_unknown: bool = True,
        wait: bool = True,
    ) -> None:
        """With `guest_if_unknown`, a player with an unknown token becomes a new guest; else the connection ends.

        Without `wait`, the connection ends with `ConnectError` if no address can be reached at first. With it, it ends
        only if trying again cannot help. Once it has been welcomed, the client always tries again.
        """
        self.addresses = list(addresses)  # tried in turn; the server may add to them
        self.address = ""  # of the current connection, or of the last attempt
        self.codec = codec
        self.session = ClientSession(client, token, name)
        self.welcome: Welcome | None = None
        self.news: asyncio.Queue[ServerMessage] = asyncio.Queue()  # every message that is not the answer to a call
        self.connects = 0  # how many connections have been opened
        self.state: State = "connecting"
        self.fault: Exception | None = None  # why the connection has ended for good
        self.problem = ""  # why there is no connection at the moment, or a message of the server about it
        self.on_state: Callable[[State], None] = lambda _: None  # called after every change of `state` or `problem`
        self._guest_if_unknown = guest_if_unknown
        self._wait = wait
        self._errors: dict[str, ConnectError] = {}  # by address: why the last attempt failed
        self._given = list(addresses)
        self._answers: dict[int, asyncio.Future[ServerMessage]] = {}
        self._next_address = 0
        self._failures = 0  # attempts in a row that did not reach welcome
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()  # set when there is something to send

    @property
    def rooms(self) -> dict[str, RoomReplica]:
        """The rooms that this client has joined, as they are now."""
        return self.session.rooms

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        self._task.add_done_callback(self._has_run)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._end(ConnectionError("The connection was closed."))

    def send(self, command: Command) -> asyncio.Future[ServerMessage]:
        """Send a command, now or after the next reconnect. Return a future with its answer."""
        id = self.session.send(command)
        answer: asyncio.Future[ServerMessage] = asyncio.get_running_loop().create_future()
        self._answers[id] = answer
        self._wake.set()
        if self.fault is not None:
            self._end(self.fault)
        return answer

    async def call(self, command: Command) -> ServerMessage:
        """Send a command and return its answer. Raise `RefusedError` if the server refuses it."""
        answer = await self.send(command)
        if isinstance(answer, Refused):
            raise RefusedError(answer)
        return answer

    async def ask(self, command: Command, kind: type[A]) -> A:
        """Send a command and return its answer, which must be of this kind. Raise `RefusedError` if it is refused."""
        answer = await self.call(command)
        if not isinstance(answer, kind):
            sentence = f"The server answered {name_of(type(command))} with {name_of(type(answer))}."
            raise ConnectionError(sentence)
        return answer

    # -- the connection

    async def _run(self) -> None:
        while True:
            problem = ""
            try:
                async with await self._open() as socket:
                    if await self._converse(socket):
                        self._end(ConnectionError(socket.close_reason or "The server ended the session."))
                        return
                    if not self.session.welcomed:
                        raise closed_before_welcome(self.address, socket.close_reason or "")
            except ConnectError as error:
                logger.debug("no connection to %s: %s", self.address, error)
                problem, self._errors[self.address] = error.sentence, error
                if self._gives_up():
                    self._end(self._combined_error())
                    return
            except RefusedError as refused:
                if refused.code not in RETRIED:
                    self._end(refused)
                    return
                problem = refused.sentence
            self._failures = 0 if self.session.welcomed else self._failures + 1
            self.session.disconnected()
            self._become("reconnecting" if self.state == "connected" else self.state, problem)
            await asyncio.sleep(reconnect_delay(self._failures, random.random(), self.session.urgency))

    async def _open(self) -> ClientConnection:
        """Open a WebSocket to the next address, or to the first of several that answers."""
        count = addresses_to_try(len(self.addresses), is_hurried=self.session.is_hurried)
        first = self._next_address
        upcoming = [self.addresses[number % len(self.addresses)] for number in range(first, first + count)]
        self.address = upcoming[0]
        self._next_address += 1
        self.address, socket = await open_first(upcoming, self.codec, open_timeout(self._failures, count))
        self._next_address += upcoming.index(self.address)
        return socket

    def _gives_up(self) -> bool:
        """Return whether no address could be reached at first, and trying again is not wanted or cannot help."""
        errors = [self._errors.get(address) for address in self.addresses]
        if self.welcome is not None or None in errors:
            return False
        return not self._wait or not any(error is not None and error.is_temporary for error in errors)

    def _combined_error(self) -> ConnectError:
        """Return one error for all addresses."""
        errors = list(self._errors.values())
        sentence = " ".join(dict.fromkeys(error.sentence for error in errors))
        return ConnectError(errors[0].code, sentence, is_temporary=any(error.is_temporary for error in errors))

    def _end(self, fault: Exception) -> None:
        """End the connection for good and fail unanswered commands. Only the first reason counts."""
        fault = self.fault = self.fault or fault
        answers, self._answers = self._answers, {}
        for answer in answers.values():
            if not answer.done():
                answer.set_exception(fault)
                answer.exception()  # marks it as retrieved, so that asyncio does not complain
        self._become("ended")

    def _become(self, state: State, problem: str = "") -> None:
        if (self.state, self.problem) != (state, problem):
            self.state, self.problem = state, problem
            self.on_state(state)

    def _has_run(self, task: asyncio.Task[None]) -> None:
        """Fail unanswered commands if the task stopped because of a bug."""
        fault = None if task.cancelled() else task.exception()
        if fault is not None:
            logger.error("the connection failed", exc_info=fault)
            self._end(ConnectionError(f"The connection failed: {fault!r}."))

    async def _converse(self, socket: ClientConnection) -> bool:
        """Exchange messages until the connection is lost. Return whether to stay away. Raise if hello is refused."""
        loop = asyncio.get_running_loop()
        number = self.session.connected(loop.time())
        self.connects += 1
        tasks = asyncio.create_task(self._send(socket)), asyncio.create_task(self._watch(socket))
        try:
            async for frame in socket:
                self._take(number, frame, loop.time())
        except ConnectionClosed:
            pass
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return socket.close_code in FINAL

    async def _send(self, socket: ClientConnection) -> None:
        """Send the session's messages as soon as there are any."""
        while True:
            self._wake.clear()
            for message in self.session.outgoing():
                frame = self.codec.encode(message)
                await socket.send(frame.decode() if self.codec.text else frame)
            await self._wake.wait()

    async def _watch(self, socket: ClientConnection) -> None:
        """Abort the connection when the session gives up. Separate from sending, which a dead peer can block."""
        while self.session.tick(asyncio.get_running_loop().time()):
            self._wake.set()
            await asyncio.sleep(UNANSWERED_TICK if self.session.unanswered else TICK)
        socket.transport.abort()

    def _take(self, number: int, frame: bytes | str, now: float) -> None:
        try:
            message = self.codec.decode_server(frame)
        except BadFrame as bad:
            logger.warning("unreadable message: %s", bad.sentence)
            if self.welcome is None:
                raise unreadable_welcome(self.address) from None
            return
        if isinstance(message, Refused) and not self.session.welcomed and not self._becomes_guest(message):
            raise RefusedError(message)
        fresh = self.session.receive(number, message, now)
        self._wake.set()
        if isinstance(message, Welcome):
            self.welcome = message
            self._learn(message.nodes)
            self._become("connected")
        elif isinstance(message, Closing):
            self._learn(message.nodes)
        if not fresh:
            return
        answer = self._answers.pop(getattr(message, "id", None) or -1, None)
        if answer is not None and not answer.done():
            answer.set_result(message)
        else:
            self.news.put_nowait(message)

    def _becomes_guest(self, refused: Refused) -> bool:
        """Return whether the session says hello again as a new guest after this refusal."""
        return self._guest_if_unknown and refused.code == ErrorCode.TOKEN_UNKNOWN

    def _learn(self, nodes: Sequence[str]) -> None:
        """Add the addresses that the server announced to those that the user gave."""
        if nodes:
            self.addresses = list(dict.fromkeys([*self._given, *nodes]))
