"""What an operator sees."""

from __future__ import annotations

from parlour.protocol.types import Terms
from parlour.server.admin.overview import Overviews
from parlour.server.admin.player_actions import PlayerActions
from tests.server.admin.conftest import ORDER, Nodes

ISAAC = Terms("isaac")


async def test_the_overview_adds_up_all_nodes(nodes: Nodes) -> None:
    """Each node reports itself once a second."""
    north, south = nodes
    first, second = await north.call(), await south.call()
    await south.table(ISAAC, first, second)
    for node in nodes:
        await node.node.sweep()
    found = await Overviews(north.node, north.store).overview()
    assert [(node.name, node.connections, node.rooms, node.version) for node in found.nodes] == [
        ("north", 1, 1, "test"),
        ("south", 1, 1, "test"),
    ]
    assert (found.connections, found.rooms, found.waiting) == (2, 2, 0)
    assert found.store.up
    assert found.archive.up


async def test_games_are_listed(nodes: Nodes) -> None:
    """Public games are listed for all, private ones for their players."""
    north, south = nodes
    first, second = await south.call(name="Sedge"), await south.call(name="Thorn")
    room = await south.table(ISAAC, first, second)  # by invitation, hence private
    await south.node.sweep()
    overviews = Overviews(north.node, north.store)
    assert await overviews.rooms() == []
    player = (await overviews.players(""))[0]
    assert player.name == "Sedge"
    (stored,) = await north.store.players.get([player.id])
    assert stored is not None
    (row,) = await overviews.rooms_of(stored)
    assert (row.room, row.private, [each.name for each in row.players]) == (room, True, ["Sedge", "Thorn"])


async def test_a_players_file_has_what_operators_did(nodes: Nodes, players: PlayerActions) -> None:
    """The entries of the audit log show the current name, which is not stored in them."""
    await nodes[1].call(name="Sedge")
    await players.mute(ORDER, "Sedge", 0)
    await players.rename(ORDER, "Sedge", "Reed")
    overviews = Overviews(nodes[0].node, nodes[0].store)
    found = await overviews.file(await players.find("Reed"))
    assert found.player.muted is not None
    assert found.online
    assert [(entry.action, entry.target) for entry in found.history] == [("rename", "Reed"), ("mute", "Reed")]
    await players.delete(ORDER, "Reed")
    assert {entry.target for entry in await overviews.audit("")} == {"Deleted player"}
