"""What can wait a little, so that it leaves together with what comes next."""

from __future__ import annotations

from collections.abc import Callable

from parlour.protocol.codec import MSGPACK
from parlour.protocol.errors import CloseCode
from parlour.protocol.messages import Message, Moved, Pong
from parlour.server.transport.frames import Broadcast, framed
from parlour.server.transport.group import FEW, Group
from parlour.server.transport.incident import uncounted
from parlour.server.transport.limits import Limits
from parlour.server.transport.peer import Peer
from parlour.server.transport.switchboard import Switchboard
from tests.server.transport.conftest import Open, Serve
from tests.server.transport.recorder import Recorder


def numbered(numbers: range) -> list[Message | Moved]:
    return [Pong(number) for number in numbers]


async def test_what_is_patient_arrives(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """Also when nothing else follows, however often."""
    client = await dial(await serve(direct=direct))
    await node.until(lambda: bool(node.opened_peers))
    for number in range(5):
        node.peer.send(Pong(2 * number), patient=True)
        assert node.peer.write(Broadcast(Pong(2 * number + 1)), patient=True)
        received = [MSGPACK.decode_server(await client.recv()) for _ in range(2)]
        assert received == numbered(range(2 * number, 2 * number + 2))


async def test_it_leaves_in_one_write(node: Recorder) -> None:
    """With the first thing that cannot wait."""
    writes: list[bytes] = []
    board = Switchboard(node, Limits(), uncounted)
    peer = Peer(Silent(), writes.append, board, codec=MSGPACK, address="here", source=board.crowd.enter("127.0.0.1"))
    peer.send(Pong(1), patient=True)
    peer.send(Pong(2), patient=True)
    board.flush()
    assert writes == []
    peer.send(Pong(3))
    peer.send(Pong(4), patient=True)
    board.flush()
    assert writes == [b"".join(framed(MSGPACK, pong) for pong in numbered(range(1, 5)))]


async def test_one_timer_is_enough(node: Recorder) -> None:
    """However often a crowd is written to while somebody waits; and there is a new one when all was written."""
    board, timers = Switchboard(node, Limits(), uncounted), Timers()
    board._call_later = timers.set  # type: ignore[assignment]
    peer = Peer(Silent(), lambda _: None, board, codec=MSGPACK, address="here", source=board.crowd.enter("127.0.0.1"))
    for number in range(3):
        peer.send(Pong(number), patient=True)
        board.hurry()
    peer.send(Pong(3), patient=True)
    assert len(timers.waiting) == 1
    while timers.waiting:
        assert len(timers.waiting) == 1
        timers.ring()
    peer.send(Pong(4), patient=True)
    assert len(timers.waiting) == 1


class Timers:
    """Timers that ring when they are told to."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], None]] = []

    def set(self, _: float, ring: Callable[[], None]) -> None:
        self.waiting.append(ring)

    def ring(self) -> None:
        self.waiting.pop(0)()


class Silent:
    """The rest of a connection of which only the writes are looked at."""

    def buffered(self) -> int:
        return 0

    def hang_up(self, code: int, reason: str) -> None: ...

    def abort(self) -> None: ...


async def test_what_is_patient_goes_before_what_follows(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """Nothing overtakes it, and it goes along with the first thing that is not patient."""
    told: list[bool] = []

    def talk(peer: Peer, _: bytes | str) -> None:
        for number in range(0, 30, 3):
            peer.send(Pong(number), patient=True)
            peer.send(Pong(number + 1), patient=number % 2 == 0)
            told.append(peer.write(Broadcast(Pong(number + 2)), patient=True))

    node.on_message = talk
    client = await dial(await serve(direct=direct))
    await client.send(b"go")
    assert [MSGPACK.decode_server(await client.recv()) for _ in range(30)] == numbered(range(30))
    assert all(told)


async def test_a_crowd_does_not_overtake_it(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """Where many are written to straight, whoever has something waiting gets that before."""
    transport = await serve(direct=direct)
    clients = [await dial(transport) for _ in range(FEW + 4)]
    await node.until(lambda: len(node.opened_peers) == len(clients))
    group = Group()
    for peer in node.opened_peers:
        group.add(peer)
        peer.send(Pong(1), patient=True)
    assert group.write(Broadcast(Pong(2)), patient=node.opened_peers[:1]) == []
    for client in clients:
        assert [MSGPACK.decode_server(await client.recv()) for _ in range(2)] == numbered(range(1, 3))


async def test_some_of_a_few_are_patient(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """All of them get it."""
    transport = await serve(direct=direct)
    clients = [await dial(transport) for _ in range(2)]
    await node.until(lambda: len(node.opened_peers) == 2)
    group = Group()
    for peer in node.opened_peers:
        group.add(peer)
    assert group.write(Broadcast(Pong(1)), patient=node.opened_peers[:1]) == []
    assert [MSGPACK.decode_server(await client.recv()) for client in clients] == [Pong(1), Pong(1)]


async def test_it_is_not_lost_at_the_end(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """A connection that is closed takes along what has waited."""
    client = await dial(await serve(direct=direct))
    await node.until(lambda: bool(node.opened_peers))
    node.peer.send(Pong(1), patient=True)
    node.peer.close(CloseCode.RESTART)
    assert MSGPACK.decode_server(await client.recv()) == Pong(1)


async def test_who_is_gone_waits_for_nothing(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """What has waited for somebody who went away harms nobody else."""
    transport = await serve(direct=direct)
    gone, stays = await dial(transport), await dial(transport)
    await node.until(lambda: len(node.opened_peers) == 2)
    for peer in node.opened_peers:
        peer.send(Pong(1), patient=True)
    gone.transport.abort()
    assert MSGPACK.decode_server(await stays.recv()) == Pong(1)
    await node.until(lambda: len(node.closings) == 1)
    node.peer.send(Pong(2), patient=True)
    assert MSGPACK.decode_server(await stays.recv()) == Pong(2)
