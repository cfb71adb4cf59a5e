"""What the store and the server say about the games."""

from __future__ import annotations

from parlour.chaos.collector import collect, read_logs
from parlour.chaos.system import System
from parlour.client import connect
from parlour.protocol.scene import scene_hash
from parlour.protocol.types import Clock, Terms
from tests.waiting import until


async def test_a_game_is_collected(system: System) -> None:
    """Its log, a snapshot of it, and the ratings of its players."""
    first, second = system.urls
    async with connect(first) as ada, connect(second) as bob, connect(first) as fresh, system.redis() as store:
        assert await read_logs(store) == {}
        pending = await ada.challenge(Terms("mapello", clock=Clock("move", 60_000), rated=True), seat="first")
        hers = await bob.accept(pending.seek)
        table = await ada.join(hers.room)
        for one in (table, hers) * 3:  # a rated game counts after six moves
            turn = await one.my_turn()
            assert turn is not None
            await one.play(turn.pick(turn.legal_picks[0].place))
        await hers.until(lambda one: one.ply == 6)
        await hers.resign()
        await table.over()
        names = [ada.you.name, bob.you.name]

        async def is_rated() -> bool:
            return bool((await fresh.profile(names[0])).ratings)

        await until(is_rated)
        found = await collect(store, fresh, names)

        assert list(found.logs) == [table.room]
        log, snapshot = found.logs[table.room], found.snapshots[table.room]
        assert log.players == tuple(names)
        assert log.moves == snapshot.moves == tuple(table.moves)
        assert log.result == snapshot.result == table.result
        assert snapshot.hash == scene_hash(table.scene)
        assert [(rating.game, rating.won, rating.lost) for rating in found.ratings[names[0]]] == [("mapello", 1, 0)]
        assert [(rating.game, rating.won, rating.lost) for rating in found.ratings[names[1]]] == [("mapello", 0, 1)]
        assert fresh.tables == {}
