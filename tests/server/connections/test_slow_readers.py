"""Clients that do not read: broadcasts are dropped, made up for later, and finally the connection is aborted."""

from __future__ import annotations

from parlour.protocol.codec import MSGPACK
from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.messages import Ping, Pong, Refused
from parlour.server.connections.connection import Connection
from parlour.server.connections.frames import Broadcast
from parlour.server.connections.incidents import Incident
from parlour.server.connections.limits import Limits
from tests.server.connections.conftest import Open, Raw, Serve
from tests.server.connections.raw_client import BINARY, PING, frame
from tests.server.connections.recorder import Recorder

KIB = 1024
SMALL = Limits(soft_buffer=16 * KIB, hard_buffer=64 * KIB, kernel_buffer=4 * KIB, ping_interval=1.0)
LARGE = Refused(code=ErrorCode.TRY_AGAIN, text="x" * 4 * KIB)
SNAPSHOT = Refused(code=ErrorCode.TRY_AGAIN, text="everything")


def overfill(connection: Connection) -> int:
    """Broadcast to a connection that does not read until one is dropped; return how many were not."""
    broadcast = Broadcast(LARGE)
    for taken in range(10_000):
        if not connection.write(broadcast):
            return taken
        connection.flush()
    raise AssertionError("nothing was dropped")


async def test_broadcasts_to_a_slow_reader_are_dropped_and_it_catches_up(
    serve: Serve, raw: Raw, node: Recorder, direct: bool
) -> None:
    """Above the soft limit broadcasts are dropped; once the buffer drains, the node sends a snapshot."""
    transport = await serve(SMALL, direct=direct)
    client = await raw(transport, receive_buffer=4 * KIB)
    node.on_drained = lambda connection: connection.send(SNAPSHOT)
    await node.until(lambda: bool(node.opened_peers))
    connection = node.connection
    taken = overfill(connection)
    assert connection.behind
    assert node.incidents[Incident.BEHIND] == 1
    assert not connection.write(Broadcast(Pong(1)))
    for _ in range(taken):
        assert MSGPACK.decode_server(await client.message()) == LARGE
    await node.until(lambda: node.drains == [connection])
    assert not connection.behind
    assert MSGPACK.decode_server(await client.message()) == SNAPSHOT
    assert connection.write(Broadcast(Pong(2)))
    assert MSGPACK.decode_server(await client.message()) == Pong(2)
    assert node.incidents[Incident.BEHIND] == 1


async def test_a_slow_reader_delays_no_other_connection(
    serve: Serve, raw: Raw, dial: Open, node: Recorder, direct: bool
) -> None:
    """The others receive every broadcast while one is behind."""
    transport = await serve(SMALL, direct=direct)
    await raw(transport, receive_buffer=4 * KIB)
    await node.until(lambda: len(node.opened_peers) == 1)
    slow = node.connection
    overfill(slow)
    quick = await dial(transport)
    await node.until(lambda: len(node.opened_peers) == 2)
    for n in range(50):
        broadcast = Broadcast(Pong(n))
        assert [connection.write(broadcast) for connection in (slow, node.connection)] == [False, True]
        assert MSGPACK.decode_server(await quick.recv()) == Pong(n)
    assert slow.behind
    assert not node.connection.behind


async def test_answers_that_pile_up_abort_the_connection(serve: Serve, raw: Raw, node: Recorder, direct: bool) -> None:
    """Messages to one connection are never dropped, but above the hard limit it is aborted."""
    transport = await serve(SMALL, direct=direct)
    client = await raw(transport, receive_buffer=4 * KIB)
    await node.until(lambda: bool(node.opened_peers))
    sent = 0
    while not node.incidents[Incident.TOO_SLOW]:
        node.connection.send(LARGE)
        node.connection.flush()
        sent += 1
        assert sent < 10_000
    assert sent * 4 * KIB >= SMALL.hard_buffer
    await node.until(lambda: node.codes == [CloseCode.TOO_SLOW])
    assert await client.is_over()


