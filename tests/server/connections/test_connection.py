"""A connection without a network: what it writes, drops, counts and reports."""

from __future__ import annotations

import pytest

from parlour.protocol.codec import MSGPACK
from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.messages import Ping, Pong, Refused
from parlour.server.connections.connection import ABNORMAL, Connection
from parlour.server.connections.frames import Broadcast, encode_frame
from parlour.server.connections.hub import Hub
from parlour.server.connections.incidents import Incident
from parlour.server.connections.limits import Limits
from tests.server.connections.recorder import Recorder


class ScriptedSocket:
    """A socket whose buffer the test sets."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.in_buffer = 0
        self.closings: list[tuple[int, str]] = []
        self.is_aborted = False

    def buffered(self) -> int:
        return self.in_buffer

    def start_closing(self, code: int, reason: str) -> None:
        self.closings.append((code, reason))

    def abort(self) -> None:
        self.is_aborted = True


def connect(node: Recorder, limits: Limits | None = None) -> tuple[Connection, ScriptedSocket]:
    """Return an open connection."""
    hub, socket = Hub(node, limits or Limits(), node.count), ScriptedSocket()
    source = hub.counts.enter("192.0.2.1")
    connection = Connection(socket, socket.written.append, hub, codec=MSGPACK, address="192.0.2.1", source=source)
    hub.add(connection, pings=False)
    return connection, socket


def framed(message: Pong | Ping | Refused) -> bytes:
    return encode_frame(MSGPACK, message)


async def test_messages_leave_in_one_write(node: Recorder) -> None:
    """Everything sent before the flush is written together, in order."""
    connection, socket = connect(node)
    connection.send(Pong(1))
    connection.write(Broadcast(Pong(2)))
    assert socket.written == []
    connection.flush()
    assert socket.written == [framed(Pong(1)) + framed(Pong(2))]


async def test_broadcasts_to_a_full_connection_are_dropped(node: Recorder) -> None:
    """From the first dropped broadcast until the buffer has drained; messages of its own are never dropped."""
    connection, socket = connect(node, Limits(soft_buffer=100))
    connection.writing_blocked()
    socket.in_buffer = 101
    assert not connection.write(Broadcast(Pong(1)))
    socket.in_buffer = 50
    assert not connection.write(Broadcast(Pong(2)))
    connection.send(Pong(3))
    connection.flush()
    assert socket.written == [framed(Pong(3))]
    assert node.incidents == {Incident.BEHIND: 1}

    connection.writing_resumed()
    assert node.drains == [connection]
    assert connection.write(Broadcast(Pong(4)))


async def test_a_connection_whose_buffer_overflows_is_aborted(node: Recorder) -> None:
    """Messages of its own may fill the buffer up to a limit."""
    connection, socket = connect(node, Limits(hard_buffer=1000))
    connection.writing_blocked()
    socket.in_buffer = 1001
    connection.send(Pong(1))
    connection.flush()
    assert socket.is_aborted
    assert node.incidents == {Incident.TOO_SLOW: 1}
    connection.lost(ABNORMAL)
    assert node.codes == [CloseCode.TOO_SLOW]


async def test_messages_over_the_rate_are_refused(node: Recorder) -> None:
    """A refusal names the command; the listener does not see the message."""
    connection, socket = connect(node, Limits(rate=1, burst=2, flood=1000))
    for number in range(3):
        connection.receive(MSGPACK.encode(Ping(number)))
    connection.flush()
    assert len(node.frames) == 2
    refused = MSGPACK.decode_server(socket.written[-1][-_size_of_last(socket.written[-1]) :])
    assert isinstance(refused, Refused)
    assert refused.code == ErrorCode.TOO_FAST
    assert node.incidents == {Incident.TOO_FAST: 1}


def _size_of_last(data: bytes) -> int:
    """Return the payload size of the last frame in some data."""
    size, start = 0, 0
    while start < len(data):
        length, header = data[start + 1], 2
        if length == 126:
            length, header = int.from_bytes(data[start + 2 : start + 4], "big"), 4
        size, start = length, start + header + length
    return size


async def test_a_flood_closes_the_connection(node: Recorder) -> None:
    """Far too many messages within a second."""
    connection, socket = connect(node, Limits(rate=1, burst=1, flood=5))
    for number in range(20):
        connection.receive(MSGPACK.encode(Ping(number)))
    assert [code for code, _ in socket.closings] == [CloseCode.FLOOD]
    assert node.incidents[Incident.FLOOD] == 1


async def test_a_pong_measures_the_round_trip(node: Recorder) -> None:
    """Only the pong that answers the last ping counts."""
    connection, _ = connect(node)
    connection.ping(b"one")
    connection.receive_pong(b"another")
    assert connection.rtt is None
    connection.receive_pong(b"one")
    assert connection.rtt is not None


async def test_the_round_trip_is_smoothed(node: Recorder) -> None:
    """The newest measurement has a quarter of the weight; the lag is one way."""
    connection, _ = connect(node)
    connection.measured(0.1)
    connection.measured(0.5)
    assert connection.rtt == pytest.approx(0.2)
    assert connection.lag == 100


async def test_an_unanswered_ping_aborts_the_connection(node: Recorder) -> None:
    """When the next ping is due."""
    connection, socket = connect(node)
    connection.ping(b"one")
    assert not socket.is_aborted
    connection.ping(b"two")
    assert socket.is_aborted
    assert node.incidents == {Incident.SILENT: 1}


async def test_nothing_is_sent_or_received_after_closing(node: Recorder) -> None:
    """What was sent before is written first, and the first close counts."""
    connection, socket = connect(node)
    connection.send(Pong(1))
    connection.close(CloseCode.RESTART)
    connection.send(Pong(2))
    connection.receive(MSGPACK.encode(Ping(1)))
    connection.close(CloseCode.FLOOD)
    assert socket.written == [framed(Pong(1))]
    assert socket.closings == [(CloseCode.RESTART, CloseCode.RESTART.meaning)]
    assert node.frames == []


async def test_the_listener_is_told_once_that_a_connection_is_lost(node: Recorder) -> None:
    """With the code of the other side, if this side did not close first."""
    connection, _ = connect(node)
    hub = connection.hub
    connection.lost(1001)
    assert node.codes == [1001]
    assert hub.connections == set()
