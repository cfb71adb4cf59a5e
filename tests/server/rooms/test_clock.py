"""Clocks charge exactly the time used, and it is always clear when a flag falls."""

from __future__ import annotations

import pytest

from parlour.protocol.types import Clock, TimeLeft
from parlour.server.rooms.clock import (
    Times,
    deadline,
    excuse,
    flagged,
    fresh,
    lag_cap,
    left_at,
    press,
    run,
    stop,
)
from tests.server.rooms.sample_clocks import (
    BRONSTEIN,
    BYOYOMI,
    BYOYOMI_ONLY,
    CANADIAN,
    CANADIAN_ONLY,
    DAY,
    DAYS,
    DELAY,
    FISCHER,
    INCREMENT_ONLY,
    LIMITED,
    MINUTE,
    MOVE,
    NONE,
    NOON,
    SECOND,
    SUDDEN_DEATH,
)


@pytest.mark.parametrize(
    ("clock", "left"),
    [
        (NONE, TimeLeft(0)),
        (MOVE, TimeLeft(30 * SECOND)),
        (FISCHER, TimeLeft(5 * MINUTE)),
        (INCREMENT_ONLY, TimeLeft(10 * SECOND)),
        (SUDDEN_DEATH, TimeLeft(MINUTE)),
        (BRONSTEIN, TimeLeft(MINUTE)),
        (DELAY, TimeLeft(MINUTE)),
        (BYOYOMI, TimeLeft(MINUTE, 3)),
        (BYOYOMI_ONLY, TimeLeft(30 * SECOND, 2)),
        (CANADIAN, TimeLeft(MINUTE, 0)),
        (CANADIAN_ONLY, TimeLeft(5 * MINUTE, 3)),
        (DAYS, TimeLeft(3 * DAY)),
    ],
    ids=str,
)
def test_both_seats_start_alike(clock: Clock, left: TimeLeft) -> None:
    """Before the first move both seats have the whole clock, and neither runs."""
    assert fresh(clock) == Times((left, left), None, 0)


@pytest.mark.parametrize(
    ("clock", "before", "used", "after"),
    [
        (MOVE, (30_000, 0), 0, (30_000, 0)),
        (MOVE, (30_000, 0), 29_999, (30_000, 0)),
        (FISCHER, (300_000, 0), 0, (303_000, 0)),
        (FISCHER, (300_000, 0), 10_000, (293_000, 0)),
        (FISCHER, (1_000, 0), 999, (3_001, 0)),
        (SUDDEN_DEATH, (60_000, 0), 59_999, (1, 0)),
        (BRONSTEIN, (60_000, 0), 0, (60_000, 0)),
        (BRONSTEIN, (60_000, 0), 4_000, (60_000, 0)),
        (BRONSTEIN, (60_000, 0), 5_000, (60_000, 0)),
        (BRONSTEIN, (60_000, 0), 7_000, (58_000, 0)),
        (BRONSTEIN, (3_000, 0), 2_999, (3_000, 0)),
        (DELAY, (60_000, 0), 4_000, (60_000, 0)),
        (DELAY, (60_000, 0), 5_000, (60_000, 0)),
        (DELAY, (60_000, 0), 7_000, (58_000, 0)),
        (DELAY, (3_000, 0), 7_999, (1, 0)),
        (BYOYOMI, (60_000, 3), 59_999, (1, 3)),  # main time is not given back
        (BYOYOMI, (60_000, 3), 60_000, (30_000, 2)),  # the first period has begun, and is kept
        (BYOYOMI, (60_000, 3), 89_999, (30_000, 2)),
        (BYOYOMI, (60_000, 3), 90_000, (30_000, 1)),  # the first is lost, the second kept
        (BYOYOMI, (60_000, 3), 149_999, (30_000, 0)),  # two lost within one turn
        (BYOYOMI, (30_000, 2), 29_999, (30_000, 2)),
        (BYOYOMI, (30_000, 2), 30_000, (30_000, 1)),
        (BYOYOMI, (30_000, 2), 89_999, (30_000, 0)),
        (BYOYOMI, (30_000, 0), 29_999, (30_000, 0)),  # the last can be kept for ever
        (CANADIAN, (60_000, 0), 59_999, (1, 0)),
        (CANADIAN, (60_000, 0), 60_000, (300_000, 2)),  # the turn in which overtime begins is the first of its moves
        (CANADIAN, (60_000, 0), 70_000, (290_000, 2)),
        (CANADIAN, (290_000, 2), 100_000, (190_000, 1)),
        (CANADIAN, (190_000, 1), 189_999, (300_000, 3)),  # all made: a new period
        (CANADIAN, (300_000, 3), 1_000, (299_000, 2)),
        (DAYS, (3 * DAY, 0), 2 * DAY, (3 * DAY, 0)),
    ],
    ids=str,
)
def test_a_move_is_charged(clock: Clock, before: tuple[int, int], used: int, after: tuple[int, int]) -> None:
    """A move in time leaves what was computed by hand; the other seat's clock is untouched."""
    other = fresh(clock).left[0]
    times = run(clock, Times((other, TimeLeft(*before))), 1, NOON)
    assert not flagged(clock, times, NOON + used)
    assert press(clock, times, NOON + used) == Times((other, TimeLeft(*after)))


