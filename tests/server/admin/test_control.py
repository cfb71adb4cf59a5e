"""What an operator tells all nodes."""

from __future__ import annotations

from parlour.protocol.messages import Announced
from parlour.server.admin.control import AddressBansChanged, Announce, Drain, decode, encode
from tests.server.admin.conftest import Nodes


def test_messages_between_nodes_read_back_equal() -> None:
    """Each is sent with its name."""
    for message in (Announce("text", 5), Drain("north", drains=True), AddressBansChanged()):
        assert decode(encode(message)) == message


async def test_a_connection_without_a_player_hears_nothing(nodes: Nodes) -> None:
    """A client that has not said hello yet is not greeted by an announcement."""
    early, player = await nodes[0].call(greet=False), await nodes[0].call()
    nodes[0].node.control.send(Announce("text", 5))
    assert await player.hears(Announced) == Announced(text="text", at=5)
    await early.hello()
    assert early.has_heard(Announced) == []
