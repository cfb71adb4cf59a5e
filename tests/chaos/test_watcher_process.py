"""Spectators in a process of their own."""

from __future__ import annotations

import asyncio

from parlour.chaos.recorder import Recorder
from parlour.chaos.system import System
from parlour.chaos.watcher_process import WatcherProcess
from parlour.client import connect
from parlour.protocol.types import Terms
from tests.waiting import WITHIN, until


async def test_spectators(system: System, recorder: Recorder) -> None:
    """They watch the games that are offered, come back when a node is lost, and report everything at the end."""
    async with (
        asyncio.timeout(WITHIN),
        connect(system.urls) as ada,
        connect(system.urls) as bob,
        WatcherProcess(system.urls, 1, 1, recorder) as watchers,
    ):
        assert watchers.status.is_connected
        pending = await ada.challenge(Terms("mapello"), seat="first")
        table = await ada.join((await bob.accept(pending.seek)).room)
        watchers.offer([table.room])
        await until(lambda: table.presence is not None and table.presence.spectators == 1)
        turn = await table.my_turn()
        assert turn is not None
        await table.play(turn.pick(turn.legal_picks[0].place))
        watchers.offer([])
        await table.resign()
        await until(lambda: table.presence is not None and table.presence.spectators == 0)  # has seen the end
        system.nodes[0].clients.cut()
        await until(lambda: watchers.status.reconnects == 1 and watchers.status.is_connected)
        await watchers.finish(WITHIN)
        assert [(view.room, view.result) for view in recorder.seen.views] == [(table.room, table.result)]
        assert list(recorder.seen.shown.values()) == [{table.moves[0]}]
        assert recorder.seen.failures == []


async def test_a_process_that_ends(system: System, recorder: Recorder) -> None:
    """Spectators that are lost are on record."""
    watchers = WatcherProcess(["not an address"], 1, 1, recorder)
    async with asyncio.timeout(WITHIN), watchers:
        assert not watchers.status.is_connected
        assert "The process of the spectators ended by itself." in recorder.seen.failures