@pytest.mark.parametrize(
    ("clock", "before", "rate_limits"),
    [
        (MOVE, (30_000, 0), 30_000),
        (FISCHER, (300_000, 0), 300_000),
        (FISCHER, (1_000, 0), 1_000),  # the increment comes too late
        (INCREMENT_ONLY, (10_000, 0), 10_000),
        (BRONSTEIN, (3_000, 0), 3_000),
        (DELAY, (3_000, 0), 8_000),
        (BYOYOMI, (60_000, 3), 150_000),
        (BYOYOMI, (1, 3), 90_001),
        (BYOYOMI, (30_000, 2), 90_000),
        (BYOYOMI, (30_000, 0), 30_000),
        (CANADIAN, (60_000, 0), 360_000),
        (CANADIAN, (190_000, 1), 190_000),
        (DAYS, (3 * DAY, 0), 3 * DAY),
    ],
    ids=str,
)
def test_the_flag_falls(clock: Clock, before: tuple[int, int], rate_limits: int) -> None:
    """The flag falls at the time computed by hand, not a millisecond before, and stays down."""
    times = run(clock, Times((TimeLeft(*before), fresh(clock).left[1])), 0, NOON)
    assert deadline(clock, times) == NOON + rate_limits
    assert not flagged(clock, times, NOON + rate_limits - 1)
    assert flagged(clock, times, NOON + rate_limits)
    assert flagged(clock, times, NOON + 100 * DAY)


@pytest.mark.parametrize(
    ("clock", "before", "shown"),
    [
        (MOVE, (30_000, 0), {0: (30_000, 0), 1: (29_999, 0), 30_000: (0, 0), 99_000: (0, 0)}),
        (FISCHER, (300_000, 0), {10_000: (290_000, 0), 300_000: (0, 0)}),
        (BRONSTEIN, (60_000, 0), {4_000: (56_000, 0), 60_000: (0, 0)}),
        (DELAY, (60_000, 0), {0: (60_000, 0), 5_000: (60_000, 0), 5_001: (59_999, 0), 65_000: (0, 0)}),
        (
            BYOYOMI,
            (60_000, 3),
            {
                59_999: (1, 3), 60_000: (30_000, 2), 89_999: (1, 2), 90_000: (30_000, 1), 125_000: (25_000, 0),
                149_999: (1, 0), 150_000: (0, 0), 999_000: (0, 0),
            },
        ),
        (BYOYOMI, (30_000, 1), {0: (30_000, 1), 29_999: (1, 1), 30_000: (30_000, 0), 60_000: (0, 0)}),
        (CANADIAN, (60_000, 0), {59_999: (1, 0), 60_000: (300_000, 3), 61_000: (299_000, 3), 360_000: (0, 3)}),
        (CANADIAN, (190_000, 2), {0: (190_000, 2), 190_000: (0, 2), 999_000: (0, 2)}),
        (DAYS, (3 * DAY, 0), {DAY: (2 * DAY, 0), 3 * DAY: (0, 0)}),
    ],
    ids=str,
)  # fmt: skip
def test_the_time_left_counts_down(clock: Clock, before: tuple[int, int], shown: dict[int, tuple[int, int]]) -> None:
    """During a turn the time left is what was computed by hand; the other seat's clock stands still."""
    other = fresh(clock).left[1]
    times = run(clock, Times((TimeLeft(*before), other)), 0, NOON)
    assert {used: left_at(clock, times, 0, NOON + used) for used in shown} == {
        used: TimeLeft(*left) for used, left in shown.items()
    }
    assert {left_at(clock, times, 1, NOON + used) for used in shown} == {other}


@pytest.mark.parametrize(
    ("used", "lag", "after"),
    [
        (10_000, 0, 293_000),
        (10_000, 120, 293_120),
        (10_000, 500, 293_500),
        (10_000, 9_000, 293_500),  # no more than the cap
        (100, 120, 303_000),  # no more than was used
        (10_000, -50, 293_000),  # a bad measurement costs nothing
    ],
)
def test_lag_is_not_charged(used: int, lag: int, after: int) -> None:
    """Network delay is not charged, up to the cap and up to the time used."""
    times = run(FISCHER, fresh(FISCHER), 0, NOON)
    assert press(FISCHER, times, NOON + used, lag).left[0] == TimeLeft(after)


