"""The benchmark of the memory that finished games need works, on a small scale."""

from __future__ import annotations

from pathlib import Path

from bench import memory
from parlour.server.archive.database.games import GameTable


async def test_games_are_archived(tmp_path: Path) -> None:
    """Afterwards the archive has each of them, and Valkey has no log."""
    async with memory.opened_node(tmp_path) as (node, store, database):
        before = await memory.usage(store)
        await memory.finish(node, store, "game", 20)
        after = await memory.usage(store)
        assert node.metrics.games_archived == 20
        assert all([await GameTable(database).contains(f"game{number}") for number in range(20)])
        assert [await store.room_log.load(f"game{number}") for number in range(20)] == [None] * 20
        assert 0 < before.memory <= after.memory
        assert before.keys < after.keys
