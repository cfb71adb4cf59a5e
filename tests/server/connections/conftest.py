"""A server for each test, with either way to receive messages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack
from typing import Any

import pytest
import uvloop
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from parlour.server.connections.http import Routes
from parlour.server.connections.limits import Limits
from parlour.server.connections.server import WebServer, start
from tests.server.connections.raw_client import RawClient
from tests.server.connections.recorder import Recorder

Serve = Callable[..., Awaitable[WebServer]]
Open = Callable[..., Awaitable[ClientConnection]]
Raw = Callable[..., Awaitable[RawClient]]


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Run every test on both event loops: nodes use uvloop where it is installed."""
    return {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}


@pytest.fixture
async def node() -> Recorder:
    return Recorder()


@pytest.fixture(params=["direct", "public"])
def direct(request: pytest.FixtureRequest) -> bool:
    """Both ways to receive messages: a test with this fixture holds for both."""
    return bool(request.param == "direct")


@pytest.fixture
async def serve(node: Recorder) -> AsyncIterator[Serve]:
    """Start servers that end with the test."""
    running: list[WebServer] = []

    async def serve(limits: Limits | None = None, routes: Routes | None = None, **settings: Any) -> WebServer:
        transport = await start(
            node, host="127.0.0.1", port=0, limits=limits or Limits(), routes=routes or Routes(), count=node.count,
            **settings,
        )  # fmt: skip
        running.append(transport)
        return transport

    yield serve
    for transport in running:
        await transport.stop(grace=0.2)


@pytest.fixture
async def dial() -> AsyncIterator[Open]:
    """Connect with the library's client."""
    async with AsyncExitStack() as stack:

        async def dial(
            transport: WebServer, subprotocol: str = "parlour.v1+msgpack", **settings: Any
        ) -> ClientConnection:
            return await stack.enter_async_context(
                connect(
                    f"ws://127.0.0.1:{transport.port}/ws", subprotocols=[Subprotocol(subprotocol)], compression=None,
                    proxy=None, **settings,
                )
            )  # fmt: skip

        yield dial


@pytest.fixture
def raw() -> Iterator[Raw]:
    """Connect with a bare socket; `shake=False` leaves the handshake to the test."""
    with ExitStack() as stack:

        async def raw(transport: WebServer, shake: bool = True, **settings: Any) -> RawClient:
            client = await (RawClient.open if shake else RawClient.connect)(transport.port, **settings)
            stack.callback(client.close)
            return client

        yield raw
