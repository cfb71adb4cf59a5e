"""Properties of every clock, over whole games, and against a clock that ticks."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from parlour.protocol.types import Clock, TimeLeft
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
from tests.server.rooms.sample_clocks import (
    DAY,
    HOUR,
    LIMITED,
    NOON,
    SECOND,
)

# -- for every clock, over whole games


class Turn(NamedTuple):
    """How long a turn took, as a share of what was allowed, and the network delay."""

    percent: int
    lag: int


@st.composite
def clocks(draw: st.DrawFn) -> Clock:
    """Return any limited clock that is accepted."""
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
thoughts = st.builds(Turn, st.integers(0, 99), lags)


@st.composite
def turns(draw: st.DrawFn) -> tuple[Clock, Times]:
    """Return a turn that has just started, after some moves in time by both seats."""
    clock = draw(clocks())
    times, now = fresh(clock), NOON
    for seat, (percent, lag) in enumerate(draw(st.lists(thoughts, max_size=8))):
        times = run(clock, times, seat % 2, now)
        now += turn_length(clock, times) * percent // 100
        assert not flagged(clock, times, now, lag)
        times = press(clock, times, now, lag)
    return clock, run(clock, times, draw(st.integers(0, 1)), now)


def turn_length(clock: Clock, times: Times) -> int:
    """Return how long the current turn may take."""
    moment = deadline(clock, times)
    assert moment is not None
    return moment - times.since


def shown(clock: Clock, times: Times, now: int) -> TimeLeft:
    """Return the time left to the running seat."""
    assert times.running is not None
    return left_at(clock, times, times.running, now)


@given(turns(), st.integers(-2, 2), st.integers(0, 200), lags)
def test_deadline_and_flag_agree(turn: tuple[Clock, Times], near: int, percent: int, lag: int) -> None:
    """The flag is down from the deadline on, and the time left is 0 exactly then; lag postpones both."""
    clock, times = turn
    end = deadline(clock, times)
    assert end is not None
    for now in (end + near, times.since + (end - times.since) * percent // 100):
        assert flagged(clock, times, now) == (now >= end)
        assert (shown(clock, times, now).main == 0) == (now >= end)
        assert flagged(clock, times, now, lag) == (now >= end + min(lag, LAG_CAP))


@given(turns(), st.integers(0, 99), lags)
def test_a_move_before_the_deadline_never_flags(turn: tuple[Clock, Times], percent: int, lag: int) -> None:
    """A player that moved in time has time for the next turn."""
    clock, times = turn
    seat = times.running
    assert seat is not None
    last = times.since + turn_length(clock, times) - 1
    for now in (times.since + turn_length(clock, times) * percent // 100, last):
        assert not flagged(clock, times, now, lag)
        again = run(clock, press(clock, times, now, lag), seat, now)
        assert not flagged(clock, again, now)
        assert turn_length(clock, again) > 0


@given(turns(), st.integers(0, 99), lags)
def test_lag_never_adds_time(turn: tuple[Clock, Times], percent: int, lag: int) -> None:
    """However large the lag, a turn never starts with more than the last one plus the increment."""
    clock, times = turn
    seat = times.running
    assert seat is not None
    now = times.since + turn_length(clock, times) * percent // 100
    after = run(clock, press(clock, times, now, lag), seat, now)
    added = clock.step if clock.kind in ("fischer", "canadian") else 0
    assert turn_length(clock, after) <= turn_length(clock, times) + added
    honest = press(clock, times, max(times.since, now - min(lag, LAG_CAP)))
    assert after.left == honest.left
    without = run(clock, press(clock, times, now), seat, now)
    assert turn_length(clock, without) <= turn_length(clock, after)


@given(turns(), st.lists(st.integers(-10, 150), min_size=2, max_size=6))
def test_the_time_left_only_shrinks(turn: tuple[Clock, Times], percents: list[int]) -> None:
    """During a turn the time left never grows, except that a new period is whole."""
    clock, times = turn
    moments = sorted(times.since + turn_length(clock, times) * percent // 100 for percent in percents)
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
def test_an_interrupted_turn_never_flags_and_never_gains(turn: tuple[Clock, Times], percent: int) -> None:
    """Interrupting a turn in time leaves time for the next one, and never more than before."""
    clock, times = turn
    seat = times.running
    assert seat is not None
    now = times.since + turn_length(clock, times) * percent // 100
    again = run(clock, stop(clock, times, now), seat, now)
    assert 0 < turn_length(clock, again) <= turn_length(clock, times)


@given(turns(), st.integers(0, DAY), st.integers(0, 2 * DAY), lags)
def test_excused_time_does_not_count(turn: tuple[Clock, Times], duration: int, used: int, lag: int) -> None:
    """With an outage excused, everything is as if the time since had passed without it."""
    clock, times = turn
    now = times.since + used
    excused = excuse(times, duration)
    assert shown(clock, excused, now + duration) == shown(clock, times, now)
    assert flagged(clock, excused, now + duration, lag) == flagged(clock, times, now, lag)
    assert press(clock, excused, now + duration, lag) == press(clock, times, now, lag)
    assert turn_length(clock, excused) == turn_length(clock, times)


@given(turns(), st.integers(0, DAY))
def test_clocks_that_run_backwards_do_no_harm(turn: tuple[Clock, Times], early: int) -> None:
    """A time before the start of the turn, as another node's clock may yield, counts as its start."""
    clock, times = turn
    now = times.since - early
    assert not flagged(clock, times, now)
    assert shown(clock, times, now) == shown(clock, times, times.since)
    assert press(clock, times, now) == press(clock, times, times.since)


@given(turns())
def test_a_clock_survives_storage(turn: tuple[Clock, Times]) -> None:
    """A clock read back from bytes is equal."""
    _, times = turn
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(times), type=Times) == times


# -- against a clock of wheels


class TickingClock:
    """One seat's clock, advanced millisecond by millisecond, with every phase spelled out."""

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
        """Start what has to start when something has run out."""
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
        """Advance a turn by one millisecond."""
        self.used += 1
        if self.down or (self.clock.kind == "delay" and self.used <= self.clock.step):
            return
        if self.overtime:
            self.period -= 1
        else:
            self.main -= 1
        self._settle()

    def move(self) -> None:
        """End the turn in time."""
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
        """Return the time left as the protocol expresses it."""
        count = self.to_make if self.clock.kind == "canadian" else self.periods
        return TimeLeft(self.period if self.overtime else self.main, count)


@st.composite
def tiny_clocks(draw: st.DrawFn) -> Clock:
    """Return clocks of a few milliseconds, in which everything happens soon."""
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
    """A game computed once per turn equals a game of a clock that ticks every millisecond."""
    wheels = (TickingClock(clock), TickingClock(clock))
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
