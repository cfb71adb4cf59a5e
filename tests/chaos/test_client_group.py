"""Clients in one process."""

from __future__ import annotations

from parlour.chaos.client_group import ClientGroup
from parlour.chaos.recorder import Recorder
from parlour.chaos.system import System
from parlour.client import Client
from parlour.protocol.types import Terms
from tests.waiting import WITHIN, until


async def test_clients_are_spread_over_the_nodes(system: System, recorder: Recorder) -> None:
    """Every node gets the same number of clients, and what each sees at the end is on record."""
    async with ClientGroup(system.urls, recorder) as group:
        clients = await group.connect(4)
        await until(lambda: len(recorder.seen.placements) == 4)
        assert sorted(placement.address for placement in recorder.seen.placements) == sorted(system.urls * 2)
        assert group.is_connected
        assert group.reconnects == 0
        table = await clients[0].play_computer(Terms("mapello"), "greedy")
        await group.finish(WITHIN)
        assert [(view.client, view.room) for view in recorder.seen.views] == [(clients[0].you.name, table.room)]


async def test_a_client_that_is_lost(system: System, recorder: Recorder) -> None:
    """A client that is signed out and one whose work fails are on record, and the others go on."""

    async def ask_for_nobody(client: Client) -> None:
        await client.profile("no such player")

    async with ClientGroup(system.urls, recorder) as group:
        lost, failing, _ = await group.connect(3)
        group.run(ask_for_nobody(failing))
        await lost.sign_out()
        await until(lambda: any("disconnected for good" in sentence for sentence in recorder.seen.failures))
        await until(lambda: any("A client stopped" in sentence for sentence in recorder.seen.failures))
        assert [client.state for client in group.clients].count("connected") == 2
