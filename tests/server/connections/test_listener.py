"""Every connection reports the same sequence to its listener."""

from __future__ import annotations

from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import Ping
from parlour.server.connections.listener import Listener
from parlour.server.sessions.dispatch import Dispatcher
from tests.server.connections.conftest import Open, Serve
from tests.server.connections.recorder import Recorder


async def test_the_order_of_events(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """First opened, then every message in order, and closed at the end."""
    client = await dial(await serve(direct=direct))
    await node.until(lambda: bool(node.opened_peers))
    for number in range(2):
        await client.send(MSGPACK.encode(Ping(number)))
    await client.close()
    await node.until(lambda: bool(node.closings))
    assert (len(node.opened_peers), len(node.frames), len(node.closings)) == (1, 2, 1)
    assert node.closings[0][0] is node.opened_peers[0]


def test_the_dispatcher_is_a_listener() -> None:
    """It has every method that connections call."""
    for name in ("opened", "received", "drained", "closed"):
        assert callable(getattr(Dispatcher, name))
        assert callable(getattr(Listener, name))