async def test_a_message_larger_than_the_limit_is_sent(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """The limit is for messages that pile up, not for one large answer."""
    client = await dial(await serve(SMALL, direct=direct), max_size=None)
    await node.until(lambda: bool(node.opened_peers))
    large = Refused(code=ErrorCode.TRY_AGAIN, text="x" * 3 * SMALL.hard_buffer)
    node.connection.send(large)
    assert MSGPACK.decode_server(await client.recv()) == large
    assert node.closings == []


async def test_a_connection_that_stays_behind_is_aborted(serve: Serve, raw: Raw, node: Recorder, direct: bool) -> None:
    """It has some seconds to catch up, and is counted as too slow."""
    limits = Limits(soft_buffer=16 * KIB, kernel_buffer=4 * KIB, ping_interval=2.0, behind_for=0.1)
    transport = await serve(limits, direct=direct)
    await raw(transport, receive_buffer=4 * KIB)
    await node.until(lambda: bool(node.opened_peers))
    overfill(node.connection)
    await node.until(lambda: node.codes == [CloseCode.TOO_SLOW])
    assert node.drains == []
    assert node.incidents[Incident.TOO_SLOW] == 1


async def test_a_connection_behind_that_answers_no_ping_is_too_slow(serve: Serve, raw: Raw, node: Recorder) -> None:
    """The ping waits behind unread data, so the connection is not counted as silent."""
    transport = await serve(Limits(soft_buffer=16 * KIB, kernel_buffer=4 * KIB, ping_interval=0.2), direct=True)
    await raw(transport, receive_buffer=4 * KIB)
    await node.until(lambda: bool(node.opened_peers))
    overfill(node.connection)
    await node.until(lambda: node.codes == [CloseCode.TOO_SLOW])
    assert node.incidents[Incident.SILENT] == 0


async def test_a_slow_reader_can_still_play(serve: Serve, raw: Raw, node: Recorder, direct: bool) -> None:
    """Only broadcasts are dropped: commands are received, and their answers wait."""
    transport = await serve(SMALL, direct=direct)
    client = await raw(transport, receive_buffer=4 * KIB)
    await node.until(lambda: bool(node.opened_peers))
    taken = overfill(node.connection)
    await client.send(frame(BINARY, MSGPACK.encode(Ping(5))))
    await node.until(lambda: len(node.frames) == 1)
    for _ in range(taken):
        await client.message()
    assert MSGPACK.decode_server(await client.message()) == Pong(5)


async def test_pings_of_a_client_that_does_not_read_cannot_fill_the_memory(
    serve: Serve, raw: Raw, node: Recorder
) -> None:
    """Pongs count against the hard limit like everything else."""
    limits = Limits(soft_buffer=1 * KIB, hard_buffer=4 * KIB, kernel_buffer=4 * KIB, rate=10_000)
    client = await raw(await serve(limits, direct=True), receive_buffer=4 * KIB)
    pings = frame(PING, bytes(125)) * 100
    while not node.closings:
        try:
            await client.send(pings)
        except ConnectionError:
            break
    await node.until(lambda: node.codes == [CloseCode.TOO_SLOW])


async def test_a_failing_listener_does_not_lose_a_drained_connection(
    serve: Serve, raw: Raw, node: Recorder, direct: bool
) -> None:
    """The exception is counted, and the connection carries on."""

    def fail(connection: Connection) -> None:
        raise ZeroDivisionError

    transport = await serve(SMALL, direct=direct)
    client = await raw(transport, receive_buffer=4 * KIB)
    node.on_drained = fail
    await node.until(lambda: bool(node.opened_peers))
    for _ in range(overfill(node.connection)):
        await client.message()
    await node.until(lambda: node.incidents[Incident.LISTENER_FAILED] == 1)
    await client.send(frame(BINARY, MSGPACK.encode(Ping(5))))
    assert MSGPACK.decode_server(await client.message()) == Pong(5)
