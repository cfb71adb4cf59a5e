"""A broadcast reaches every connection of a group, complete and in order, on either event loop."""

from __future__ import annotations

from parlour.protocol.codec import CODECS, MSGPACK
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Pong, Refused
from parlour.server.connections.broadcast import BroadcastGroup
from parlour.server.connections.frames import Broadcast
from parlour.server.connections.limits import Limits
from parlour.server.connections.server import WebServer
from tests.server.connections.conftest import Open, Raw, Serve
from tests.server.connections.recorder import Recorder

KIB = 1024
MANY = 12
SMALL_BUFFERS = Limits(soft_buffer=16 * KIB, hard_buffer=256 * KIB, kernel_buffer=4 * KIB)
SNAPSHOT = Pong(1_000_000)


async def all_of(transport: WebServer, node: Recorder, number: int) -> BroadcastGroup:
    """Return a group of all connections, once there are `number` of them."""
    await node.until(lambda: len(node.opened_peers) == number)
    group = BroadcastGroup()
    for connection in transport.connections:
        group.add(connection)
    return group


def large(number: int) -> Refused:
    """Return a message with a number, of a length that identifies its connection."""
    return Refused(code=ErrorCode.TRY_AGAIN, text="x" * (2 * KIB + number % 97), id=number)


async def test_every_connection_is_sent_its_own_codec(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """Groups may mix subprotocols, and be small or large."""
    transport = await serve(direct=direct)
    clients = [(codec, await dial(transport, codec.subprotocol)) for codec in CODECS.values()]
    assert (await all_of(transport, node, 2)).write(Broadcast(Pong(1))) == []
    clients += [(codec, await dial(transport, codec.subprotocol)) for codec in [*CODECS.values()] * 8]
    assert (await all_of(transport, node, 2 + 2 * 8)).write(Broadcast(Pong(2))) == []
    for number, (codec, client) in enumerate(clients):
        expected = [Pong(1), Pong(2)] if number < 2 else [Pong(2)]
        assert [codec.decode_server(await client.recv()) for _ in expected] == expected


async def test_broadcasts_keep_the_order(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """Within one loop iteration, messages to one and to all arrive in the order in which they were sent."""
    transport = await serve(direct=direct)
    clients = [await dial(transport) for _ in range(MANY)]
    group = await all_of(transport, node, MANY)
    for connection in transport.connections:
        connection.send(Pong(1))
    group.write(Broadcast(Pong(2)))
    for connection in transport.connections:
        connection.send(Pong(3))
    group.write(Broadcast(Pong(4)))
    for client in clients:
        assert [MSGPACK.decode_server(await client.recv()) for _ in range(4)] == [Pong(n) for n in (1, 2, 3, 4)]


async def test_a_slow_reader_loses_no_byte_of_what_is_sent(
    serve: Serve, raw: Raw, dial: Open, node: Recorder, direct: bool
) -> None:
    """A socket accepts a part of a frame; the rest and all that follows waits. Above the limit, frames are dropped."""
    transport = await serve(SMALL_BUFFERS, direct=direct)
    slow = await raw(transport, receive_buffer=4 * KIB)
    await node.until(lambda: len(node.opened_peers) == 1)
    behind = node.connection
    node.on_drained = lambda connection: connection.send(SNAPSHOT)
    quick = [await dial(transport) for _ in range(MANY)]
    group = await all_of(transport, node, MANY + 1)
    taken = 0
    for number in range(10_000):
        late = group.write(Broadcast(large(number)))
        for client in quick:
            assert MSGPACK.decode_server(await client.recv()) == large(number)
        if late:
            assert late == [behind]
            break
        taken += 1
    assert SMALL_BUFFERS.soft_buffer < taken * 2 * KIB
    assert group.write(Broadcast(Pong(1))) == [behind]
    for number in range(taken):
        assert MSGPACK.decode_server(await slow.message()) == large(number)
    await node.until(lambda: node.drains == [behind])
    assert MSGPACK.decode_server(await slow.message()) == SNAPSHOT
    assert group.write(Broadcast(Pong(2))) == []
    assert MSGPACK.decode_server(await slow.message()) == Pong(2)


async def test_single_messages_wait_behind_the_rest_of_a_frame(
    serve: Serve, raw: Raw, dial: Open, node: Recorder, direct: bool
) -> None:
    """A connection receives messages in order, also while its socket accepts nothing."""
    transport = await serve(SMALL_BUFFERS, direct=direct)
    slow = await raw(transport, receive_buffer=4 * KIB)
    await node.until(lambda: len(node.opened_peers) == 1)
    connection = node.connection
    for _ in range(MANY):
        await dial(transport)
    group = await all_of(transport, node, MANY + 1)
    expected: list[Refused | Pong] = []
    while not group.write(Broadcast(large(len(expected)))):
        expected.append(large(len(expected)))
        connection.send(Pong(len(expected)))
        expected.append(Pong(len(expected)))
    assert [MSGPACK.decode_server(await slow.message()) for _ in expected] == expected


async def test_a_closed_connection_does_not_affect_others(
    serve: Serve, raw: Raw, dial: Open, node: Recorder, direct: bool
) -> None:
    """The system reuses the number of a closed socket soon, and the new one must not receive its messages."""
    transport = await serve(direct=direct)
    leaving = await raw(transport)
    await node.until(lambda: len(node.opened_peers) == 1)
    clients = [await dial(transport) for _ in range(MANY)]
    group = await all_of(transport, node, MANY + 1)
    group.write(Broadcast(Pong(1)))
    leaving.close()
    group.write(Broadcast(Pong(2)))  # the server does not know yet
    await node.until(lambda: len(node.closings) == 1)
    stranger = await dial(transport)
    assert group.write(Broadcast(Pong(3))) == []
    await node.until(lambda: len(node.opened_peers) == MANY + 2)
    node.connection.send(Pong(4))
    assert MSGPACK.decode_server(await stranger.recv()) == Pong(4)
    for client in clients:
        assert [MSGPACK.decode_server(await client.recv()) for _ in range(3)] == [Pong(n) for n in (1, 2, 3)]


async def test_a_removed_connection_receives_nothing_more(
    serve: Serve, dial: Open, node: Recorder, direct: bool
) -> None:
    """A connection that is added later receives what follows."""
    transport = await serve(direct=direct)
    clients = [await dial(transport) for _ in range(MANY)]
    group = await all_of(transport, node, MANY)
    first = node.opened_peers[0]
    group.write(Broadcast(Pong(1)))
    group.remove(first)
    group.write(Broadcast(Pong(2)))
    group.add(first)
    group.write(Broadcast(Pong(3)))
    assert [MSGPACK.decode_server(await clients[0].recv()) for _ in range(2)] == [Pong(1), Pong(3)]
    assert [MSGPACK.decode_server(await clients[1].recv()) for _ in range(3)] == [Pong(n) for n in (1, 2, 3)]
