"""A connection whose messages are the lines of a response."""

from __future__ import annotations

import asyncio

import pytest

from parlour.protocol.codec import JSON
from parlour.protocol.errors import CloseCode
from parlour.protocol.messages import Pong, Said
from parlour.server.connections.frames import encode_frame
from parlour.server.connections.hub import Hub
from parlour.server.connections.incidents import uncounted
from parlour.server.connections.limits import Limits
from parlour.server.connections.line_stream import LineStream, payloads
from tests.server.connections.recorder import Recorder


class Transport(asyncio.WriteTransport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.is_closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += bytes(data)

    def get_write_buffer_size(self) -> int:
        return 0

    def close(self) -> None:
        self.is_closed = True

    def abort(self) -> None:
        self.is_closed = True


@pytest.fixture
async def hub() -> Hub:
    return Hub(Recorder(), Limits(), uncounted)


def open_stream(hub: Hub, *, as_events: bool = False) -> LineStream:
    return LineStream(hub, "127.0.0.1", hub.counts.source("127.0.0.1"), as_events=as_events)


@pytest.mark.parametrize("length", [0, 125, 126, 0xFFFF, 0x10000])
def test_payloads_of_any_length_are_found(length: int) -> None:
    """Between others."""
    said = Said(room="r", name="n", text="x" * length)
    frames = encode_frame(JSON, Pong(1)) + encode_frame(JSON, said) + encode_frame(JSON, Pong(2))
    assert list(payloads(frames)) == [JSON.encode(message) for message in (Pong(1), said, Pong(2))]


async def test_what_was_sent_before_the_start_is_not_lost(hub: Hub) -> None:
    """It leaves first, and an empty line shows that the connection is alive."""
    stream, transport = open_stream(hub), Transport()
    stream.connection.send(Pong(1))
    await asyncio.sleep(0)
    stream.start(transport)
    stream.connection.send(Pong(2))
    await asyncio.sleep(0)
    stream.stop()
    line = b'{"t":"pong","n":1}\n'
    assert transport.written.startswith(b"%x\r\n%b\r\n" % (len(line), line))
    assert transport.written.count(b"\n\n") >= 1 or b"\r\n\n" in transport.written
    assert b'{"t":"pong","n":2}\n' in transport.written
    assert stream.connection in hub.connections


async def test_a_closed_stream_ends_with_the_last_chunk(hub: Hub) -> None:
    """Whether it was started before or after."""
    early, late = open_stream(hub), open_stream(hub)
    transports = Transport(), Transport()
    early.start(transports[0])
    for stream in (early, late):
        stream.connection.send(Pong(1))
        stream.connection.close(CloseCode.RESTART)
    late.start(transports[1])
    for stream, transport in zip((early, late), transports, strict=True):
        stream.stop()
        assert b"pong" in transport.written
        assert transport.written.endswith(b"0\r\n\r\n")
        assert transport.is_closed


async def test_server_sent_events_have_data_and_comments(hub: Hub) -> None:
    """As `EventSource` reads them."""
    stream, transport = open_stream(hub, as_events=True), Transport()
    stream.connection.send(Pong(1))
    stream.start(transport)
    await asyncio.sleep(0)
    stream.stop()
    assert b'data: {"t":"pong","n":1}\n\n' in transport.written
    assert b":\n\n" in transport.written
