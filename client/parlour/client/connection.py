"""A player's connection that does not break: it reconnects by itself, to another address if it must, and goes on.

Everything that has to be right about staying in step is in `ClientSession`; this file only moves its frames.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Subprotocol

from parlour.protocol.codec import MSGPACK, BadFrame, Codec
from parlour.protocol.errors import CloseCode, Refusal
from parlour.protocol.messages import Closing, Command, Refused, ServerMessage, Welcome
from parlour.protocol.mirror import Mirror
from parlour.protocol.session import ClientSession

log = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0  # seconds between attempts to connect

# After these there is nothing to come back to.
FINAL = frozenset((CloseCode.TAKEN_OVER, CloseCode.SIGNED_OUT))


class RefusedError(Refusal):
    """The server refused a command; `code` is as it came, since a newer server may know more codes."""

    def __init__(self, refused: Refused) -> None:
        Exception.__init__(self, refused.text)
        self.code = refused.code  # type: ignore[assignment]  # a code that this version may not know
        self.sentence = refused.text


class Connection:
    """Use it as an async context manager; it is connected from then on, as far as the network allows."""

    def __init__(
        self,
        addresses: Sequence[str],
        *,
        client: str = "parlour",
        name: str | None = None,
        token: str | None = None,
        codec: Codec = MSGPACK,
    ) -> None:
        self.addresses = list(addresses)  # tried in turn; the server may add more
        self.codec = codec
        # Ids must not repeat those of an earlier run of the same player, and stay below 2**53.
        self.session = ClientSession(client, secrets.randbits(50), token, name)
        self.welcome: Welcome | None = None
        self.news: asyncio.Queue[ServerMessage] = asyncio.Queue()  # everything that was not an answer to a call
        self.connects = 0  # how often a connection was made
        self._given = list(addresses)
        self._answers: dict[int, asyncio.Future[ServerMessage]] = {}
        self._socket: ClientConnection | None = None
        self._next_address = 0
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()  # there is something to send

    @property
    def rooms(self) -> dict[str, Mirror]:
        """The rooms that are followed, as they are now."""
        return self.session.rooms

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        for future in self._answers.values():
            future.cancel()

    def send(self, command: Command) -> asyncio.Future[ServerMessage]:
        """Have a command carried out, now or when the connection is back; the future has its one answer."""
        id = self.session.send(command)
        answer: asyncio.Future[ServerMessage] = asyncio.get_running_loop().create_future()
        self._answers[id] = answer
        self._wake.set()
        return answer

    async def call(self, command: Command) -> ServerMessage:
        """The answer to a command; raises `RefusedError` if it was refused."""
        answer = await self.send(command)
        if isinstance(answer, Refused):
            raise RefusedError(answer)
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
                    pause = FIRST_PAUSE
                    if await self._converse(socket):
                        return
            except (OSError, TimeoutError, InvalidHandshake, ConnectionClosed) as fault:
                log.debug("no connection to %s: %s", address, fault)
            self.session.disconnected()
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _converse(self, socket: ClientConnection) -> bool:
        """Talk until the connection is lost; whether that was meant to be final."""
        loop = asyncio.get_running_loop()
        number = self.session.connected(loop.time())
        self.connects += 1
        sender = asyncio.create_task(self._send(socket))
        try:
            async for frame in socket:
                self._take(number, frame, loop.time())
        except ConnectionClosed:
            pass
        finally:
            sender.cancel()
            await asyncio.gather(sender, return_exceptions=True)
        return socket.close_code in FINAL

    async def _send(self, socket: ClientConnection) -> None:
        """Send what there is to send, as soon as there is something; look at the clock once a second."""
        while True:
            for message in self.session.outgoing():
                frame = self.codec.encode(message)
                await socket.send(frame.decode() if self.codec.text else frame)
            self._wake.clear()
            try:
                async with asyncio.timeout(1.0):
                    await self._wake.wait()
            except TimeoutError:
                if not self.session.tick(asyncio.get_running_loop().time()):
                    await socket.close(CloseCode.GOING_AWAY)
                    return

    def _take(self, number: int, frame: bytes | str, now: float) -> None:
        try:
            message = self.codec.decode_server(frame)
        except BadFrame as bad:
            log.warning("a message could not be read: %s", bad.sentence)
            return
        fresh = self.session.receive(number, message, now)
        self._wake.set()
        if isinstance(message, Welcome):
            self.welcome = message
            self._learn(message.nodes)
        elif isinstance(message, Closing):
            self._learn(message.nodes)
        if not fresh:
            return
        answer = self._answers.pop(getattr(message, "id", None) or -1, None)
        if answer is not None and not answer.done():
            answer.set_result(message)
        else:
            self.news.put_nowait(message)

    def _learn(self, nodes: Sequence[str]) -> None:
        """Addresses that the server told, after those that the user gave."""
        self.addresses = list(dict.fromkeys([*self._given, *nodes]))
