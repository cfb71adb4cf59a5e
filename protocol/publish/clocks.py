"""Clocks of every kind, and the time left on them during a turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from parlour.protocol.clock import time_left, turn_limit
from parlour.protocol.types import Clock, TimeLeft

# Each clock with the times that it can show at the start of a turn.
CASES: tuple[tuple[Clock, tuple[TimeLeft, ...]], ...] = (
    (Clock(), (TimeLeft(0),)),
    (Clock("move", 30_000), (TimeLeft(30_000),)),
    (Clock("days", 172_800_000), (TimeLeft(172_800_000),)),
    (Clock("fischer", 300_000, 3_000), (TimeLeft(300_000), TimeLeft(1), TimeLeft(4_250))),
    (Clock("bronstein", 60_000, 5_000), (TimeLeft(60_000), TimeLeft(2_000))),
    (Clock("delay", 60_000, 5_000), (TimeLeft(60_000), TimeLeft(1_500))),
    (Clock("byoyomi", 60_000, 10_000, 3), (TimeLeft(60_000, 3), TimeLeft(10_000, 2), TimeLeft(10_000, 0))),
    (Clock("byoyomi", 0, 30_000, 2), (TimeLeft(30_000, 1),)),
    (Clock("canadian", 60_000, 120_000, 10), (TimeLeft(60_000), TimeLeft(120_000, 10), TimeLeft(7_000, 1))),
)


def clocks() -> Iterator[dict[str, Any]]:
    """Yield each clock with times around every moment at which it changes."""
    for clock, beginnings in CASES:
        for left in beginnings:
            limit = turn_limit(clock, left)
            moments = {0, 1, left.main, clock.step, left.main + clock.step, limit}
            moments |= {left.main + period * clock.step for period in range(left.count + 1)}
            near = sorted({moment + nudge for moment in moments for nudge in (-1, 0, 1) if moment + nudge >= 0})
            yield {
                "clock": clock,
                "left": left,
                "limit": limit,
                "after": [{"elapsed": elapsed, "left": time_left(clock, left, elapsed)} for elapsed in near],
            }
