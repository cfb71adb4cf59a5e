"""A push service on loopback that stands in for those of browsers, and a browser that is subscribed to it."""

from __future__ import annotations

import asyncio
import json
import os
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_network
from typing import Any

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from parlour.protocol.messages import PushSubscription
from parlour.server.admin.http_server import Request, read_request
from tests.waiting import WITHIN

LOOPBACK = (ip_network("127.0.0.0/8"),)


def to_base64(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


class SubscribedBrowser:
    """The keys of a subscription, with which its messages can be read."""

    def __init__(self, endpoint: str) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = os.urandom(16)
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self.subscription = PushSubscription(endpoint, to_base64(point), to_base64(self.secret))

    def read(self, request: Request) -> Any:
        """Return the content of an encrypted message."""
        body = http_ece.decrypt(
            request.body, private_key=self.key, auth_secret=self.secret, version=request.headers["Content-Encoding"]
        )
        return json.loads(body)


class PushService:
    """Keeps the requests that it receives. It answers them with `answers` first, then with 201."""

    def __init__(self) -> None:
        self.url = ""
        self.answers: list[str] = []  # status lines and headers
        self.received: list[Request] = []
        self._requests: asyncio.Queue[Request] = asyncio.Queue()

    def browser(self, name: str = "one") -> SubscribedBrowser:
        """Return a browser that is subscribed here."""
        return SubscribedBrowser(f"{self.url}/send/{name}")

    async def request(self) -> Request:
        """Return the next request."""
        async with asyncio.timeout(WITHIN):
            return await self._requests.get()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request."""
        try:
            request = await read_request(reader, "")
            answer = self.answers.pop(0) if self.answers else "201 Created"
            writer.write(f"HTTP/1.1 {answer}\r\nContent-Length: 0\r\n\r\n".encode())
            self.received.append(request)
            self._requests.put_nowait(request)
            await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()


@asynccontextmanager
async def push_service() -> AsyncIterator[PushService]:
    """Run a push service."""
    service = PushService()
    server = await asyncio.start_server(service.serve, "127.0.0.1", 0)
    service.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield service
    finally:
        server.close()
