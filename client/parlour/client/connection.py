"""A player's connection that does not break: it reconnects by itself, to another address if it must, and goes on.

Everything that has to be right about staying in step is in `ClientSession`; this file only moves its frames.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Literal, Self, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from parlour.protocol.codec import MSGPACK, BadFrame, Codec
from parlour.protocol.errors import CloseCode, ErrorCode, Refusal
from parlour.protocol.messages import Closing, Command, Refused, ServerMessage, Welcome, name_of
from parlour.protocol.mirror import Mirror
from parlour.protocol.session import ClientSession

log = logging.getLogger(__name__)

# Not welcomed yet; past welcome; lost, and trying to come back; never again.
State = Literal["connecting", "connected", "reconnecting", "ended"]

A = TypeVar("A")

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0  # seconds between attempts to connect, a little more or less by chance
TICK = 0.25  # seconds between two looks at the clock

# After these there is nothing to come back to.
FINAL = frozenset((CloseCode.TAKEN_OVER, CloseCode.SIGNED_OUT))


class RefusedError(Refusal):
    """The server refused a command; `code` is as it came, since a newer server may know more codes."""

    def __init__(self, refused: Refused) -> None:
        Exception.__init__(self, refused.text)
        self.code = refused.code  # type: ignore[assignment]  # a code that this version may not know
        self.sentence = refused.text


class Connection:
    """Use it as an async context manager; it is connected from then on, as far as the network allows.

    When there is nothing to come back to, because the server has ended the session, refuses the hello for good, or the
    context is left, then whatever was not answered fails: with `RefusedError` or `ConnectionError`.
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
    ) -> None:
        """`guest_if_unknown`: whether to be a new guest where the token is not known; otherwise it ends then."""
        self.addresses = list(addresses)  # tried in turn; the server may add more
        self.codec = codec
        # Ids must not repeat those of an earlier run of the same player, and stay below 2**53.
        self.session = ClientSession(client, secrets.randbits(50), token, name)
        self.welcome: Welcome | None = None
        self.news: asyncio.Queue[ServerMessage] = asyncio.Queue()  # everything that was not an answer to a call
        self.connects = 0  # how often a connection was made
        self.state: State = "connecting"
        self.fault: Exception | None = None  # why there will be no connection any more
        self.on_state: Callable[[State], None] = lambda _: None  # called after each change of `state`
        self._guest_if_unknown = guest_if_unknown
        self._given = list(addresses)
        self._answers: dict[int, asyncio.Future[ServerMessage]] = {}
        self._next_address = 0
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()  # there is something to send

    @property
    def rooms(self) -> dict[str, Mirror]:
        """The rooms that are followed, as they are now."""
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
        """Have a command carried out, now or when the connection is back; the future has its one answer."""
        id = self.session.send(command)
        answer: asyncio.Future[ServerMessage] = asyncio.get_running_loop().create_future()
        self._answers[id] = answer
        self._wake.set()
        if self.fault is not None:
            self._end(self.fault)
        return answer

    async def call(self, command: Command) -> ServerMessage:
        """The answer to a command; raises `RefusedError` if it was refused."""
        answer = await self.send(command)
        if isinstance(answer, Refused):
            raise RefusedError(answer)
        return answer

    async def ask(self, command: Command, kind: type[A]) -> A:
        """The answer to a command that is answered by one kind of message, if it is not refused."""
        answer = await self.call(command)
        if not isinstance(answer, kind):
            sentence = f"The server has answered {name_of(type(command))} with {name_of(type(answer))}."
            raise ConnectionError(sentence)
        return answer

    # -- inside

    async def _run(self) -> None:
        pause = FIRST_PAUSE
        while True:
            address = self.addresses[self._next_address % len(self.addresses)]
            self._next_address += 1
            try:
                async with connect(
                    address,
                    subprotocols=[Subprotocol(self.codec.subprotocol)],
                    compression=None,
                    open_timeout=5,
                    close_timeout=1,
                    ping_interval=None,  # the session pings by itself, and hears more in the answer
                    max_size=None,
                ) as socket:
                    if await self._converse(socket):
                        self._end(ConnectionError(socket.close_reason or "The server has ended the session."))
                        return
            except (OSError, TimeoutError, WebSocketException) as fault:
                log.debug("no connection to %s: %s", address, fault)
            except RefusedError as refused:
                if refused.code not in (ErrorCode.TRY_AGAIN, ErrorCode.TOO_FAST):
                    self._end(refused)
                    return
                log.debug("%s is busy: %s", address, refused)
            pause = FIRST_PAUSE if self.session.welcomed else min(2 * pause, LONGEST_PAUSE)
            self.session.disconnected()
            if self.state == "connected":
                self._become("reconnecting")
            await asyncio.sleep(pause * random.uniform(0.75, 1.25))

    def _end(self, fault: Exception) -> None:
        """There will be no answers any more. The first reason is the true one."""
        fault = self.fault = self.fault or fault
        answers, self._answers = self._answers, {}
        for answer in answers.values():
            if not answer.done():
                answer.set_exception(fault)
                answer.exception()  # nobody has to look at it
        self._become("ended")

    def _become(self, state: State) -> None:
        if self.state != state:
            self.state = state
            self.on_state(state)

    def _has_run(self, task: asyncio.Task[None]) -> None:
        """Whatever ended it, nobody waits for it in vain."""
        fault = None if task.cancelled() else task.exception()
        if fault is not None:
            log.error("the connection has failed", exc_info=fault)
            self._end(ConnectionError(f"The connection has failed: {fault!r}."))

    async def _converse(self, socket: ClientConnection) -> bool:
        """Talk until the connection is lost; whether that was meant to be final. Raises what hello was refused with."""
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
        """Send what there is to send, as soon as there is something."""
        while True:
            self._wake.clear()
            for message in self.session.outgoing():
                frame = self.codec.encode(message)
                await socket.send(frame.decode() if self.codec.text else frame)
            await self._wake.wait()

    async def _watch(self, socket: ClientConnection) -> None:
        """Look at the clock. Not while sending: somebody who does not read any more would stop that too."""
        while self.session.tick(asyncio.get_running_loop().time()):
            self._wake.set()
            await asyncio.sleep(TICK)
        socket.transport.abort()

    def _take(self, number: int, frame: bytes | str, now: float) -> None:
        try:
            message = self.codec.decode_server(frame)
        except BadFrame as bad:
            log.warning("a message could not be read: %s", bad.sentence)
            return
        if isinstance(message, Refused) and not self.session.welcomed and not self._begins_anew(message):
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

    def _begins_anew(self, refused: Refused) -> bool:
        """Whether a hello that was refused is followed by another one, as a new guest."""
        return self._guest_if_unknown and refused.code == ErrorCode.TOKEN_UNKNOWN

    def _learn(self, nodes: Sequence[str]) -> None:
        """Addresses that a server told, if it told any, after those that the user gave."""
        if nodes:
            self.addresses = list(dict.fromkeys([*self._given, *nodes]))
