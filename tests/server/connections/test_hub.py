"""What the connections of a node share: one write per loop iteration, and keep-alive pings."""

from __future__ import annotations

import asyncio

import pytest

from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import Pong
from parlour.server.connections.connection import ABNORMAL, Connection
from parlour.server.connections.frames import encode_frame
from parlour.server.connections.hub import Hub
from parlour.server.connections.incidents import Incident
from parlour.server.connections.limits import Limits
from tests.server.connections.recorder import Recorder
from tests.server.connections.test_connection import ScriptedSocket


def connect(hub: Hub, *, pings: bool = False) -> tuple[Connection, ScriptedSocket]:
    socket = ScriptedSocket()
    source = hub.counts.enter("192.0.2.1")
    connection = Connection(socket, socket.written.append, hub, codec=MSGPACK, address="192.0.2.1", source=source)
    hub.add(connection, pings=pings)
    return connection, socket


async def test_connections_are_flushed_at_the_end_of_the_iteration(node: Recorder) -> None:
    """Each with one write, however many messages it was sent."""
    hub = Hub(node, Limits(), node.count)
    one, other = connect(hub), connect(hub)
    for number in range(3):
        for connection, _ in (one, other):
            connection.send(Pong(number))
    flushed = asyncio.Event()
    asyncio.get_running_loop().call_soon(flushed.set)  # after the flush, which was scheduled before
    await flushed.wait()
    expected = b"".join(encode_frame(MSGPACK, Pong(number)) for number in range(3))
    assert one[1].written == other[1].written == [expected]


async def test_connections_come_and_go(node: Recorder) -> None:
    """The listener is told of each, and the hub knows those that are open."""
    hub = Hub(node, Limits(), node.count)
    connection, _ = connect(hub)
    assert hub.connections == {connection}
    assert node.opened_peers == [connection]
    connection.lost(ABNORMAL)
    assert hub.connections == set()
    assert node.closings == [(connection, ABNORMAL)]


async def test_a_new_connection_is_pinged_at_once(node: Recorder) -> None:
    """The lag must be known before the first move."""
    hub = Hub(node, Limits(), node.count)
    connection, socket = connect(hub, pings=True)
    hub.flush()
    assert socket.written[0][0] == 0x89
    connection.receive_pong(socket.written[0][2:])
    assert connection.rtt is not None


async def test_silent_connections_are_aborted(node: Recorder) -> None:
    """Keep-alive pings every connection once per interval; one that does not answer is aborted."""
    hub = Hub(node, Limits(ping_interval=0.05), node.count)
    _, socket = connect(hub, pings=True)
    keep_alive = asyncio.create_task(hub.keep_alive())
    await node.until(lambda: node.incidents[Incident.SILENT] == 1)
    assert socket.is_aborted
    keep_alive.cancel()


async def test_a_connection_that_stays_behind_is_aborted(node: Recorder) -> None:
    """It may miss broadcasts for a while, but not forever."""
    hub = Hub(node, Limits(ping_interval=0.05, behind_for=0.01, soft_buffer=10), node.count)
    connection, socket = connect(hub)
    connection.writing_blocked()
    hub.behind[connection] = 0.0  # long ago
    keep_alive = asyncio.create_task(hub.keep_alive())
    await node.until(lambda: node.incidents[Incident.TOO_SLOW] == 1)
    assert socket.is_aborted
    keep_alive.cancel()


async def test_a_failure_of_the_listener_is_logged_and_counted(
    node: Recorder, caplog: pytest.LogCaptureFixture
) -> None:
    """The connection carries on."""
    hub = Hub(node, Limits(), node.count)
    connection, socket = connect(hub)

    def fail(connection: Connection, payload: bytes | str) -> None:
        raise ValueError("a bug")

    node.on_message = fail
    connection.receive(b"anything")
    assert node.incidents == {Incident.LISTENER_FAILED: 1}
    assert "a bug" in caplog.text
    assert not socket.is_aborted
