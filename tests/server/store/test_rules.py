"""Nodes announce which versions of the rules they support."""

from __future__ import annotations

from parlour.server.store.pipeline import Pipeline
from parlour.server.store.rules import RulesStore


async def test_the_newest_announcement_counts(pipeline: Pipeline) -> None:
    """It does not matter which node announces a version, and in which order announcements arrive."""
    rules = RulesStore(pipeline)
    assert await rules.last_announced(("mapello", 1)) == 0
    now = 1_700_000_000_123
    await rules.announce([("mapello", 1), ("mapello", 2), ("isaac", 1)], now)
    await rules.announce([("mapello", 2)], now + 1_000)
    await rules.announce([("mapello", 2)], now + 500)

    assert await rules.last_announced(("mapello", 1)) == now
    assert await rules.last_announced(("mapello", 2)) == now + 1_000
    assert await rules.last_announced(("isaac", 2)) == 0