@pytest.mark.parametrize(
    ("clock", "cap"),
    [
        (Clock(), 500),
        (Clock("fischer", 60_000), 150),
        (Clock("fischer", 180_000, 2_000), 500),
        (Clock("fischer", 1_000, 1_000), 102),
        (Clock("move", 1_000), 100),
        (Clock("move", 3_000), 300),
        (Clock("bronstein", 60_000, 1_000), 250),
        (Clock("byoyomi", 0, 2_000, 3), 200),
        (Clock("canadian", 0, 60_000, 20), 300),
        (Clock("days", DAY), 500),
    ],
)
def test_the_cap_of_the_lag_is_in_proportion_to_the_clock(clock: Clock, cap: int) -> None:
    """A tenth of an average turn, from 100 to 500 milliseconds."""
    assert lag_cap(clock) == cap


@pytest.mark.parametrize(("lag", "grace"), [(0, 0), (120, 120), (500, 500), (9_000, 500), (-50, 0)])
def test_lag_does_not_make_a_move_late(lag: int, grace: int) -> None:
    """A move that only the network delayed is in time, and its period is kept."""
    times = run(BYOYOMI, Times((TimeLeft(30_000, 0), TimeLeft(30_000, 0))), 0, NOON)
    last = NOON + 30_000 + grace - 1
    assert not flagged(BYOYOMI, times, last, lag)
    assert press(BYOYOMI, times, last, lag).left[0] == TimeLeft(30_000, 0)
    assert flagged(BYOYOMI, times, last + 1, lag)


def test_an_outage_is_not_charged() -> None:
    """Periods that only an outage used up are restored."""
    times = run(BYOYOMI, fresh(BYOYOMI), 0, NOON)
    assert left_at(BYOYOMI, times, 0, NOON + 100_000) == TimeLeft(20_000, 1)
    excused = excuse(times, 45_000)
    assert left_at(BYOYOMI, excused, 0, NOON + 100_000) == TimeLeft(5_000, 3)
    assert deadline(BYOYOMI, excused) == NOON + 150_000 + 45_000
    assert press(BYOYOMI, excused, NOON + 100_000).left[0] == TimeLeft(5_000, 3)


def test_an_outage_between_turns_changes_nothing() -> None:
    """If no clock runs, there is nothing to excuse."""
    assert excuse(fresh(FISCHER), 45_000) == fresh(FISCHER)


@pytest.mark.parametrize(
    ("clock", "before", "used", "after"),
    [
        (MOVE, (30_000, 0), 20_000, (30_000, 0)),
        (FISCHER, (300_000, 0), 10_000, (290_000, 0)),  # no increment without a move
        (BRONSTEIN, (60_000, 0), 4_000, (60_000, 0)),
        (BRONSTEIN, (60_000, 0), 7_000, (58_000, 0)),
        (DELAY, (60_000, 0), 7_000, (58_000, 0)),
        (BYOYOMI, (60_000, 3), 10_000, (50_000, 3)),
        (BYOYOMI, (30_000, 2), 40_000, (30_000, 1)),  # the period that was used up stays lost, the next is whole again
        (CANADIAN, (60_000, 0), 70_000, (290_000, 3)),  # all the moves are still to make
        (CANADIAN, (190_000, 1), 10_000, (180_000, 1)),
        (DAYS, (3 * DAY, 0), DAY, (3 * DAY, 0)),
    ],
    ids=str,
)
def test_an_interrupted_turn_is_charged(
    clock: Clock, before: tuple[int, int], used: int, after: tuple[int, int]
) -> None:
    """A turn that ends without a move costs the time it took, and earns no increment."""
    other = fresh(clock).left[0]
    times = run(clock, Times((other, TimeLeft(*before))), 1, NOON)
    assert stop(clock, times, NOON + used) == Times((other, TimeLeft(*after)))


def test_a_dropped_turn_is_not_charged() -> None:
    """Starting a turn while another one runs costs nothing for that one."""
    times = run(FISCHER, fresh(FISCHER), 1, NOON)
    assert run(FISCHER, times, 0, NOON + MINUTE) == Times(fresh(FISCHER).left, 0, NOON + MINUTE)


def test_without_a_limit_no_clock_runs() -> None:
    """A game without time limits never charges, never flags and has no deadline."""
    times = run(NONE, fresh(NONE), 0, NOON)
    assert times == fresh(NONE) == press(NONE, times, NOON + 100 * DAY)
    assert deadline(NONE, times) is None
    assert not flagged(NONE, times, NOON + 100 * DAY)
    assert left_at(NONE, times, 0, NOON + 100 * DAY) == TimeLeft(0)


@pytest.mark.parametrize("clock", LIMITED, ids=str)
def test_moves_are_free_while_no_clock_runs(clock: Clock) -> None:
    """Before a turn is started, no time is charged, added or lost."""
    times = fresh(clock)
    assert press(clock, times, NOON + 100 * DAY) == times
    assert stop(clock, times, NOON + 100 * DAY) == times
    assert deadline(clock, times) is None
    assert not flagged(clock, times, NOON + 100 * DAY)
    assert left_at(clock, times, 1, NOON + 100 * DAY) == times.left[1]
