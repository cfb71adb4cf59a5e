"""Peers that do not read: dropped broadcasts, snapshots later, and the end of patience."""

from __future__ import annotations

from parlour.protocol.codec import MSGPACK
from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.messages import Ping, Pong, Refused
from parlour.server.transport.frames import Broadcast
from parlour.server.transport.incident import Incident
from parlour.server.transport.limits import Limits
from parlour.server.transport.peer import Peer
from parlour.server.transport.server import Transport
from tests.server.transport.conftest import Open, Raw, Serve
from tests.server.transport.raw_client import BINARY, PING, frame
from tests.server.transport.recorder import Recorder

KIB = 1024
SMALL = Limits(soft_buffer=16 * KIB, hard_buffer=64 * KIB, kernel_buffer=4 * KIB, ping_interval=1.0)
LARGE = Refused(code=ErrorCode.TRY_AGAIN, text="x" * 4 * KIB)
SNAPSHOT = Refused(code=ErrorCode.TRY_AGAIN, text="everything")


def overfill(transport: Transport, peer: Peer) -> int:
    """Broadcast to a peer that does not read until one is dropped; how many were not."""
    broadcast = Broadcast(LARGE)
    for taken in range(10_000):
        if not peer.write(broadcast):
            return taken
        transport.flush()
    raise AssertionError("nothing was dropped")


async def test_broadcasts_to_a_slow_reader_are_dropped_and_it_catches_up(
    serve: Serve, raw: Raw, node: Recorder, direct: bool
) -> None:
    """Above the soft limit broadcasts are dropped; when the peer has read, the node is told and sends the whole."""
    transport = await serve(SMALL, direct=direct)
    client = await raw(transport, receive_buffer=4 * KIB)
    node.on_drained = lambda peer: peer.send(SNAPSHOT)
    await node.until(lambda: bool(node.opened_peers))
    peer = node.peer
    taken = overfill(transport, peer)
    assert peer.behind
    assert node.incidents[Incident.BEHIND] == 1
    assert not peer.write(Broadcast(Pong(1)))
    for _ in range(taken):
        assert MSGPACK.decode_server(await client.message()) == LARGE
    await node.until(lambda: node.drains == [peer])
    assert not peer.behind
    assert MSGPACK.decode_server(await client.message()) == SNAPSHOT
    assert peer.write(Broadcast(Pong(2)))
    assert MSGPACK.decode_server(await client.message()) == Pong(2)
    assert node.incidents[Incident.BEHIND] == 1


async def test_a_slow_reader_delays_nobody_else(
    serve: Serve, raw: Raw, dial: Open, node: Recorder, direct: bool
) -> None:
    """The others get every broadcast while one is behind."""
    transport = await serve(SMALL, direct=direct)
    await raw(transport, receive_buffer=4 * KIB)
    await node.until(lambda: len(node.opened_peers) == 1)
    slow = node.peer
    overfill(transport, slow)
    quick = await dial(transport)
    await node.until(lambda: len(node.opened_peers) == 2)
    for n in range(50):
        broadcast = Broadcast(Pong(n))
        assert [peer.write(broadcast) for peer in (slow, node.peer)] == [False, True]
        assert MSGPACK.decode_server(await quick.recv()) == Pong(n)
    assert slow.behind
    assert not node.peer.behind


async def test_answers_that_pile_up_end_the_connection(serve: Serve, raw: Raw, node: Recorder, direct: bool) -> None:
    """What is sent to one peer is never dropped, but above the hard limit the connection is aborted."""
    transport = await serve(SMALL, direct=direct)
    client = await raw(transport, receive_buffer=4 * KIB)
    await node.until(lambda: bool(node.opened_peers))
    sent = 0
    while not node.incidents[Incident.TOO_SLOW]:
        node.peer.send(LARGE)
        transport.flush()
        sent += 1
        assert sent < 10_000
    assert sent * 4 * KIB >= SMALL.hard_buffer
    await node.until(lambda: node.codes == [CloseCode.TOO_SLOW])
    assert await client.is_over()


