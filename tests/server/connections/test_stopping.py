"""Stopping: no new connections, everything sent arrives, and it ends in time."""

from __future__ import annotations

import asyncio
import socket
from time import monotonic

import pytest
from websockets.exceptions import ConnectionClosed

from parlour.protocol.codec import CODECS, MSGPACK
from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.messages import Closing, Ping, Pong, Refused
from parlour.server.connections.http import HttpReply, HttpRequest, Routes
from parlour.server.connections.limits import Limits
from parlour.server.connections.server import start
from tests.server.connections.conftest import Open, Raw, Serve
from tests.server.connections.raw_client import CLOSE, frame, request
from tests.server.connections.recorder import Recorder

FAREWELL = Closing(code=CloseCode.RESTART, text="Back in a minute.", nodes=("wss://two.example/ws",))


async def test_every_connection_is_told_and_closed(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """What was sent before, then the last message, then 1012; then nothing is left."""
    transport = await serve(direct=direct)
    clients = [(codec, await dial(transport, codec.subprotocol)) for codec in [*CODECS.values()] * 5]
    await node.until(lambda: len(node.opened_peers) == 10)
    for connection in node.opened_peers:
        connection.send(Pong(1))
    began = monotonic()
    await transport.stop(grace=60, last_message=FAREWELL)
    assert monotonic() - began < 30
    for codec, client in clients:
        assert codec.decode_server(await client.recv()) == Pong(1)
        assert codec.decode_server(await client.recv()) == FAREWELL
        with pytest.raises(ConnectionClosed) as closed:
            await client.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == CloseCode.RESTART
    assert node.codes == [CloseCode.RESTART] * 10
    assert transport.connections == frozenset()


async def test_no_new_connections_are_accepted(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """Open connections stay open."""
    transport = await serve(direct=direct)
    client = await dial(transport)
    port = transport.port
    transport.stop_accepting()
    await asyncio.sleep(0)
    with socket.socket() as plug:
        plug.setblocking(False)
        with pytest.raises(ConnectionError):
            await asyncio.get_running_loop().sock_connect(plug, ("127.0.0.1", port))
    await client.send(MSGPACK.encode(Ping(1)))
    assert MSGPACK.decode_server(await client.recv()) == Pong(1)


async def test_messages_can_be_ignored(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """What arrives while the last commands are answered is not answered any more; what is sent still arrives."""
    transport = await serve(direct=direct)
    client = await dial(transport)
    await node.until(lambda: bool(node.opened_peers))
    transport.stop_receiving()
    await client.send(MSGPACK.encode(Ping(1)))
    await (await client.ping())  # everything sent before it has arrived
    node.connection.send(Pong(2))
    assert MSGPACK.decode_server(await client.recv()) == Pong(2)
    assert node.frames == []


async def test_a_client_that_does_not_close_is_aborted_after_the_grace(
    serve: Serve, raw: Raw, node: Recorder, direct: bool
) -> None:
    """A client that ignores everything does not delay the end."""
    transport = await serve(Limits(close_timeout=60), direct=direct)
    for _ in range(3):
        await raw(transport)
    await node.until(lambda: len(node.opened_peers) == 3)
    began = monotonic()
    await transport.stop(grace=0.3)
    assert 0.25 < monotonic() - began < 30
    assert node.codes == [CloseCode.RESTART] * 3


async def test_a_slow_reader_gets_everything_within_the_grace(serve: Serve, raw: Raw, node: Recorder) -> None:
    """The grace is for reading what was sent, and longer than closing usually takes."""
    transport = await serve(Limits(kernel_buffer=4096, close_timeout=0.05), direct=True)
    client = await raw(transport, receive_buffer=4096)
    await node.until(lambda: bool(node.opened_peers))
    for _ in range(50):
        node.connection.send(Refused(code=ErrorCode.TRY_AGAIN, text="x" * 4096))
    stopping = asyncio.create_task(transport.stop(grace=8, last_message=FAREWELL))
    await asyncio.sleep(0.2)  # several times what closing usually may take
    for _ in range(50):
        assert isinstance(MSGPACK.decode_server(await client.message()), Refused)
    assert MSGPACK.decode_server(await client.message()) == FAREWELL
    assert await client.closing() == CloseCode.RESTART
    await client.send(frame(CLOSE, b"\x03\xf4"))
    await stopping  # although the client keeps its socket open
    assert node.codes == [CloseCode.RESTART]


async def test_connections_without_a_request_do_not_delay_the_end(serve: Serve, raw: Raw) -> None:
    """Browsers open such connections in advance."""
    transport = await serve(direct=True)
    idle, half = await raw(transport, shake=False), await raw(transport, shake=False)
    await half.send(request("/")[:-1])
    began = monotonic()
    await transport.stop(grace=60)
    assert monotonic() - began < 30
    assert await idle.is_over()
    assert await half.is_over()


async def test_a_request_that_is_being_answered_is_finished(serve: Serve, raw: Raw) -> None:
    """Stopping waits for endpoints, within the grace."""
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def page(_: HttpRequest) -> HttpReply:
        asked.set()
        await go_on.wait()
        return HttpReply(b"{}")

    transport = await serve(routes=Routes({"/page": page}), direct=True)
    client = await raw(transport, shake=False)
    await client.send(request("/page"))
    await asked.wait()
    stopping = asyncio.create_task(transport.stop(grace=5))
    await asyncio.sleep(0)
    go_on.set()
    assert (await client.head()).startswith("HTTP/1.1 200 ")
    assert await client.rest() == b"{}"
    client.close()
    await stopping


async def test_stopping_twice_does_nothing_more(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """As when a second signal arrives during the first stop."""
    transport = await serve(direct=direct)
    await dial(transport)
    await node.until(lambda: bool(node.opened_peers))
    await asyncio.gather(transport.stop(grace=1), transport.stop(grace=1))
    await transport.stop(grace=1)
    assert node.codes == [CloseCode.RESTART]


async def test_a_port_in_use_is_an_error(serve: Serve, node: Recorder) -> None:
    """The command line turns it into a sentence; nothing is left running."""
    transport = await serve()
    with pytest.raises(OSError, match="address already in use"):
        await start(node, host="127.0.0.1", port=transport.port, limits=Limits(), routes=Routes())
