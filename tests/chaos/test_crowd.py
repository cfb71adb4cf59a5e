"""All clients of a run."""

from __future__ import annotations

import asyncio
from random import Random

from parlour.chaos.checker import check
from parlour.chaos.collector import collect
from parlour.chaos.crowd import Crowd
from parlour.chaos.recorder import Recorder
from parlour.chaos.system import System
from parlour.client import connect
from tests.waiting import WITHIN, until


async def test_a_crowd(system: System, recorder: Recorder) -> None:
    """Clients are spread over the nodes, move to another one when theirs is lost, and all games end."""
    async with Crowd(system.urls, recorder, Random(1), ("replica",)) as crowd:
        await crowd.start(games=3, watchers=2, with_computer=False)
        assert len(crowd.group.clients) == 6
        assert len(crowd.players) == len(set(crowd.players)) == 6
        await until(lambda: len(crowd.rooms()) == 3 and len(recorder.seen.placements) == 6)
        assert [placement.address for placement in recorder.seen.placements].count(system.urls[0]) == 3

        system.nodes[0].clients.cut()
        await until(lambda: len(recorder.seen.placements) == 9)
        assert {placement.address for placement in recorder.seen.placements[6:]} == {system.urls[1]}
        await until(lambda: crowd.reconnects == 4 and crowd.is_connected())  # a spectator too
        system.nodes[0].clients.heal()

        async with asyncio.timeout(WITHIN):
            await crowd.finish(within=WITHIN)
        assert crowd.rooms() == []
        assert crowd.finished >= 3
        recorder.seen.ended = recorder.now
        async with connect(system.urls) as fresh, system.redis() as store:
            assert check(recorder.seen, await collect(store, fresh, [])) == []
