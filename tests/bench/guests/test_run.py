"""The simulated day of guests works, on a small scale."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.guests.run import HOUR, Pace, Usage, compare, family, opened_day
from tests.waiting import until


async def test_time_passes_for_a_server_and_its_store(tmp_path: Path) -> None:
    """Two hours after their visit, the games of guests are archived."""
    async with opened_day(tmp_path) as day:
        await day.guests(60, "test", parties=1)
        before = await day.usage()
        await day.pass_time(2 * HOUR)

        async def is_archived() -> bool:
            return (await day.families()).get("{}:log", 0) < before.keys["{}:log"]

        await until(is_archived)
    assert before.keys["player:{}"] >= 3
    assert before.objects["dict"] > 100
    assert min(before.memory, before.resident) > 100_000


def test_a_pace_is_kept() -> None:
    """All wait for each other, a stall is not made up for, and without a rate there is nothing to wait for."""
    pace = Pace(100)
    assert [pace.wait(50, now=10), pace.wait(100, now=10), pace.wait(100, now=11)] == [0.5, 1.5, 1.5]
    assert [pace.wait(100, now=20), pace.wait(100, now=20)] == [1, 2]
    assert Pace(0).wait(100, now=20) == 0


def test_keys_belong_to_families() -> None:
    """Ids, tokens and names make no difference."""
    keys = ["parlour:{a1}:log", "parlour:player:{p1}", "parlour:player:{p1}:playing", "parlour:token:abc"]
    assert [family(key) for key in keys] == ["{}:log", "player:{}", "player:{}", "token"]


def test_growth_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    """More than five percent of memory or keys is too much, and the report names what there is more of."""
    before = Usage(1_000_000, {"{}:log": 10}, 50_000_000, {"Room": 100, "dict": 900})
    after = Usage(1_000_000, {"{}:log": 10}, 53_000_000, {"Room": 200, "dict": 900})
    assert compare(before, after, before) == 0
    assert compare(before, after, after) == 1
    assert "more objects: Room +100" in capsys.readouterr().out
