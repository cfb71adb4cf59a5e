"""Messages over real sockets, with either way to receive them."""

from __future__ import annotations

import asyncio
import logging

import pytest
from websockets.exceptions import ConnectionClosed

from parlour.protocol.codec import CODECS, JSON, MAX_MESSAGE_SIZE, MSGPACK, Codec
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Ok, Ping, Pong, Refused
from parlour.server.connections.connection import Connection
from parlour.server.connections.frames import Broadcast
from parlour.server.connections.incidents import Incident
from tests.server.connections.conftest import Open, Raw, Serve
from tests.server.connections.raw_client import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, frame, upgrade
from tests.server.connections.recorder import Recorder


def ping(n: int, codec: Codec = MSGPACK) -> bytes:
    encoded: bytes = codec.encode(Ping(n))
    return encoded


@pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
async def test_a_message_is_received_and_answered_in_its_codec(
    serve: Serve, dial: Open, node: Recorder, direct: bool, codec: Codec
) -> None:
    """The node receives it as it was sent, and the answer has the same codec."""
    client = await dial(await serve(direct=direct), codec.subprotocol)
    await client.send(ping(7, codec), text=codec.text)
    answer = await client.recv()
    assert isinstance(answer, str) == codec.text
    assert codec.decode_server(answer) == Pong(7)
    assert node.frames == [ping(7, codec).decode() if codec.text else ping(7, codec)]
    assert type(node.frames[0]) in (bytes, str)
    assert node.connection.codec is codec
    assert node.connection.address == "127.0.0.1"


async def test_the_first_supported_subprotocol_is_chosen(serve: Serve, raw: Raw, direct: bool) -> None:
    """Clients list subprotocols by preference."""
    client = await raw(await serve(direct=direct), subprotocol="chess, parlour.v1+json, parlour.v1+msgpack")
    await client.send(frame(TEXT, ping(1, JSON)))
    assert await client.message() == JSON.encode(Pong(1))


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 1000, 65535, 65536, 200_000])
async def test_messages_of_every_length_arrive_whole(
    serve: Serve, dial: Open, node: Recorder, direct: bool, size: int
) -> None:
    """The header of a frame depends on the length; a client understands all of them."""
    client = await dial(await serve(direct=direct), max_size=None)
    await node.until(lambda: bool(node.opened_peers))
    node.connection.send(Refused(code=ErrorCode.TRY_AGAIN, text="x" * size))
    answer = MSGPACK.decode_server(await client.recv())
    assert isinstance(answer, Refused)
    assert answer.text == "x" * size


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 5000, 65535, 65536])
async def test_frames_of_every_length_are_received_whole(
    serve: Serve, dial: Open, node: Recorder, direct: bool, size: int
) -> None:
    """Up to the largest frame, whatever the length."""
    node.on_message = lambda connection, frame: None
    client = await dial(await serve(direct=direct))
    await client.send(b"\xc3" * size)
    await client.send(b"end")
    await node.until(lambda: len(node.frames) == 2)
    assert node.frames == [b"\xc3" * size, b"end"]


async def test_messages_of_one_iteration_keep_their_order(
    serve: Serve, dial: Open, node: Recorder, direct: bool
) -> None:
    """Answers and broadcasts to one connection arrive in the order in which the node sent them."""

    def talk(connection: Connection, _: bytes | str) -> None:
        for n in range(0, 20, 2):
            connection.send(Pong(n))
            assert connection.write(Broadcast(Pong(n + 1)))

    node.on_message = talk
    client = await dial(await serve(direct=direct))
    await client.send(b"go")
    assert [MSGPACK.decode_server(await client.recv()) for _ in range(20)] == [Pong(n) for n in range(20)]


