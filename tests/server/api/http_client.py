"""A client of the HTTP API over bare sockets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from parlour.protocol.messages import Accept, Join, Seek
from parlour.protocol.types import Terms
from tests.e2e.web import Answer
from tests.server.running_node import Caller, RunningNode
from tests.waiting import WITHIN, until


class Lines:
    """A stream, chunk by chunk or message by message."""

    def __init__(self, status: int, headers: dict[str, str], reader: asyncio.StreamReader) -> None:
        self.status = status
        self.headers = headers
        self._reader = reader
        self._unread: list[bytes] = []

    async def chunk(self) -> bytes:
        """Return the next chunk; empty at the end of the response."""
        async with asyncio.timeout(WITHIN):
            size = int(await self._reader.readline() or b"0", 16)
            data = await self._reader.readexactly(size)
            await self._reader.readline()
        return data

    async def next(self, name: str) -> dict[str, Any]:
        """Return the next message of this name."""
        async with asyncio.timeout(WITHIN):
            while self._unread or (chunk := await self.chunk()):
                if not self._unread:
                    self._unread = [line for line in chunk.splitlines() if line]
                while self._unread:
                    message: dict[str, Any] | list[Any] = json.loads(self._unread.pop(0))
                    if isinstance(message, dict) and message["t"] == name:
                        return message
        raise EOFError(f"the stream ended before {name}")


class HttpClient:
    """Sends requests to one server, with a token if there is one."""

    def __init__(self, port: int, token: str = "") -> None:
        self.port = port
        self.token = token

    @classmethod
    def of(cls, node: RunningNode) -> HttpClient:
        port = urlsplit(node.url).port
        assert port is not None
        return cls(port)

    def with_token(self, token: str) -> HttpClient:
        """Return a client with the token of a player."""
        return HttpClient(self.port, token)

    async def guest(self) -> HttpClient:
        """Return a client of a new guest."""
        return self.with_token((await self.post("/guests", {})).json["token"])

    async def get(self, path: str, *headers: str) -> Answer:
        return await self.request("GET", path, *headers)

    async def post(self, path: str, body: Any = None, *headers: str) -> Answer:
        return await self.request("POST", path, *headers, body=b"" if body is None else json.dumps(body).encode())

    async def request(self, method: str, path: str, *headers: str, body: bytes = b"") -> Answer:
        """Send a request and return the whole answer."""
        async with asyncio.timeout(WITHIN):
            reader, writer = await self._send(method, path, headers, body)
            data = await reader.read()
            writer.close()
            await writer.wait_closed()
        head, _, content = data.partition(b"\r\n\r\n")
        return Answer(*_read_head(head), content)

    @asynccontextmanager
    async def stream(
        self, path: str, *headers: str, method: str = "GET", body: dict[str, Any] | None = None
    ) -> AsyncIterator[Lines]:
        """Open a stream; it is closed with the context."""
        content = b"" if body is None else json.dumps(body).encode()
        async with asyncio.timeout(WITHIN):
            reader, writer = await self._send(method, path, headers, content)
            head = await reader.readuntil(b"\r\n\r\n")
        try:
            yield Lines(*_read_head(head.removesuffix(b"\r\n\r\n")), reader)
        finally:
            writer.close()

    async def _send(
        self, method: str, path: str, headers: tuple[str, ...], body: bytes
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        lines = [f"{method} /api/v1{path} HTTP/1.1", "Host: localhost", *headers]
        if self.token:
            lines.append(f"Authorization: Bearer {self.token}")
        if body and not any(header.startswith("Transfer-Encoding") for header in headers):
            lines.append(f"Content-Length: {len(body)}")
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        return reader, writer


def _read_head(head: bytes) -> tuple[int, dict[str, str]]:
    first, *lines = head.decode("latin-1").split("\r\n")
    fields = (line.partition(": ") for line in lines)
    return int(first.split()[1]), {name.lower(): value for name, _, value in fields}


async def archived(http: HttpClient, room: str) -> None:
    """Wait until a finished game is found by a search."""

    async def is_found() -> bool:
        return room in [row["room"] for row in (await http.get("/records")).json["rows"]]

    await until(is_found)


async def public_table(terms: Terms, first: Caller, second: Caller) -> str:
    """Let two connected players start a game that all can see, and join it; return the room."""
    seek = (await first.ask(Seek(id=0, terms=terms, seat="first"))).seek
    room: str = (await second.ask(Accept(id=0, seek=seek))).room
    for caller in (first, second):
        await caller.ask(Join(id=0, room=room))
    return room
