"""The time left on a running clock."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.protocol.clock import time_left, turn_limit
from parlour.protocol.types import Clock, TimeLeft

BYOYOMI = Clock("byoyomi", 60_000, 10_000, 3)
CANADIAN = Clock("canadian", 60_000, 120_000, 10)
DELAY = Clock("delay", 60_000, 5_000)


@pytest.mark.parametrize(
    ("clock", "left", "elapsed", "expected"),
    [
        (Clock(), TimeLeft(0), 5_000, TimeLeft(0)),
        (Clock("move", 30_000), TimeLeft(30_000), 12_000, TimeLeft(18_000)),
        (Clock("days", 86_400_000), TimeLeft(86_400_000), 1, TimeLeft(86_399_999)),
        (Clock("fischer", 300_000, 3_000), TimeLeft(1_000), 2_000, TimeLeft(0)),
        (Clock("bronstein", 60_000, 5_000), TimeLeft(60_000), 4_000, TimeLeft(56_000)),
        (DELAY, TimeLeft(60_000), 5_000, TimeLeft(60_000)),
        (DELAY, TimeLeft(60_000), 6_000, TimeLeft(59_000)),
        (BYOYOMI, TimeLeft(60_000, 3), 59_999, TimeLeft(1, 3)),
        (BYOYOMI, TimeLeft(60_000, 3), 60_000, TimeLeft(10_000, 2)),
        (BYOYOMI, TimeLeft(60_000, 3), 85_000, TimeLeft(5_000, 0)),
        (BYOYOMI, TimeLeft(60_000, 3), 90_000, TimeLeft(0, 0)),
        (CANADIAN, TimeLeft(60_000), 60_000, TimeLeft(120_000, 10)),
        (CANADIAN, TimeLeft(60_000), 100_000, TimeLeft(80_000, 10)),
        (CANADIAN, TimeLeft(7_000, 2), 8_000, TimeLeft(0, 2)),
    ],
    ids=str,
)
def test_time_left(clock: Clock, left: TimeLeft, elapsed: int, expected: TimeLeft) -> None:
    """Each kind of clock runs down in its own way."""
    assert time_left(clock, left, elapsed) == expected


@pytest.mark.parametrize(
    ("clock", "left", "limit"),
    [
        (Clock("fischer", 300_000, 3_000), TimeLeft(9_000), 9_000),
        (DELAY, TimeLeft(9_000), 14_000),
        (BYOYOMI, TimeLeft(9_000, 2), 29_000),
        (CANADIAN, TimeLeft(9_000), 129_000),
        (CANADIAN, TimeLeft(9_000, 4), 9_000),
    ],
    ids=str,
)
def test_the_longest_possible_turn(clock: Clock, left: TimeLeft, limit: int) -> None:
    """Delay and overtime count towards the time until the flag falls."""
    assert turn_limit(clock, left) == limit


@given(
    st.sampled_from([(DELAY, 0), (BYOYOMI, 3), (BYOYOMI, 0), (CANADIAN, 0), (CANADIAN, 5), (Clock("move", 9_000), 0)]),
    st.integers(1, 100_000),
    st.integers(0, 300_000),
)
def test_time_is_up_exactly_at_the_limit(case: tuple[Clock, int], main: int, elapsed: int) -> None:
    """`main` is 0 if and only if the flag has fallen."""
    clock, left = case[0], TimeLeft(main, case[1])
    assert (time_left(clock, left, elapsed).main == 0) == (elapsed >= turn_limit(clock, left))
