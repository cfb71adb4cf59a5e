"""Announcements and drained nodes."""

from __future__ import annotations

import pytest

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Announced
from parlour.server.admin.audit_writer import AuditWriter
from parlour.server.admin.node_actions import NodeActions
from tests.server.admin.conftest import ORDER, Nodes
from tests.waiting import until


@pytest.fixture
def actions(nodes: Nodes) -> NodeActions:
    north = nodes[0]
    return NodeActions(north.store, north.node.control, AuditWriter(north.store))


async def test_all_players_see_an_announcement(nodes: Nodes, actions: NodeActions) -> None:
    """It reaches the players of every node."""
    callers = [await node.call() for node in nodes]
    await actions.announce(ORDER, " We stop at noon. ")
    for caller in callers:
        heard = await caller.hears(Announced)
        assert (heard.text, heard.kind) == ("We stop at noon.", "announcement")
    with pytest.raises(Refusal) as refused:
        await actions.announce(ORDER, "two\nlines")
    assert refused.value.code is ErrorCode.TEXT_REFUSED


async def test_one_node_is_drained(nodes: Nodes, actions: NodeActions) -> None:
    """Only the node that is named drains, and serves again later; an unknown one is refused."""
    north, south = nodes
    heard: list[tuple[str, bool]] = []
    north.node.control.on_drain = lambda drains: heard.append(("north", drains))
    south.node.control.on_drain = lambda drains: heard.append(("south", drains))
    await north.store.heartbeat.beat()
    await actions.drain(ORDER, "south")
    await actions.resume(ORDER, "south")
    await until(lambda: len(heard) == 2)
    assert heard == [("south", True), ("south", False)]
    with pytest.raises(Refusal, match="The nodes are: north, south"):
        await actions.drain(ORDER, "west")


async def test_the_only_node_is_not_drained(nodes: Nodes, actions: NodeActions) -> None:
    """Its players would have nowhere to go."""
    north, south = nodes
    await south.store.heartbeat.close()

    async def is_alone() -> bool:
        await north.store.heartbeat.beat()
        return list(north.store.heartbeat.beats) == ["north"]

    await until(is_alone)
    with pytest.raises(Refusal, match="only node"):
        await actions.drain(ORDER, "north")