async def test_a_message_larger_than_the_limit_goes_out_by_itself(
    serve: Serve, dial: Open, node: Recorder, direct: bool
) -> None:
    """The limit is for what piles up, not for one large answer to somebody who reads."""
    client = await dial(await serve(SMALL, direct=direct), max_size=None)
    await node.until(lambda: bool(node.opened_peers))
    large = Refused(code=ErrorCode.TRY_AGAIN, text="x" * 3 * SMALL.hard_buffer)
    node.peer.send(large)
    assert MSGPACK.decode_server(await client.recv()) == large
    assert node.closings == []


async def test_one_that_stays_behind_is_cut_off(serve: Serve, raw: Raw, node: Recorder, direct: bool) -> None:
    """After so many seconds without catching up the connection is aborted as too slow."""
    limits = Limits(soft_buffer=16 * KIB, kernel_buffer=4 * KIB, ping_interval=2.0, behind_for=0.1)
    transport = await serve(limits, direct=direct)
    await raw(transport, receive_buffer=4 * KIB)
    await node.until(lambda: bool(node.opened_peers))
    overfill(transport, node.peer)
    await node.until(lambda: node.codes == [CloseCode.TOO_SLOW])
    assert node.drains == []
    assert node.incidents[Incident.TOO_SLOW] == 1


async def test_one_that_is_behind_and_answers_no_ping_is_too_slow(serve: Serve, raw: Raw, node: Recorder) -> None:
    """The ping waits behind what is not read, so the peer is told from one that has vanished."""
    transport = await serve(Limits(soft_buffer=16 * KIB, kernel_buffer=4 * KIB, ping_interval=0.2), direct=True)
    await raw(transport, receive_buffer=4 * KIB)
    await node.until(lambda: bool(node.opened_peers))
    overfill(transport, node.peer)
    await node.until(lambda: node.codes == [CloseCode.TOO_SLOW])
    assert node.incidents[Incident.SILENT] == 0


async def test_a_slow_reader_can_still_play(serve: Serve, raw: Raw, node: Recorder, direct: bool) -> None:
    """Being behind drops broadcasts only: commands are received and their answers wait in line."""
    transport = await serve(SMALL, direct=direct)
    client = await raw(transport, receive_buffer=4 * KIB)
    await node.until(lambda: bool(node.opened_peers))
    taken = overfill(transport, node.peer)
    await client.send(frame(BINARY, MSGPACK.encode(Ping(5))))
    await node.until(lambda: len(node.frames) == 1)
    for _ in range(taken):
        await client.message()
    assert MSGPACK.decode_server(await client.message()) == Pong(5)


async def test_pings_of_a_client_that_does_not_read_cannot_fill_the_memory(
    serve: Serve, raw: Raw, node: Recorder
) -> None:
    """The pongs count against the hard limit like everything else."""
    limits = Limits(soft_buffer=1 * KIB, hard_buffer=4 * KIB, kernel_buffer=4 * KIB, rate=10_000)
    client = await raw(await serve(limits, direct=True), receive_buffer=4 * KIB)
    pings = frame(PING, bytes(125)) * 100
    while not node.closings:
        try:
            await client.send(pings)
        except ConnectionError:
            break
    await node.until(lambda: node.codes == [CloseCode.TOO_SLOW])


async def test_a_failing_node_does_not_lose_a_peer_that_has_drained(
    serve: Serve, raw: Raw, node: Recorder, direct: bool
) -> None:
    """An exception over a drained peer is counted, and the connection goes on."""

    def fail(peer: Peer) -> None:
        raise ZeroDivisionError

    transport = await serve(SMALL, direct=direct)
    client = await raw(transport, receive_buffer=4 * KIB)
    node.on_drained = fail
    await node.until(lambda: bool(node.opened_peers))
    for _ in range(overfill(transport, node.peer)):
        await client.message()
    await node.until(lambda: node.incidents[Incident.LISTENER_FAILED] == 1)
    await client.send(frame(BINARY, MSGPACK.encode(Ping(5))))
    assert MSGPACK.decode_server(await client.message()) == Pong(5)
