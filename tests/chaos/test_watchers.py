"""Spectators that follow games to their end."""

from __future__ import annotations

import asyncio
from random import Random

from parlour.chaos.recorder import Recorder
from parlour.chaos.system import System
from parlour.chaos.watchers import Watcher
from parlour.client import connect
from parlour.protocol.types import Terms
from tests.waiting import WITHIN, until


async def test_a_watcher(system: System, recorder: Recorder) -> None:
    """It notes every move that it is shown and the final view, and looks for the next game."""
    ending = asyncio.Event()
    rooms: list[str] = ["unknown"]
    async with connect(system.urls[0]) as ada, connect(system.urls[1]) as bob, connect(system.urls[0]) as eve:
        watcher = Watcher(eve, recorder, Random(1), lambda: rooms, ending)
        running = asyncio.create_task(watcher.run())
        pending = await ada.challenge(Terms("mapello"), seat="first")
        table = await ada.join((await bob.accept(pending.seek)).room)
        rooms[:] = [table.room]
        await until(lambda: table.room in eve.tables and table.presence is not None and table.presence.spectators == 1)
        turn = await table.my_turn()
        assert turn is not None
        await table.play(turn.pick(turn.legal_picks[0].place))
        rooms.clear()
        await table.resign()
        await until(lambda: len(recorder.seen.views) == 1)
        ending.set()
        async with asyncio.timeout(WITHIN):
            await running

        (view,) = recorder.seen.views
        assert (view.client, view.room, view.result) == (eve.you.name, table.room, table.result)
        assert view.moves == tuple(table.moves)
        assert list(recorder.seen.shown.values()) == [{table.moves[0]}]
