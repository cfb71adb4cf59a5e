"""The fallback for unknown versions of `websockets` uses only documented methods.

That it behaves like the direct one is stated by every test with the fixture `direct`.
"""

from __future__ import annotations

import ast
import inspect

from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import Ping, Pong
from parlour.server.connections import public_websocket
from tests.server.connections.conftest import Open, Serve
from tests.server.connections.recorder import Recorder


async def test_a_message_is_received_and_answered(serve: Serve, dial: Open, node: Recorder) -> None:
    """The node sees the same connection as with the direct one."""
    client = await dial(await serve(direct=False))
    await client.send(MSGPACK.encode(Ping(3)))
    assert MSGPACK.decode_server(await client.recv()) == Pong(3)
    assert node.connection.address == "127.0.0.1"
    await client.close(1001)
    await node.until(lambda: node.codes == [1001])


async def test_an_address_is_counted_while_it_is_connected(serve: Serve, dial: Open, node: Recorder) -> None:
    """Limits by address hold for this kind of connection too."""
    client = await dial(await serve(direct=False))
    await node.until(lambda: bool(node.opened_peers))
    source = node.connection.source
    assert source.connections == 1
    await client.close()
    await node.until(lambda: bool(node.closings))
    assert source.connections == 0


def test_no_private_attribute_of_the_library_is_used() -> None:
    """Only `self` has private attributes here."""
    tree = ast.parse(inspect.getsource(public_websocket))
    private = [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and ast.unparse(node.value) != "self"
    ]
    assert private == []
