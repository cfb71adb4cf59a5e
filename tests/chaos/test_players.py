"""Players of random legal moves."""

from __future__ import annotations

import asyncio
from random import Random

from parlour import games
from parlour.chaos.checker import check
from parlour.chaos.collector import collect
from parlour.chaos.players import Opponents, Player
from parlour.chaos.recorder import Recorder
from parlour.chaos.system import System
from parlour.client import connect
from tests.waiting import WITHIN, until


async def test_opponents_play_one_game_after_another(system: System, recorder: Recorder) -> None:
    """Every command is acknowledged and on record, and at the end the player to move resigns."""
    ending = asyncio.Event()
    first, second = system.urls
    async with connect(first) as ada, connect(second) as bob, connect(first) as fresh, system.redis() as store:
        players = tuple(Player(client, recorder, Random(1), 0.01, ending) for client in (ada, bob))
        opponents = Opponents(0, players, ("replica", "mitsudomoe"), ending)
        running = asyncio.create_task(opponents.run())
        await until(lambda: opponents.finished >= 2)
        assert not running.done()
        ending.set()
        async with asyncio.timeout(WITHIN):
            await running
        recorder.seen.ended = recorder.now
        evidence = await collect(store, fresh, [])

        assert len(evidence.logs) == opponents.finished >= 2
        assert {log.game for log in evidence.logs.values()} == {"replica", "mitsudomoe"}
        assert all(log.rated and log.result is not None for log in evidence.logs.values())
        assert check(recorder.seen, evidence) == []
        commands = [entry.command for log in evidence.logs.values() for entry in log.entries if entry.command]
        assert set(commands) == {attempt.command for attempt in recorder.seen.attempts if attempt.seq is not None}
        assert len(recorder.seen.views) == 2 * opponents.finished
        assert opponents.room is None


async def test_all_games_are_played(system: System, recorder: Recorder) -> None:
    """Players find a legal move in every game, and choose who moves first where they have to."""
    ending = asyncio.Event()
    async with connect(system.urls[0]) as ada, connect(system.urls[1]) as bob:
        players = tuple(Player(client, recorder, Random(2), 0.0, ending) for client in (ada, bob))
        for key in games.keys():
            before = len(recorder.seen.attempts)
            running = asyncio.create_task(Opponents(0, players, (key,), ending).run())
            await until(lambda before=before: len(recorder.seen.attempts) > before + 6)  # type: ignore[misc]
            ending.set()
            async with asyncio.timeout(WITHIN):
                await running
            ending.clear()
    assert [attempt for attempt in recorder.seen.attempts if attempt.refusal is not None] == []
