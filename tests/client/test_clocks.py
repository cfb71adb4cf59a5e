"""Clocks between messages agree with the server's, and leave enough time for a whole game."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.client import clocks
from parlour.protocol.tables import Clock, TimeLeft
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


@given(st.sampled_from(CLOCKS), st.integers(0, 400_000))
def test_a_clock_runs_down_as_it_does_on_the_server(clock: Clock, elapsed: int) -> None:
    """What is left of the first clock of a game, after any time, is what the server would say."""
    times = server.run(clock, server.fresh(clock), 0, 1_000)

    assert clocks.after(clock, times.left[0], elapsed) == server.left_at(clock, times, 0, 1_000 + elapsed)


@given(st.sampled_from(CLOCKS))
def test_the_flag_falls_when_it_falls_on_the_server(clock: Clock) -> None:
    """The longest a turn can last is what the server allows."""
    times = server.run(clock, server.fresh(clock), 0, 1_000)
    assert server.deadline(clock, times) == 1_000 + clocks.at_most(clock, times.left[0])


@pytest.mark.parametrize("clock", CLOCKS, ids=str)
def test_who_thinks_as_advised_never_loses_on_time(clock: Clock) -> None:
    """Two hundred turns of the advised length, each with half a second on the way, and no flag has fallen."""
    times, now = server.fresh(clock), 0
    for _ in range(200):
        times = server.run(clock, times, 0, now)
        advised = clocks.advisable(clock, times.left[0])
        assert advised is not None
        assert advised > 0
        now += advised + 500
        assert not server.flagged(clock, times, now), (times, advised)
        times = server.press(clock, times, now)


def test_without_a_clock_nobody_is_in_a_hurry() -> None:
    """No limit, no advice."""
    assert clocks.advisable(Clock(), None) is None
    assert clocks.advisable(Clock(), TimeLeft(0)) is None
