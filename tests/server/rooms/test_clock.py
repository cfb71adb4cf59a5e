"""Clocks charge what was used and not a millisecond more, and everybody can tell when a flag falls."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.tables import Clock, TimeLeft
from parlour.server.rooms.clock import (
    LAG_CAP,
    Times,
    check,
    deadline,
    excuse,
    flagged,
    fresh,
    left_at,
    press,
    run,
    stop,
)

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
NOON = 1_700_000_000_000  # a moment as a server counts it

NONE = Clock()
MOVE = Clock("move", main=30 * SECOND)
FISCHER = Clock("fischer", main=5 * MINUTE, step=3 * SECOND)
INCREMENT_ONLY = Clock("fischer", step=10 * SECOND)
SUDDEN_DEATH = Clock("fischer", main=MINUTE)
BRONSTEIN = Clock("bronstein", main=MINUTE, step=5 * SECOND)
DELAY = Clock("delay", main=MINUTE, step=5 * SECOND)
BYOYOMI = Clock("byoyomi", main=MINUTE, step=30 * SECOND, count=3)
BYOYOMI_ONLY = Clock("byoyomi", step=30 * SECOND, count=3)
CANADIAN = Clock("canadian", main=MINUTE, step=5 * MINUTE, count=3)
CANADIAN_ONLY = Clock("canadian", step=5 * MINUTE, count=3)
DAYS = Clock("days", main=3 * DAY)

EVERY = (
    NONE, MOVE, FISCHER, INCREMENT_ONLY, SUDDEN_DEATH, BRONSTEIN, DELAY, BYOYOMI, BYOYOMI_ONLY, CANADIAN, CANADIAN_ONLY,
    DAYS,
)  # fmt: skip
LIMITED = EVERY[1:]

# -- clocks from outside


@pytest.mark.parametrize("clock", EVERY, ids=str)
def test_usual_clocks_are_accepted(clock: Clock) -> None:
    """Each kind is accepted with usual times."""
    check(clock)


@pytest.mark.parametrize(
    "clock",
    [
        Clock("move", main=SECOND),
        Clock("move", main=DAY),
        Clock("fischer", main=DAY, step=HOUR),
        Clock("fischer", main=SECOND, step=SECOND),
        Clock("bronstein", main=DAY, step=HOUR),
        Clock("delay", main=SECOND, step=SECOND),
        Clock("byoyomi", main=DAY, step=HOUR, count=99),
        Clock("byoyomi", main=0, step=SECOND, count=1),
        Clock("canadian", main=DAY, step=HOUR, count=99),
        Clock("canadian", main=0, step=SECOND, count=1),
        Clock("days", main=DAY),
        Clock("days", main=14 * DAY),
    ],
    ids=str,
)
def test_the_ends_of_a_range_belong_to_it(clock: Clock) -> None:
    """The shortest and the longest times are accepted."""
    check(clock)


MAIN_SPAN = "from 1000 ms (1 second) to 86400000 ms (1 day)."
STEP_SPAN = "from 1000 ms (1 second) to 3600000 ms (1 hour)."


@pytest.mark.parametrize(
    ("clock", "sentence"),
    [
        (Clock(main=1), "A clock of kind “none” has no main: it must be 0."),
        (Clock(step=1), "A clock of kind “none” has no step: it must be 0."),
        (Clock(count=1), "A clock of kind “none” has no count: it must be 0."),
        (Clock("move"), f"The main of this move clock must be {MAIN_SPAN}"),
        (Clock("move", main=SECOND - 1), f"The main of this move clock must be {MAIN_SPAN}"),
        (Clock("move", main=DAY + 1), f"The main of this move clock must be {MAIN_SPAN}"),
        (Clock("move", main=SECOND, step=1), "A clock of kind “move” has no step: it must be 0."),
        (Clock("move", main=SECOND, count=1), "A clock of kind “move” has no count: it must be 0."),
        (Clock("fischer"), f"The main of this fischer clock must be {MAIN_SPAN}"),
        (Clock("fischer", main=1, step=SECOND), f"The main of this fischer clock must be 0 or {MAIN_SPAN}"),
        (Clock("fischer", main=2**64, step=SECOND), f"The main of this fischer clock must be 0 or {MAIN_SPAN}"),
        (Clock("fischer", main=SECOND, step=1), f"The step of this fischer clock must be 0 or {STEP_SPAN}"),
        (Clock("fischer", main=SECOND, step=HOUR + 1), f"The step of this fischer clock must be 0 or {STEP_SPAN}"),
        (Clock("fischer", main=MINUTE, count=1), "A clock of kind “fischer” has no count: it must be 0."),
        (Clock("bronstein", step=SECOND), f"The main of this bronstein clock must be {MAIN_SPAN}"),
        (Clock("bronstein", main=MINUTE), f"The step of this bronstein clock must be {STEP_SPAN}"),
        (replace(BRONSTEIN, count=1), "A clock of kind “bronstein” has no count: it must be 0."),
        (Clock("delay", step=SECOND), f"The main of this delay clock must be {MAIN_SPAN}"),
        (Clock("delay", main=MINUTE), f"The step of this delay clock must be {STEP_SPAN}"),
        (replace(DELAY, count=1), "A clock of kind “delay” has no count: it must be 0."),
        (Clock("byoyomi", main=MINUTE, count=1), f"The step of this byoyomi clock must be {STEP_SPAN}"),
        (replace(BYOYOMI, main=-1), f"The main of this byoyomi clock must be 0 or {MAIN_SPAN}"),
        (replace(BYOYOMI, count=0), "The count of this byoyomi clock must be from 1 to 99."),
        (replace(BYOYOMI, count=100), "The count of this byoyomi clock must be from 1 to 99."),
        (Clock("canadian", main=MINUTE, count=1), f"The step of this canadian clock must be {STEP_SPAN}"),
        (replace(CANADIAN, main=DAY + 1), f"The main of this canadian clock must be 0 or {MAIN_SPAN}"),
        (replace(CANADIAN, count=0), "The count of this canadian clock must be from 1 to 99."),
        (replace(CANADIAN, count=100), "The count of this canadian clock must be from 1 to 99."),
        (
            Clock("days", main=DAY - 1),
            "The main of this days clock must be from 86400000 ms (1 day) to 1209600000 ms (14 days).",
        ),
        (
            Clock("days", main=14 * DAY + 1),
            "The main of this days clock must be from 86400000 ms (1 day) to 1209600000 ms (14 days).",
        ),
        (replace(DAYS, step=1), "A clock of kind “days” has no step: it must be 0."),
        (replace(DAYS, count=1), "A clock of kind “days” has no count: it must be 0."),
    ],
    ids=str,
)
def test_impossible_clocks_are_refused(clock: Clock, sentence: str) -> None:
    """A clock that cannot be played with is refused with a sentence that says what is allowed."""
    with pytest.raises(Refusal) as refusal:
        check(clock)
    assert refusal.value.code is ErrorCode.CLOCK_INVALID
    assert refusal.value.sentence == sentence


# -- by hand


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
def test_both_seats_begin_alike(clock: Clock, left: TimeLeft) -> None:
    """Before the first move both seats have the whole clock, and nobody's time runs."""
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
    """A move in time leaves what was computed by hand; the other seat's time is untouched."""
    other = fresh(clock).left[0]
    times = run(clock, Times((other, TimeLeft(*before))), 1, NOON)
    assert not flagged(clock, times, NOON + used)
    assert press(clock, times, NOON + used) == Times((other, TimeLeft(*after)))


