"""Opening a WebSocket to whichever of several addresses answers first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from websockets.asyncio.server import ServerConnection, serve

from parlour.client.connect_errors import ConnectCode, ConnectError
from parlour.client.websocket import open_first
from parlour.protocol.codec import MSGPACK
from tests.waiting import WITHIN

UNUSED = "ws://127.0.0.1:9/ws"


@pytest.fixture
async def working() -> AsyncIterator[str]:
    """The address of a server that answers."""

    async def handle(socket: ServerConnection) -> None:
        await socket.wait_closed()

    async with serve(handle, "127.0.0.1", 0, subprotocols=[MSGPACK.subprotocol]) as server:  # type: ignore[list-item]
        yield f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}/ws"


class Silent:
    """A server that accepts connections and says nothing."""

    def __init__(self) -> None:
        self.address = ""
        self.accepted = asyncio.Event()
        self.closed = asyncio.Event()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted.set()
        while await reader.read(1024):
            pass
        self.closed.set()
        writer.close()


@pytest.fixture
async def silent() -> AsyncIterator[Silent]:
    found = Silent()
    server = await asyncio.start_server(found.accept, "127.0.0.1", 0)
    found.address = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/ws"
    yield found
    server.close()


async def test_a_silent_address_is_overtaken(working: str, silent: Silent) -> None:
    """The next address is tried after a short while, and the attempt that is not needed any more is abandoned."""
    address, socket = await open_first([silent.address, working], MSGPACK, WITHIN)
    assert address == working
    assert silent.accepted.is_set()
    await asyncio.wait_for(silent.closed.wait(), WITHIN)
    await socket.close()


async def test_the_next_address_is_left_alone_if_the_first_one_answers(working: str, silent: Silent) -> None:
    """One connection is enough."""
    address, socket = await open_first([working, silent.address], MSGPACK, WITHIN)
    assert address == working
    assert not silent.accepted.is_set()
    await socket.close()


async def test_an_address_that_fails_has_no_head_start(working: str) -> None:
    """The next one is tried at once."""
    address, socket = await open_first([UNUSED, working], MSGPACK, WITHIN)
    assert address == working
    await socket.close()


async def test_no_address_answers(silent: Silent) -> None:
    """The last failure is raised."""
    with pytest.raises(ConnectError) as failed:
        await open_first([UNUSED, UNUSED], MSGPACK, WITHIN)
    assert failed.value.code == ConnectCode.REFUSED
    with pytest.raises(ConnectError) as failed:
        await open_first([UNUSED, silent.address], MSGPACK, 0.1)
    assert failed.value.code == ConnectCode.TIMEOUT


async def test_the_caller_is_cancelled(silent: Silent) -> None:
    """No attempt goes on without its caller."""
    opening = asyncio.create_task(open_first([silent.address], MSGPACK, WITHIN))
    await silent.accepted.wait()
    opening.cancel()
    await asyncio.wait_for(silent.closed.wait(), WITHIN)
