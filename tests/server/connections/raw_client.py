"""A client on a bare socket, which can do what no library would: be silent, be slow, break the protocol."""

from __future__ import annotations

import asyncio
import base64
import socket
import struct
from collections.abc import Callable
from contextlib import suppress

from tests.waiting import WITHIN

TEXT, BINARY, CLOSE, PING, PONG, CONTINUATION = 0x1, 0x2, 0x8, 0x9, 0xA, 0x0
KEY = base64.b64encode(b"sixteen bytes ok").decode()
MASK = b"\x11\x22\x33\x44"


def frame(opcode: int, payload: bytes, *, fin: bool = True, masked: bool = True, reserved: int = 0) -> bytes:
    """A frame of a client."""
    first = (0x80 if fin else 0) | reserved | opcode
    flag = 0x80 if masked else 0
    size = len(payload)
    if size < 126:
        head = bytes((first, flag | size))
    elif size < 0x10000:
        head = struct.pack("!BBH", first, flag | 126, size)
    else:
        head = struct.pack("!BBQ", first, flag | 127, size)
    if not masked:
        return head + payload
    mask = (MASK * (size // 4 + 1))[:size]
    return head + MASK + (int.from_bytes(payload) ^ int.from_bytes(mask)).to_bytes(size)


def request(path: str = "/ws", method: str = "GET", **headers: str) -> bytes:
    """Return an HTTP request. Underscores in header names stand for hyphens."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def upgrade(subprotocol: str = "parlour.v1+msgpack", **headers: str) -> bytes:
    """Return the request for a WebSocket."""
    return request(
        Upgrade="websocket", Connection="Upgrade", Sec_WebSocket_Key=KEY, Sec_WebSocket_Version="13",
        Sec_WebSocket_Protocol=subprotocol, **headers,
    )  # fmt: skip


class RawClient:
    """A socket that reads only when it is told to."""

    def __init__(self, plug: socket.socket) -> None:
        self.socket = plug
        self._read = b""

    @classmethod
    async def connect(cls, port: int, receive_buffer: int = 0) -> RawClient:
        plug = socket.socket()
        plug.setblocking(False)
        if receive_buffer:
            plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        await asyncio.get_running_loop().sock_connect(plug, ("127.0.0.1", port))
        return cls(plug)

    @classmethod
    async def open(cls, port: int, subprotocol: str = "parlour.v1+msgpack", receive_buffer: int = 0) -> RawClient:
        """Connect and shake hands."""
        client = await cls.connect(port, receive_buffer)
        await client.send(upgrade(subprotocol))
        head = await client.head()
        assert head.startswith("HTTP/1.1 101 "), head
        return client

    async def send(self, data: bytes) -> None:
        async with asyncio.timeout(WITHIN):
            await asyncio.get_running_loop().sock_sendall(self.socket, data)

    async def head(self) -> str:
        """Return the head of an HTTP response."""
        while b"\r\n\r\n" not in self._read:
            assert await self._more(), "the connection ended within the head"
        head, _, self._read = self._read.partition(b"\r\n\r\n")
        return head.decode("latin-1")

    async def rest(self) -> bytes:
        """Return everything up to the end of the connection."""
        while await self._more():
            pass
        rest, self._read = self._read, b""
        return rest

    async def frame(self) -> tuple[int, bytes]:
        """The next frame: its opcode and payload."""
        first, second = await self._exactly(2)
        size = second
        if second == 126:
            (size,) = struct.unpack("!H", await self._exactly(2))
        elif second == 127:
            (size,) = struct.unpack("!Q", await self._exactly(8))
        assert first & 0x80, "servers send whole frames"
        return first & 0x0F, await self._exactly(size)

    async def message(self) -> bytes:
        """Return the payload of the next frame that is not a ping."""
        return (await self.until(lambda opcode: opcode != PING))[1]

    async def closing(self) -> int:
        """Return the code with which the server closes; 1006 if the connection just ends."""
        try:
            _, payload = await self.until(lambda opcode: opcode == CLOSE)
        except (AssertionError, ConnectionError):
            return 1006
        return int.from_bytes(payload[:2], "big")

    async def until(self, wanted: Callable[[int], bool]) -> tuple[int, bytes]:
        while True:
            opcode, payload = await self.frame()
            if wanted(opcode):
                return opcode, payload

    async def is_over(self) -> bool:
        """Return whether the server ends the connection, with or without a close frame."""
        with suppress(ConnectionError):
            await self.rest()
        return True

    def close(self) -> None:
        self.socket.close()

    async def _exactly(self, size: int) -> bytes:
        while len(self._read) < size:
            assert await self._more(), "the connection ended within a frame"
        data, self._read = self._read[:size], self._read[size:]
        return data

    async def _more(self) -> bool:
        async with asyncio.timeout(WITHIN):
            data = await asyncio.get_running_loop().sock_recv(self.socket, 65536)
        self._read += data
        return bool(data)
