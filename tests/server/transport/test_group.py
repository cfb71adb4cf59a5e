"""What many are told at once: everybody gets all of it, in order, on either event loop."""

from __future__ import annotations

from parlour.protocol.codec import CODECS, MSGPACK
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Pong, Refused
from parlour.server.transport.frames import Broadcast
from parlour.server.transport.group import FEW, Group
from parlour.server.transport.limits import Limits
from parlour.server.transport.server import Transport
from tests.server.transport.conftest import Open, Raw, Serve
from tests.server.transport.recorder import Recorder

KIB = 1024
MANY = FEW + 4
SMALL = Limits(soft_buffer=16 * KIB, hard_buffer=256 * KIB, kernel_buffer=4 * KIB)
SNAPSHOT = Pong(1_000_000)


async def all_of(transport: Transport, node: Recorder, number: int) -> Group:
    """A group of everybody, as soon as so many are there."""
    await node.until(lambda: len(node.opened_peers) == number)
    group = Group()
    for peer in transport.peers:
        group.add(peer)
    return group


def large(number: int) -> Refused:
    """A message that is known by its number, and of a length by which one peer cannot be mistaken for another."""
    return Refused(code=ErrorCode.TRY_AGAIN, text="x" * (2 * KIB + number % 97), id=number)


async def test_everybody_gets_it_in_their_form(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """Peers with different subprotocols, few or many."""
    transport = await serve(direct=direct)
    clients = [(codec, await dial(transport, codec.subprotocol)) for codec in CODECS.values()]
    assert (await all_of(transport, node, 2)).write(Broadcast(Pong(1))) == []
    clients += [(codec, await dial(transport, codec.subprotocol)) for codec in [*CODECS.values()] * FEW]
    assert (await all_of(transport, node, 2 + 2 * FEW)).write(Broadcast(Pong(2))) == []
    for number, (codec, client) in enumerate(clients):
        expected = [Pong(1), Pong(2)] if number < 2 else [Pong(2)]
        assert [codec.decode_server(await client.recv()) for _ in expected] == expected


async def test_it_follows_what_was_sent_before(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """In one turn of the loop, messages to one and to all arrive in the order in which they were sent."""
    transport = await serve(direct=direct)
    clients = [await dial(transport) for _ in range(MANY)]
    group = await all_of(transport, node, MANY)
    transport.hold()
    for peer in transport.peers:
        peer.send(Pong(1))
    group.write(Broadcast(Pong(2)))
    for peer in transport.peers:
        peer.send(Pong(3))
    group.write(Broadcast(Pong(4)))
    transport.flush()
    for client in clients:
        assert [MSGPACK.decode_server(await client.recv()) for _ in range(4)] == [Pong(n) for n in (1, 2, 3, 4)]


async def test_one_who_does_not_read_loses_no_byte_of_what_is_sent(
    serve: Serve, raw: Raw, dial: Open, node: Recorder, direct: bool
) -> None:
    """A socket takes a part of a frame; the rest, and all that follows, waits. Above the limit frames are dropped."""
    transport = await serve(SMALL, direct=direct)
    slow = await raw(transport, receive_buffer=4 * KIB)
    await node.until(lambda: len(node.opened_peers) == 1)
    behind = node.peer
    node.on_drained = lambda peer: peer.send(SNAPSHOT)
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
    assert SMALL.soft_buffer < taken * 2 * KIB
    assert group.write(Broadcast(Pong(1))) == [behind]
    for number in range(taken):
        assert MSGPACK.decode_server(await slow.message()) == large(number)
    await node.until(lambda: node.drains == [behind])
    assert MSGPACK.decode_server(await slow.message()) == SNAPSHOT
    assert group.write(Broadcast(Pong(2))) == []
    assert MSGPACK.decode_server(await slow.message()) == Pong(2)


async def test_what_is_sent_to_one_alone_waits_behind_the_rest_of_a_frame(
    serve: Serve, raw: Raw, dial: Open, node: Recorder, direct: bool
) -> None:
    """Whatever way messages take, a peer gets them in order: also while its socket takes nothing."""
    transport = await serve(SMALL, direct=direct)
    slow = await raw(transport, receive_buffer=4 * KIB)
    await node.until(lambda: len(node.opened_peers) == 1)
    peer = node.peer
    for _ in range(MANY):
        await dial(transport)
    group = await all_of(transport, node, MANY + 1)
    expected: list[Refused | Pong] = []
    while not group.write(Broadcast(large(len(expected)))):
        expected.append(large(len(expected)))
        peer.send(Pong(len(expected)))
        expected.append(Pong(len(expected)))
    assert [MSGPACK.decode_server(await slow.message()) for _ in expected] == expected


async def test_one_who_is_gone_gets_nothing_and_harms_nobody(
    serve: Serve, raw: Raw, dial: Open, node: Recorder, direct: bool
) -> None:
    """The system soon gives the number of a closed socket to somebody else, who must not get what was not meant."""
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
    node.peer.send(Pong(4))
    assert MSGPACK.decode_server(await stranger.recv()) == Pong(4)
    for client in clients:
        assert [MSGPACK.decode_server(await client.recv()) for _ in range(3)] == [Pong(n) for n in (1, 2, 3)]


async def test_who_is_removed_gets_no_more(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """And one that was added in between gets it from then on."""
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
