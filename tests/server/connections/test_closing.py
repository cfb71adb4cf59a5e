"""How connections end, on either side."""

from __future__ import annotations

import asyncio
import socket
import struct

import pytest
from websockets.exceptions import ConnectionClosed

from parlour.protocol.codec import MSGPACK
from parlour.protocol.errors import CloseCode
from parlour.protocol.messages import Ping, Pong
from parlour.server.connections.connection import Connection
from parlour.server.connections.limits import Limits
from tests.server.connections.conftest import Open, Raw, Serve
from tests.server.connections.raw_client import BINARY, CLOSE, frame
from tests.server.connections.recorder import Recorder


@pytest.mark.parametrize("code", CloseCode)
async def test_the_node_closes_with_a_code_and_a_sentence(
    serve: Serve, dial: Open, node: Recorder, direct: bool, code: CloseCode
) -> None:
    """The client sees the code and its default meaning. What was sent before arrives."""
    client = await dial(await serve(direct=direct))
    await node.until(lambda: bool(node.opened_peers))
    node.connection.send(Pong(1))
    node.connection.close(code)
    node.connection.send(Pong(2))
    node.connection.close(CloseCode.FLOOD, "the first one counts")
    assert MSGPACK.decode_server(await client.recv()) == Pong(1)
    with pytest.raises(ConnectionClosed) as closed:
        await client.recv()
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (code, code.meaning)
    await node.until(lambda: node.codes == [code])


async def test_a_long_sentence_is_cut_to_what_fits(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """A close frame holds 123 bytes; a text is never cut within a character."""
    client = await dial(await serve(direct=direct))
    await node.until(lambda: bool(node.opened_peers))
    node.connection.close(CloseCode.FLOOD, "€" * 100)
    await client.wait_closed()
    assert client.close_reason == "€" * 41


async def test_nothing_is_received_after_the_node_has_closed(
    serve: Serve, raw: Raw, node: Recorder, direct: bool
) -> None:
    """Not even messages in the same packet."""

    def close(connection: Connection, _: bytes | str) -> None:
        connection.close(CloseCode.NO_HELLO)

    node.on_message = close
    client = await raw(await serve(direct=direct))
    await client.send(frame(BINARY, b"one") + frame(BINARY, b"two") + frame(BINARY, b"three")[:5])
    assert await client.closing() == CloseCode.NO_HELLO
    await client.send(frame(BINARY, b"three")[5:] + frame(BINARY, b"four") + frame(CLOSE, b"\x0f\xa0"))
    assert await client.rest() == b""
    client.close()
    await node.until(lambda: node.codes == [CloseCode.NO_HELLO])
    assert node.frames == [b"one"]


async def test_a_client_that_does_not_answer_a_close_is_aborted(
    serve: Serve, raw: Raw, node: Recorder, direct: bool
) -> None:
    """Closing is bounded in time."""
    client = await raw(await serve(Limits(close_timeout=0.1), direct=direct))
    await node.until(lambda: bool(node.opened_peers))
    node.connection.close(CloseCode.TAKEN_OVER)
    await node.until(lambda: node.codes == [CloseCode.TAKEN_OVER])
    assert await client.is_over()


async def test_a_client_that_closes_and_stays_is_aborted(serve: Serve, raw: Raw, node: Recorder) -> None:
    """The server does not wait long for the socket to close."""
    client = await raw(await serve(Limits(close_timeout=0.1), direct=True))
    await client.send(frame(CLOSE, b"\x03\xe9"))
    assert await client.closing() == 1001
    await node.until(lambda: node.codes == [1001])


async def test_a_broken_connection_is_noticed(serve: Serve, raw: Raw, node: Recorder, direct: bool) -> None:
    """A socket that just ends, or is reset, closes with 1006."""
    transport = await serve(direct=direct)
    first, second = await raw(transport), await raw(transport)
    first.close()
    await node.until(lambda: node.codes == [1006])
    second.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    second.close()
    await node.until(lambda: node.codes == [1006, 1006])
    assert transport.connections == frozenset()


async def test_closed_is_reported_once_for_every_opened(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """However connections end, each is opened once and closed once."""
    transport = await serve(Limits(close_timeout=0.5), direct=direct)
    clients = [await dial(transport) for _ in range(30)]
    await node.until(lambda: len(node.opened_peers) == 30)
    for number, (client, connection) in enumerate(zip(clients, node.opened_peers, strict=True)):
        if number % 3 == 0:
            client.transport.abort()
        elif number % 3 == 1:
            connection.close(CloseCode.SIGNED_OUT)
            connection.abort(CloseCode.TOO_SLOW)
        else:
            await client.send(MSGPACK.encode(Ping(number)))
            await client.close()
    await node.until(lambda: len(node.closings) == 30)
    await asyncio.sleep(0)
    assert sorted(id(connection) for connection, _ in node.closings) == sorted(
        id(connection) for connection in node.opened_peers
    )
    assert transport.connections == frozenset()
