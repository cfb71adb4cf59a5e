"""A program that thinks as long as advised has enough time for a whole game."""

from __future__ import annotations

import pytest

from parlour.client import clocks
from parlour.protocol.types import Clock, TimeLeft
from parlour.server.rooms import clock as server

CLOCKS = [
    Clock("move", 30_000),
    Clock("fischer", 300_000, 3_000),
    Clock("fischer", 0, 2_000),
    Clock("bronstein", 60_000, 5_000),
    Clock("delay", 60_000, 5_000),
    Clock("byoyomi", 60_000, 10_000, 3),
    Clock("byoyomi", 0, 30_000, 2),
    Clock("canadian", 60_000, 120_000, 10),
    Clock("canadian", 0, 60_000, 5),
    Clock("days", 86_400_000),
]


@pytest.mark.parametrize("clock", CLOCKS, ids=str)
def test_a_program_that_thinks_as_advised_never_loses_on_time(clock: Clock) -> None:
    """After 200 turns of the advised length, each with half a second of network delay, no flag has fallen."""
    times, now = server.fresh(clock), 0
    for _ in range(200):
        times = server.run(clock, times, 0, now)
        advised = clocks.thinking_time(clock, times.left[0])
        assert advised is not None
        assert advised > 0
        now += advised + 500
        assert not server.flagged(clock, times, now), (times, advised)
        times = server.press(clock, times, now)


def test_without_a_clock_thinking_time_is_unlimited() -> None:
    """Without a time limit there is no advice."""
    assert clocks.thinking_time(Clock(), None) is None
    assert clocks.thinking_time(Clock(), TimeLeft(0)) is None
