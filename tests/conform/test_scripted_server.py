"""Behaviour of the scripted server that the checks do not cover."""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError, ConnectionClosedOK
from websockets.typing import Subprotocol

from parlour.conform.codec import JSON, MSGPACK
from parlour.conform.scripted_server import ScriptedServer
from parlour.protocol import messages as wire
from parlour.protocol.errors import CloseCode
from parlour.protocol.types import Terms


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with ScriptedServer(opponent=False) as running:
        yield running


async def _guest(server: ScriptedServer, hello: wire.Hello) -> tuple[ClientConnection, wire.Welcome]:
    socket = await connect(server.url, subprotocols=[Subprotocol(JSON.subprotocol)])
    await socket.send(JSON.encode(hello), text=True)
    return socket, msgspec.json.decode(await socket.recv(), type=wire.Welcome)


async def test_the_subprotocol_determines_the_frame_type(server: ScriptedServer) -> None:
    """JSON is sent in text frames and MessagePack in binary frames."""
    for codec, kind in ((JSON, str), (MSGPACK, bytes)):
        async with connect(server.url, subprotocols=[Subprotocol(codec.subprotocol)]) as socket:
            await socket.send(codec.encode(wire.Hello()), text=codec.text)
            assert isinstance(await socket.recv(), kind)


async def test_a_client_without_a_subprotocol_is_refused(server: ScriptedServer) -> None:
    """Without a subprotocol no message can be exchanged, so the connection is closed with a reason."""
    async with connect(server.url) as socket:
        with pytest.raises(ConnectionClosedError, match="Offer parlour"):
            await socket.recv()


async def test_a_player_may_have_several_connections(server: ScriptedServer) -> None:
    """A second connection of a player is another session, and the first one stays open."""
    first, welcome = await _guest(server, wire.Hello())
    second, again = await _guest(server, wire.Hello(token=welcome.token))
    assert again.you == welcome.you
    assert again.session != welcome.session
    for socket in (first, second):
        await socket.send(JSON.encode(wire.Ping(7)), text=True)
        assert '"pong"' in str(await socket.recv())
        await socket.close()


async def test_a_session_continues_only_with_its_token(server: ScriptedServer) -> None:
    """A new guest gets a new session, whatever hello says."""
    first, welcome = await _guest(server, wire.Hello(session="mine"))
    assert welcome.session != "mine"
    second, again = await _guest(server, wire.Hello(token=welcome.token, session="mine"))
    assert again.session == "mine"
    await first.close()
    await second.close()


async def test_a_player_who_disconnects_is_not_paired(server: ScriptedServer) -> None:
    """A queue place ends with its connection, so the next player to queue has to wait."""
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
    """Clients still connected when the server stops see a close with "going away"."""
    async with ScriptedServer() as other:
        socket, _ = await _guest(other, wire.Hello())
    with pytest.raises(ConnectionClosedOK) as closed:
        await socket.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == CloseCode.GOING_AWAY
