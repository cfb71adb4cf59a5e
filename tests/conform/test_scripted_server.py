"""The scripted server by itself, where the checks do not look."""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError, ConnectionClosedOK
from websockets.typing import Subprotocol

from parlour.conform.scripted_server import ScriptedServer
from parlour.protocol import messages as wire
from parlour.protocol.codec import JSON, MSGPACK
from parlour.protocol.errors import CloseCode
from parlour.protocol.tables import Terms


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with ScriptedServer(opponent=False) as running:
        yield running


async def _guest(server: ScriptedServer, hello: wire.Hello) -> tuple[ClientConnection, wire.Welcome]:
    socket = await connect(server.url, subprotocols=[Subprotocol(JSON.subprotocol)])
    await socket.send(JSON.encode(hello), text=True)
    return socket, msgspec.json.decode(await socket.recv(), type=wire.Welcome)


async def test_frames_are_of_the_kind_of_the_subprotocol(server: ScriptedServer) -> None:
    """JSON comes in text frames, msgpack in binary ones."""
    for codec, kind in ((JSON, str), (MSGPACK, bytes)):
        async with connect(server.url, subprotocols=[Subprotocol(codec.subprotocol)]) as socket:
            await socket.send(codec.encode(wire.Hello()), text=codec.text)
            assert isinstance(await socket.recv(), kind)


async def test_who_offers_no_subprotocol_is_sent_away(server: ScriptedServer) -> None:
    """Without a subprotocol nothing can be said, so the connection is closed with a reason."""
    async with connect(server.url) as socket:
        with pytest.raises(ConnectionClosedError, match="Offer parlour"):
            await socket.recv()


async def test_a_newer_connection_takes_over(server: ScriptedServer) -> None:
    """When a player comes back while the old connection still seems to be there, that one is closed with 4003."""
    old, welcome = await _guest(server, wire.Hello())
    new, again = await _guest(server, wire.Hello(token=welcome.token))
    assert again.you == welcome.you
    with pytest.raises(ConnectionClosedError) as closed:
        await old.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == CloseCode.TAKEN_OVER
    await new.close()


async def test_who_waits_and_leaves_is_not_paired(server: ScriptedServer) -> None:
    """A place in the queue is gone with its connection, and the next one to queue waits."""
    queue = JSON.encode(wire.Queue(id=1, terms=Terms("replica")))
    first, _ = await _guest(server, wire.Hello())
    await first.send(queue, text=True)
    await first.recv()
    await first.close()
    second, _ = await _guest(server, wire.Hello())
    await second.send(queue, text=True)
    await second.send(JSON.encode(wire.Ping(7)), text=True)
    assert '"ok"' in str(await second.recv())
    assert '"pong"' in str(await second.recv())
    assert not server.rooms
    await second.close()


async def test_it_says_goodbye(server: ScriptedServer) -> None:
    """Who is still connected when it ends sees the connection closed as going away."""
    async with ScriptedServer() as other:
        socket, _ = await _guest(other, wire.Hello())
    with pytest.raises(ConnectionClosedOK) as closed:
        await socket.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == CloseCode.GOING_AWAY
