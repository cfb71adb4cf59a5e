"""One client of the fuzzer, from its connection to its end: a WebSocket, a raw stream of bytes, or HTTP requests."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from random import Random

from msgspec import Struct, field
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Subprotocol

from bench.fuzz.api_requests import api_request
from bench.fuzz.frames import FuzzedFrames, Known
from parlour.protocol.codec import JSON, MSGPACK, Codec
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Hello, Join, Ok, Ping, Pong, Refused, Room, ServerMessage, SignedIn, Welcome
from tests.e2e.nonsense import ODD_TEXTS, Frame
from tests.server.connections.raw_client import frame, request, upgrade

ANSWER_WITHIN = 120.0  # seconds; the machine may be busy
AT_ONCE = 10  # frames between two checks that the server still answers
INTERNAL_CLOSE = 1011
PATHS = (
    "/", "/index.html", "/ws", "/healthz", "/readyz", "/metrics", "/api/v1/records/{room}",
    "/api/v1/records/{room}.txt", "/api/v1/records/", "/api/v1/rooms/{room}/moves", "/api/v1/games/replica/picture.svg",
    "/../../etc/passwd", "/%2e%2e/%00", "//", "/?q=" + "a" * 5000, "*", "http://localhost/", "/\xff",
)  # fmt: skip
METHODS = (*("GET",) * 12, "HEAD", "POST", "OPTIONS", "PUT", "get", "", "G" * 200)
HEADERS = (
    "Host", "Origin", "Upgrade", "Connection", "Content-Length", "Transfer-Encoding", "Range", "Accept-Encoding",
    "If-None-Match", "X-Forwarded-For", "Cookie", "Expect", "Sec-WebSocket-Key", "Sec-WebSocket-Version",
)  # fmt: skip
VALUES = (*ODD_TEXTS, "websocket", "0", "chunked")


class Tally(Struct):
    """Counts of messages and answers."""

    sent: Counter[str] = field(default_factory=Counter)  # by kind of client
    answers: Counter[str] = field(default_factory=Counter)  # by type of message
    refusals: Counter[str] = field(default_factory=Counter)  # by code
    closes: Counter[int] = field(default_factory=Counter)  # by close code
    statuses: Counter[str] = field(default_factory=Counter)  # of HTTP
    operations: Counter[str] = field(default_factory=Counter)  # of the API that were requested
    violations: list[str] = field(default_factory=list)


class Visit:
    """One client with its own address and its own random numbers."""

    def __init__(self, port: int, address: str, rng: Random, known: Known, tally: Tally) -> None:
        self._port = port
        self._address = address
        self._rng = rng
        self._known = known
        self._tally = tally

    async def run(self, frames: int) -> None:
        """Send about this many frames or requests, whatever the server makes of them."""
        kind = self._rng.choices((self._socket, self._stream, self._requests), (88, 4, 8))[0]
        with suppress(OSError, ConnectionClosed, InvalidHandshake, EOFError):
            await kind(frames)

    # -- WebSockets

    async def _socket(self, frames: int) -> None:
        codec = self._rng.choice((MSGPACK, MSGPACK, JSON))
        opening = connect(
            f"ws://127.0.0.1:{self._port}/ws", subprotocols=[Subprotocol(codec.subprotocol)], compression=None,
            max_size=None, max_queue=None, ping_interval=None, open_timeout=ANSWER_WITHIN,
            local_addr=(self._address, 0),
        )  # fmt: skip
        async with opening as socket:
            client = _Client(socket, codec, self._rng, self._known, self._tally)
            await client.run(frames)

    # -- bytes

    async def _stream(self, frames: int) -> None:
        """Open a WebSocket and send frames that break its protocol, or whose payload breaks ours."""
        rng, codec = self._rng, self._rng.choice((MSGPACK, JSON))
        payloads = FuzzedFrames(rng, codec, self._known)
        data = upgrade(codec.subprotocol)
        right = 0x1 if codec.text else 0x2
        for _ in range(frames):
            payload = payloads.any()
            opcode = right if rng.random() < 0.8 else rng.randrange(16)
            data += frame(
                opcode,
                payload.encode(errors="replace") if isinstance(payload, str) else payload,
                fin=rng.random() < 0.95,
                masked=rng.random() < 0.98,
                reserved=0 if rng.random() < 0.98 else 0x10 << rng.randrange(3),
            )
            if rng.random() < 0.02:
                data += rng.randbytes(rng.randrange(20))
        self._tally.sent["broken stream"] += frames
        await self._exchange(data)

    # -- HTTP

    async def _requests(self, frames: int) -> None:
        api_frames = FuzzedFrames(self._rng, JSON, self._known)
        for _ in range(max(1, frames // 4)):
            self._tally.sent["request"] += 1
            data, is_stream = self._request(), False
            if self._rng.random() < 0.7:
                data, operation = api_request(self._rng, api_frames, self._known)
                is_stream = operation.is_stream
                self._tally.operations[operation.name] += 1
            answer = await self._exchange(data, ends=not data.endswith(b"\r\n\r\n"), is_stream=is_stream)
            self._tally.statuses[answer[9:12].decode("latin-1") or "none"] += 1
            if answer[9:12] == b"500":
                self._tally.violations.append(f"HTTP 500: {answer[:200]!r}")

    def _request(self) -> bytes:
        rng = self._rng
        room = rng.choice(self._known.rooms or ["nowhere"])
        names = rng.choices(HEADERS, k=rng.randrange(5))
        headers = {
            name.replace("-", "_"): _latin(rng.choice((*ODD_TEXTS, "websocket", "0", "chunked"))) for name in names
        }
        data = request(rng.choice(PATHS).replace("{room}", room), rng.choice(METHODS), **headers)
        if rng.random() < 0.3:
            at = rng.randrange(len(data))
            data = data[:at] + rng.randbytes(rng.randrange(8)) + data[at + rng.randrange(4) :]
        return data

    async def _exchange(self, data: bytes, *, ends: bool = True, is_stream: bool = False) -> bytes:
        """Send bytes, with an end of file if the server would wait for more; return everything that comes back.

        Of a stream, which does not end, return the head.
        """
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, local_addr=(self._address, 0))
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                writer.write(data)
                await writer.drain()
                if ends:
                    writer.write_eof()
                return await (reader.readuntil(b"\r\n\r\n") if is_stream else reader.read())
        except TimeoutError:
            self._tally.violations.append(f"a connection was neither answered nor closed after {data[:200]!r}")
            return b""
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


class _Client:
    """A WebSocket that sends frames and counts what comes back."""

    def __init__(self, socket: ClientConnection, codec: Codec, rng: Random, known: Known, tally: Tally) -> None:
        self._socket = socket
        self._codec = codec
        self._rng = rng
        self._tally = tally
        self._known = known
        self._frames = FuzzedFrames(rng, codec, known)
        self._pings = 2**40
        self._answered = asyncio.Event()

    async def run(self, frames: int) -> None:
        reading = asyncio.create_task(self._read())
        try:
            await self._begin()
            for first in range(0, frames, AT_ONCE):
                for _ in range(min(AT_ONCE, frames - first)):
                    await self._send(self._frames.any())
                await self._check()
        finally:
            await self._socket.close()
            await reading
            self._tally.closes[self._socket.close_code or 0] += 1
            if self._socket.close_code == INTERNAL_CLOSE:
                self._tally.violations.append("a connection was closed with 1011")

    async def _begin(self) -> None:
        """Say hello like most clients, and begin a game like some of them."""
        choice = self._rng.random()
        if choice < 0.05:
            return
        token = self._rng.choice(self._known.tokens) if self._known.tokens and choice < 0.3 else None
        await self._wait_after(Hello("fuzz", token))
        if self._rng.random() < 0.3:
            await self._wait_after(self._frames.game_with_bot())
        if self._rng.random() < 0.05:
            await self._wait_after(self._frames.account())
            await self._send_message(self._frames.tournament())

    async def _check(self) -> None:
        """Wait until the server has answered everything so far, or has refused to."""
        self._pings += 1
        await self._wait_after(Ping(self._pings))

    async def _wait_after(self, message: object) -> None:
        """Send a message, and wait until the server has answered it, or has refused anything without an id."""
        self._answered.clear()
        await self._send_message(message)
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                await self._answered.wait()
        except TimeoutError:
            self._tally.violations.append("a connection stayed open, but the server did not answer")
            raise EOFError from None

    async def _send_message(self, message: object) -> None:
        data: bytes = self._codec.encode(message)
        await self._send(data.decode() if self._codec.text else data)

    async def _send(self, sent: Frame) -> None:
        self._tally.sent["WebSocket"] += 1
        await self._socket.send(sent)

    async def _read(self) -> None:
        try:
            async for data in self._socket:
                await self._hear(self._codec.decode_server(data))
        except ConnectionClosed:
            pass
        finally:
            self._answered.set()

    async def _hear(self, message: ServerMessage) -> None:
        self._frames.heard(message)
        self._tally.answers[type(message).__name__] += 1
        if isinstance(message, Refused):
            self._tally.refusals[message.code] += 1
            if message.code == ErrorCode.INTERNAL:
                self._tally.violations.append(f"internal: {message}")
            if message.id in (None, self._frames.last_id):
                self._answered.set()
        elif (isinstance(message, Pong) and message.n == self._pings) or isinstance(message, Welcome | Room | SignedIn):
            self._answered.set()
        elif isinstance(message, Ok) and message.room is not None:
            await self._send_message(Join(id=self._frames.id(), room=message.room))


def _latin(text: str) -> str:
    """Return the part of a text that fits into a header."""
    return text.encode("latin-1", errors="replace").decode("latin-1")[:5000]