@pytest.mark.parametrize(
    ("clock", "before", "allowance"),
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
def test_the_flag_falls(clock: Clock, before: tuple[int, int], allowance: int) -> None:
    """The flag falls at the moment computed by hand, not a millisecond before, and stays down."""
    times = run(clock, Times((TimeLeft(*before), fresh(clock).left[1])), 0, NOON)
    assert deadline(clock, times) == NOON + allowance
    assert not flagged(clock, times, NOON + allowance - 1)
    assert flagged(clock, times, NOON + allowance)
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
def test_what_is_shown(clock: Clock, before: tuple[int, int], shown: dict[int, tuple[int, int]]) -> None:
    """While a seat thinks its time counts down as computed by hand; the other seat's stands still."""
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
def test_lag_is_given_back(used: int, lag: int, after: int) -> None:
    """What the network took is not charged, up to the cap and up to what was used."""
    times = run(FISCHER, fresh(FISCHER), 0, NOON)
    assert press(FISCHER, times, NOON + used, lag).left[0] == TimeLeft(after)


@pytest.mark.parametrize(("lag", "grace"), [(0, 0), (120, 120), (500, 500), (9_000, 500), (-50, 0)])
def test_lag_saves_a_move_that_was_made_in_time(lag: int, grace: int) -> None:
    """A move that only the network made late is in time, and the period it was made in is kept."""
    times = run(BYOYOMI, Times((TimeLeft(30_000, 0), TimeLeft(30_000, 0))), 0, NOON)
    last = NOON + 30_000 + grace - 1
    assert not flagged(BYOYOMI, times, last, lag)
    assert press(BYOYOMI, times, last, lag).left[0] == TimeLeft(30_000, 0)
    assert flagged(BYOYOMI, times, last + 1, lag)


def test_an_outage_is_not_charged() -> None:
    """Excused time counts for nothing: periods that only an outage used up are there again."""
    times = run(BYOYOMI, fresh(BYOYOMI), 0, NOON)
    assert left_at(BYOYOMI, times, 0, NOON + 100_000) == TimeLeft(20_000, 1)
    excused = excuse(times, 45_000)
    assert left_at(BYOYOMI, excused, 0, NOON + 100_000) == TimeLeft(5_000, 3)
    assert deadline(BYOYOMI, excused) == NOON + 150_000 + 45_000
    assert press(BYOYOMI, excused, NOON + 100_000).left[0] == TimeLeft(5_000, 3)


def test_an_outage_between_turns_changes_nothing() -> None:
    """Where nobody's time runs there is nothing to excuse."""
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
def test_a_turn_broken_off_is_charged(clock: Clock, before: tuple[int, int], used: int, after: tuple[int, int]) -> None:
    """A turn that ends without a move costs what it took, and nothing comes for a move."""
    other = fresh(clock).left[0]
    times = run(clock, Times((other, TimeLeft(*before))), 1, NOON)
    assert stop(clock, times, NOON + used) == Times((other, TimeLeft(*after)))


def test_a_dropped_turn_is_not_charged() -> None:
    """When a turn is begun while another runs, that one costs nothing."""
    times = run(FISCHER, fresh(FISCHER), 1, NOON)
    assert run(FISCHER, times, 0, NOON + MINUTE) == Times(fresh(FISCHER).left, 0, NOON + MINUTE)


def test_without_a_limit_nobody_runs() -> None:
    """A game without time limits never charges, never flags and has no deadline."""
    times = run(NONE, fresh(NONE), 0, NOON)
    assert times == fresh(NONE) == press(NONE, times, NOON + 100 * DAY)
    assert deadline(NONE, times) is None
    assert not flagged(NONE, times, NOON + 100 * DAY)
    assert left_at(NONE, times, 0, NOON + 100 * DAY) == TimeLeft(0)


@pytest.mark.parametrize("clock", LIMITED, ids=str)
def test_moves_are_free_while_nobody_runs(clock: Clock) -> None:
    """Before a turn is begun no time is charged, added or lost."""
    times = fresh(clock)
    assert press(clock, times, NOON + 100 * DAY) == times
    assert stop(clock, times, NOON + 100 * DAY) == times
    assert deadline(clock, times) is None
    assert not flagged(clock, times, NOON + 100 * DAY)
    assert left_at(clock, times, 1, NOON + 100 * DAY) == times.left[1]


# -- for every clock, over whole games


class Thought(NamedTuple):
    """How long a turn took, as a share of what was allowed, and what the network did meanwhile."""

    percent: int
    lag: int


@st.composite
def clocks(draw: st.DrawFn) -> Clock:
    """Any limited clock that is accepted."""
    kind = draw(st.sampled_from(LIMITED)).kind
    main = draw(st.integers(SECOND, DAY))
    step = draw(st.integers(SECOND, HOUR))
    count = draw(st.integers(1, 99))
    match kind:
        case "move":
            clock = Clock(kind, main)
        case "days":
            clock = Clock(kind, main * 14 if main * 14 >= DAY else DAY)
        case "fischer":
            without = draw(st.sampled_from(["neither", "main", "step"]))
            clock = Clock(kind, 0 if without == "main" else main, 0 if without == "step" else step)
        case "byoyomi" | "canadian":
            clock = Clock(kind, draw(st.sampled_from([0, main])), step, count)
        case _:
            clock = Clock(kind, main, step)
    check(clock)
    return clock


lags = st.integers(0, 2 * LAG_CAP)
thoughts = st.builds(Thought, st.integers(0, 99), lags)


@st.composite
def turns(draw: st.DrawFn) -> tuple[Clock, Times]:
    """A turn that has just begun, after some moves in time of both seats."""
    clock = draw(clocks())
    times, now = fresh(clock), NOON
    for seat, (percent, lag) in enumerate(draw(st.lists(thoughts, max_size=8))):
        times = run(clock, times, seat % 2, now)
        now += allowance(clock, times) * percent // 100
        assert not flagged(clock, times, now, lag)
        times = press(clock, times, now, lag)
    return clock, run(clock, times, draw(st.integers(0, 1)), now)


def allowance(clock: Clock, times: Times) -> int:
    """How long the present turn may take."""
    moment = deadline(clock, times)
    assert moment is not None
    return moment - times.since


def shown(clock: Clock, times: Times, now: int) -> TimeLeft:
    """What the running seat sees."""
    assert times.running is not None
    return left_at(clock, times, times.running, now)


@given(turns(), st.integers(-2, 2), st.integers(0, 200), lags)
def test_deadline_and_flag_agree(turn: tuple[Clock, Times], near: int, percent: int, lag: int) -> None:
    """The flag is down from the deadline on and not before, and 0 is shown exactly then; lag puts it off."""
    clock, times = turn
    end = deadline(clock, times)
    assert end is not None
    for now in (end + near, times.since + (end - times.since) * percent // 100):
        assert flagged(clock, times, now) == (now >= end)
        assert (shown(clock, times, now).main == 0) == (now >= end)
        assert flagged(clock, times, now, lag) == (now >= end + min(lag, LAG_CAP))


@given(turns(), st.integers(0, 99), lags)
def test_a_move_before_the_deadline_never_flags(turn: tuple[Clock, Times], percent: int, lag: int) -> None:
    """Who moved in time has time for the next turn."""
    clock, times = turn
    seat = times.running
    assert seat is not None
    last = times.since + allowance(clock, times) - 1
    for now in (times.since + allowance(clock, times) * percent // 100, last):
        assert not flagged(clock, times, now, lag)
        again = run(clock, press(clock, times, now, lag), seat, now)
        assert not flagged(clock, again, now)
        assert allowance(clock, again) > 0


@given(turns(), st.integers(0, 99), lags)
def test_lag_makes_no_time(turn: tuple[Clock, Times], percent: int, lag: int) -> None:
    """However large the lag, a turn is never begun with more than the last one plus what the clock adds."""
    clock, times = turn
    seat = times.running
    assert seat is not None
    now = times.since + allowance(clock, times) * percent // 100
    after = run(clock, press(clock, times, now, lag), seat, now)
    added = clock.step if clock.kind in ("fischer", "canadian") else 0
    assert allowance(clock, after) <= allowance(clock, times) + added
    honest = press(clock, times, max(times.since, now - min(lag, LAG_CAP)))
    assert after.left == honest.left
    without = run(clock, press(clock, times, now), seat, now)
    assert allowance(clock, without) <= allowance(clock, after)


@given(turns(), st.lists(st.integers(-10, 150), min_size=2, max_size=6))
def test_what_is_shown_only_shrinks(turn: tuple[Clock, Times], percents: list[int]) -> None:
    """While a turn runs nothing shown grows, except that a new period is whole."""
    clock, times = turn
    moments = sorted(times.since + allowance(clock, times) * percent // 100 for percent in percents)
    seen = [shown(clock, times, now) for now in moments]
    for earlier, later in pairwise(seen):
        match clock.kind:
            case "byoyomi":
                assert (later.count, later.main) <= (earlier.count, earlier.main)
            case "canadian" if earlier.count == 0 and later.count > 0:
                assert later.main <= clock.step
            case _:
                assert later.main <= earlier.main
                assert later.count == earlier.count


@given(turns(), st.integers(0, 99))
def test_a_turn_broken_off_in_time_never_flags_and_never_gains(turn: tuple[Clock, Times], percent: int) -> None:
    """Breaking off a turn in time leaves time for the next one, and never more than before."""
    clock, times = turn
    seat = times.running
    assert seat is not None
    now = times.since + allowance(clock, times) * percent // 100
    again = run(clock, stop(clock, times, now), seat, now)
    assert 0 < allowance(clock, again) <= allowance(clock, times)


@given(turns(), st.integers(0, DAY), st.integers(0, 2 * DAY), lags)
def test_excused_time_never_was(turn: tuple[Clock, Times], duration: int, used: int, lag: int) -> None:
    """With an outage excused, everything is as it would have been so much earlier without it."""
    clock, times = turn
    now = times.since + used
    excused = excuse(times, duration)
    assert shown(clock, excused, now + duration) == shown(clock, times, now)
    assert flagged(clock, excused, now + duration, lag) == flagged(clock, times, now, lag)
    assert press(clock, excused, now + duration, lag) == press(clock, times, now, lag)
    assert allowance(clock, excused) == allowance(clock, times)


@given(turns(), st.integers(0, DAY))
def test_clocks_that_run_backwards_do_no_harm(turn: tuple[Clock, Times], early: int) -> None:
    """A moment before the turn began, as another node's clock may give, is as good as its beginning."""
    clock, times = turn
    now = times.since - early
    assert not flagged(clock, times, now)
    assert shown(clock, times, now) == shown(clock, times, times.since)
    assert press(clock, times, now) == press(clock, times, times.since)


@given(turns())
def test_a_clock_survives_storage(turn: tuple[Clock, Times]) -> None:
    """A clock read back from bytes is the same clock."""
    _, times = turn
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(times), type=Times) == times


# -- against a clock of wheels


class Wheels:
    """One seat's clock, moved on millisecond by millisecond, with every phase spelled out."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.main = clock.step if clock.kind == "fischer" and clock.main == 0 else clock.main
        self.periods = clock.count if clock.kind == "byoyomi" else 0  # not yet begun
        self.overtime = False
        self.period = 0
        self.to_make = 0
        self.used = 0
        self.down = False
        self._settle()

    def _settle(self) -> None:
        """Begin what has to begin when something has run out."""
        match self.clock.kind:
            case "byoyomi":
                if (self.period if self.overtime else self.main) == 0:
                    self.overtime = True
                    self.down = self.periods == 0
                    if not self.down:
                        self.periods -= 1
                        self.period = self.clock.step
            case "canadian":
                if not self.overtime and self.main == 0:
                    self.overtime = True
                    self.period = self.clock.step
                    self.to_make = self.clock.count
                self.down = self.overtime and self.period == 0
            case _:
                self.down = self.main == 0

    def tick(self) -> None:
        """One millisecond of a turn goes by."""
        self.used += 1
        if self.down or (self.clock.kind == "delay" and self.used <= self.clock.step):
            return
        if self.overtime:
            self.period -= 1
        else:
            self.main -= 1
        self._settle()

    def move(self) -> None:
        """The turn ends in time."""
        match self.clock.kind:
            case "move" | "days":
                self.main = self.clock.main
            case "fischer":
                self.main += self.clock.step
            case "bronstein":
                self.main += self.used if self.used < self.clock.step else self.clock.step
            case "byoyomi" if self.overtime:
                self.period = self.clock.step
            case "canadian" if self.overtime:
                self.to_make -= 1
                if self.to_make == 0:
                    self.period = self.clock.step
                    self.to_make = self.clock.count
        self.used = 0

    def left(self) -> TimeLeft:
        """The same in the words of the protocol."""
        count = self.to_make if self.clock.kind == "canadian" else self.periods
        return TimeLeft(self.period if self.overtime else self.main, count)


@st.composite
def tiny_clocks(draw: st.DrawFn) -> Clock:
    """Clocks of a few milliseconds, in which everything happens soon."""
    kind = draw(st.sampled_from(LIMITED)).kind
    step, count = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    match kind:
        case "move" | "days":
            return Clock(kind, draw(st.integers(1, 12)))
        case "byoyomi" | "canadian":
            return Clock(kind, draw(st.integers(0, 12)), step, count)
        case "fischer":
            return Clock(kind, draw(st.integers(0, 12)), step)
        case _:
            return Clock(kind, draw(st.integers(1, 12)), step)


@given(tiny_clocks(), st.lists(st.integers(0, 20), max_size=30))
def test_the_formulas_agree_with_a_ticking_clock(clock: Clock, thinking: list[int]) -> None:
    """A game computed in one go per turn is the game of a clock that ticks every millisecond."""
    wheels = (Wheels(clock), Wheels(clock))
    times, now = fresh(clock), NOON
    for turn, used in enumerate(thinking):
        seat = turn % 2
        times = run(clock, times, seat, now)
        for _ in range(used):
            now += 1
            wheels[seat].tick()
            assert left_at(clock, times, seat, now) == wheels[seat].left()
            assert flagged(clock, times, now) == wheels[seat].down
        if wheels[seat].down:
            return
        wheels[seat].move()
        times = press(clock, times, now)
        assert times.left == (wheels[0].left(), wheels[1].left())