async def test_messages_sent_from_anywhere_arrive(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """Nothing needs to be received first, and messages of different kinds keep their order."""
    transport = await serve(direct=direct)
    client = await dial(transport)
    await node.until(lambda: bool(node.opened_peers))
    node.connection.send(Pong(1))
    assert MSGPACK.decode_server(await client.recv()) == Pong(1)
    node.connection.send(Pong(2))
    node.connection.write(Broadcast(Pong(3)))
    assert [MSGPACK.decode_server(await client.recv()) for _ in range(2)] == [Pong(2), Pong(3)]


async def test_a_broadcast_reaches_every_connection_in_its_codec(
    serve: Serve, dial: Open, node: Recorder, direct: bool
) -> None:
    """One message for connections with different subprotocols."""
    transport = await serve(direct=direct)
    clients = [(codec, await dial(transport, codec.subprotocol)) for codec in [*CODECS.values()] * 3]
    await node.until(lambda: len(node.opened_peers) == 6)
    broadcast = Broadcast(Pong(5))
    assert [connection.write(broadcast) for connection in transport.connections] == [True] * 6
    for codec, client in clients:
        assert codec.decode_server(await client.recv()) == Pong(5)


async def test_fragments_are_put_together(serve: Serve, raw: Raw, node: Recorder, direct: bool) -> None:
    """A fragmented message, with a ping in between, is one message; the ping is answered at once."""
    client = await raw(await serve(direct=direct))
    whole = ping(2**40)
    await client.send(frame(BINARY, whole[:2], fin=False) + frame(CONTINUATION, whole[2:3], fin=False))
    await client.send(frame(PING, b"hi"))
    assert await client.until(lambda opcode: opcode == PONG) == (PONG, b"hi")
    assert node.frames == []
    await client.send(frame(CONTINUATION, b"", fin=False) + frame(CONTINUATION, whole[3:]) + frame(BINARY, ping(3)))
    assert [await client.message(), await client.message()] == [MSGPACK.encode(Pong(2**40)), MSGPACK.encode(Pong(3))]
    assert node.frames == [whole, ping(3)]


async def test_fragmented_text_may_be_split_within_a_character(
    serve: Serve, raw: Raw, node: Recorder, direct: bool
) -> None:
    """Only the whole text has to be UTF-8."""
    node.on_message = lambda connection, frame: None
    client = await raw(await serve(direct=direct), subprotocol="parlour.v1+json")
    text = "déjà".encode()
    await client.send(frame(TEXT, text[:2], fin=False) + frame(CONTINUATION, text[2:]))
    await node.until(lambda: node.frames == ["déjà"])


async def test_bytes_may_arrive_one_by_one(serve: Serve, raw: Raw, node: Recorder, direct: bool) -> None:
    """However the network splits the stream, the same messages arrive."""
    client = await raw(await serve(direct=direct))
    long = ping(9) + bytes(300)
    stream = frame(BINARY, ping(1)) + frame(PING, b"x") + frame(BINARY, long) + frame(BINARY, ping(2))
    for byte in stream:
        await client.send(bytes((byte,)))
        await asyncio.sleep(0)
    await node.until(lambda: len(node.frames) == 3)
    assert node.frames == [ping(1), long, ping(2)]
    assert await client.until(lambda opcode: opcode == PONG) == (PONG, b"x")


async def test_many_messages_in_one_packet_are_all_received(
    serve: Serve, raw: Raw, node: Recorder, direct: bool
) -> None:
    """In order, the last one incomplete until its rest comes."""
    client = await raw(await serve(direct=direct))
    stream = b"".join(frame(BINARY, ping(n)) for n in range(40))
    await client.send(stream[:-1])
    await node.until(lambda: len(node.frames) == 39)
    await client.send(stream[-1:])
    assert [MSGPACK.decode_server(await client.message()) for _ in range(40)] == [Pong(n) for n in range(40)]


async def test_frames_sent_with_the_handshake_are_received(
    serve: Serve, raw: Raw, node: Recorder, direct: bool
) -> None:
    """A client need not wait for the response; nothing it sends is lost."""
    client = await raw(await serve(direct=direct), shake=False)
    await client.send(upgrade() + frame(BINARY, ping(1)) + frame(BINARY, ping(2))[:4])
    assert (await client.head()).startswith("HTTP/1.1 101 ")
    assert MSGPACK.decode_server(await client.message()) == Pong(1)
    await client.send(frame(BINARY, ping(2))[4:])
    assert MSGPACK.decode_server(await client.message()) == Pong(2)


async def test_a_text_frame_under_msgpack_is_refused(serve: Serve, dial: Open, direct: bool) -> None:
    """The connection stays open."""
    client = await dial(await serve(direct=direct))
    await client.send('{"t": "ping", "n": 1}')
    refused = MSGPACK.decode_server(await client.recv())
    assert isinstance(refused, Refused)
    assert refused.code == ErrorCode.REQUEST_MALFORMED
    await client.send(ping(2))
    assert MSGPACK.decode_server(await client.recv()) == Pong(2)


async def test_a_message_that_is_a_little_too_large_is_refused(serve: Serve, dial: Open, direct: bool) -> None:
    """Between the largest message and the largest frame, the connection stays open."""
    client = await dial(await serve(direct=direct))
    await client.send(b"\xc0" * (MAX_MESSAGE_SIZE + 1))
    refused = MSGPACK.decode_server(await client.recv())
    assert isinstance(refused, Refused)
    assert refused.code == ErrorCode.REQUEST_TOO_LARGE
    await client.send(ping(2))
    assert MSGPACK.decode_server(await client.recv()) == Pong(2)


@pytest.mark.parametrize(
    ("stream", "code"),
    [
        pytest.param(frame(BINARY, bytes(65537)), 1009, id="larger than the largest frame"),
        pytest.param(b"\x82\xff" + (2**62).to_bytes(8, "big") + b"maskpayload", 1009, id="absurdly large"),
        pytest.param(
            frame(BINARY, bytes(40_000), fin=False) + frame(CONTINUATION, bytes(40_000)), 1009, id="too large in pieces"
        ),
        pytest.param(frame(BINARY, b"hello", masked=False), 1002, id="not masked"),
        pytest.param(frame(BINARY, b"", masked=False), 1002, id="empty and not masked"),
        pytest.param(frame(BINARY, b"hello", reserved=0x40), 1002, id="reserved bit"),
        pytest.param(frame(0x3, b"hello"), 1002, id="unknown opcode"),
        pytest.param(frame(CONTINUATION, b"hello"), 1002, id="continues nothing"),
        pytest.param(
            frame(BINARY, b"hello", fin=False) + frame(BINARY, b"hello"), 1002, id="new message within another"
        ),
        pytest.param(frame(PING, bytes(126)), 1002, id="long ping"),
        pytest.param(frame(PING, b"", fin=False), 1002, id="fragmented ping"),
        pytest.param(frame(TEXT, b"\xff\xfe"), 1007, id="text that is no UTF-8"),
        pytest.param(frame(TEXT, b"a", fin=False) + frame(CONTINUATION, b"\xff"), 1007, id="no UTF-8 in pieces"),
        pytest.param(frame(CLOSE, b"\x00"), 1002, id="close frame of one byte"),
        pytest.param(frame(CLOSE, b"\x03\xe8"), 1000, id="regular end"),
        pytest.param(frame(CLOSE, b""), 0, id="regular end without a code"),
    ],
)
async def test_protocol_violations_close_the_connection_with_their_code(
    serve: Serve, raw: Raw, node: Recorder, direct: bool, stream: bytes, code: int
) -> None:
    """A violation closes its own connection only, and is reported once."""
    transport = await serve(direct=direct)
    client, other = await raw(transport), await raw(transport)
    await client.send(stream)
    assert await client.closing() == code
    client.close()
    await node.until(lambda: len(node.closings) == 1)
    assert node.codes == [code or 1005]
    assert node.frames == []
    await other.send(frame(BINARY, ping(1)))
    assert MSGPACK.decode_server(await other.message()) == Pong(1)


async def test_messages_before_a_close_in_the_same_packet_are_received_and_answered(
    serve: Serve, raw: Raw, node: Recorder
) -> None:
    """The answer to the last message is sent before the closing handshake."""
    client = await raw(await serve(direct=True))
    await client.send(frame(BINARY, ping(1)) + frame(CLOSE, b"\x03\xe8") + frame(BINARY, ping(2)))
    assert MSGPACK.decode_server(await client.message()) == Pong(1)
    assert await client.closing() == 1000
    client.close()
    await node.until(lambda: node.codes == [1000])
    assert node.frames == [ping(1)]


async def test_a_failing_listener_does_not_lose_the_connection(
    serve: Serve, dial: Open, node: Recorder, direct: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """An exception is logged with its traceback and counted, and the next message is received."""

    def fail(connection: Connection, _: bytes | str) -> None:
        raise ZeroDivisionError("over this message")

    client = await dial(await serve(direct=direct))
    node.on_message = fail
    with caplog.at_level(logging.ERROR):
        await client.send(ping(1))
        await node.until(lambda: node.incidents[Incident.LISTENER_FAILED] == 1)
    assert "over this message" in caplog.text
    assert "Traceback" in caplog.text
    node.on_message = node.answer
    await client.send(ping(2))
    assert MSGPACK.decode_server(await client.recv()) == Pong(2)


async def test_a_listener_that_fails_on_opening_closes_the_connection(
    serve: Serve, dial: Open, node: Recorder, direct: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """It is closed with 1011, and the closing is still reported."""

    def fail(connection: Connection) -> None:
        raise ZeroDivisionError("over this connection")

    node.on_opened = fail
    client = await dial(await serve(direct=direct))
    with caplog.at_level(logging.ERROR), pytest.raises(ConnectionClosed) as closed:
        await client.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1011
    await node.until(lambda: node.codes == [1011])
    assert node.incidents[Incident.LISTENER_FAILED] == 1


async def test_nothing_is_sent_after_the_end(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """Sending to a closed connection does nothing."""
    client = await dial(await serve(direct=direct))
    await node.until(lambda: bool(node.opened_peers))
    await client.close(1001)
    await node.until(lambda: node.codes == [1001])
    node.connection.send(Ok(id=1))
    assert node.connection.write(Broadcast(Pong(1)))
    assert not node.connection.behind
