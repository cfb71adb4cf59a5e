"""Game clocks as pure values: what a turn costs, when a flag falls, what to show. All times are int milliseconds.

Whatever a clock gives back or makes whole again, it does so when a turn ends: what `press` leaves is what the seat's
next turn begins with. So a client counts down from the last `TimeLeft` it was sent and needs no other rule than these,
by the kind of the `Clock`:

- `move`, `days`, `fischer`, `bronstein`: the flag falls after `main`; `count` is 0.
- `delay`: likewise, but `main` starts to run `clock.step` after the turn began.
- `byoyomi`: `count` is the number of whole periods that stand behind `main`, so the flag falls after
  `main + count * clock.step`. While `count == clock.count`, `main` is main time: "3:10 + 3 x 30 s". Below, it is what
  is left of the present period, which is one of `count + 1`: (30 s, 1) is "2 x 30 s"; with `count` 0 it is the last.
- `canadian`: while `count` is 0, `main` is main time, with a period of `clock.step` behind it. Else `main` is what is
  left of the present period and `count` the moves still to make in it: (190 s, 7) is "7 moves in 3:10".

Time that is used up is gone at once: with 0 ms left a period is lost or the flag has fallen.
"""

from __future__ import annotations

from msgspec import Struct

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.tables import Clock, TimeLeft

# What a slow network gets back per move, at most. More would let a player buy time by answering pings late.
LAG_CAP = 500

_SECOND = 1_000
_HOUR = 3_600 * _SECOND
_DAY = 24 * _HOUR

_NONE = range(1)
_MAIN = range(_SECOND, _DAY + 1)
_DAYS = range(_DAY, 14 * _DAY + 1)
_STEP = range(_SECOND, _HOUR + 1)
_COUNT = range(1, 100)

# What main, step and count may be.
_ALLOWED = {
    "none": (_NONE, _NONE, _NONE),
    "move": (_MAIN, _NONE, _NONE),
    "fischer": (_MAIN, _STEP, _NONE),
    "bronstein": (_MAIN, _STEP, _NONE),
    "delay": (_MAIN, _STEP, _NONE),
    "byoyomi": (_MAIN, _STEP, _COUNT),
    "canadian": (_MAIN, _STEP, _COUNT),
    "days": (_DAYS, _NONE, _NONE),
}


class Times(Struct, frozen=True, array_like=True, gc=False):
    """A whole clock: both seats."""

    left: tuple[TimeLeft, TimeLeft]  # the running seat's as of `since`
    running: int | None = None  # the seat whose time runs
    since: int = 0  # when its turn began; 0 when nobody's time runs


# -- a clock from outside


def check(clock: Clock) -> None:
    """Refuse a clock that cannot be played with: a time missing, out of range, or without use for its kind."""
    if clock.kind not in _ALLOWED:
        raise Refusal(ErrorCode.CLOCK_INVALID, f"There is no such kind of clock. There are {', '.join(_ALLOWED)}.")
    main, step, count = _ALLOWED[clock.kind]
    _check_field(clock, "main", clock.main, main, _starts_without_main(clock))
    _check_field(clock, "step", clock.step, step, clock.kind == "fischer")
    _check_field(clock, "count", clock.count, count, False)


def _starts_without_main(clock: Clock) -> bool:
    return clock.kind in ("byoyomi", "canadian") or (clock.kind == "fischer" and clock.step > 0)


def _check_field(clock: Clock, field: str, value: int, allowed: range, or_zero: bool) -> None:
    if value in allowed or (or_zero and value == 0):
        return
    if allowed is _NONE:
        raise Refusal(ErrorCode.CLOCK_INVALID, f"A clock of kind “{clock.kind}” has no {field}: it must be 0.")
    write = str if field == "count" else _duration
    span = f"from {write(allowed[0])} to {write(allowed[-1])}"
    zero = "0 or " if or_zero else ""
    raise Refusal(ErrorCode.CLOCK_INVALID, f"The {field} of this {clock.kind} clock must be {zero}{span}.")


def _duration(time: int) -> str:
    words = {_SECOND: "1 second", _HOUR: "1 hour", _DAY: "1 day"}.get(time, f"{time // _DAY} days")
    return f"{time} ms ({words})"


# -- turns


def fresh(clock: Clock) -> Times:
    """The clock before the first move; nobody's time runs.

    Without main time, a Fischer clock begins with one step and the overtime kinds begin in overtime.
    """
    left = TimeLeft(clock.main)
    match clock.kind:
        case "fischer":
            left = TimeLeft(clock.main or clock.step)
        case "byoyomi":
            left = TimeLeft(clock.main, clock.count) if clock.main else TimeLeft(clock.step, clock.count - 1)
        case "canadian":
            left = left if clock.main else TimeLeft(clock.step, clock.count)
    return Times((left, left))


def run(clock: Clock, times: Times, seat: int, now: int) -> Times:
    """That seat's turn begins. Without a time limit nobody's time ever runs.

    A turn that was running is dropped as if it had never begun; `stop` charges it.
    """
    return times if clock.kind == "none" else Times(times.left, seat, now)


def press(clock: Clock, times: Times, now: int, lag: int = 0, then: int | None = None) -> Times:
    """The running seat moved: its turn is charged, and that of `then` begins, or else nobody's time runs.

    `lag` is the part of the turn that the network took. It is not charged, up to LAG_CAP.
    Whether the move came in time is for `flagged` to say; one that did not is charged no more than there was.
    Where nobody's time runs, moves are free.
    """
    seat = times.running
    if seat is None:
        return times
    used = now - times.since - (_forgiven(lag) if lag else 0)
    first, second = times.left
    left = _moved(clock, second if seat else first, used if used > 0 else 0)
    return Times((first, left) if seat else (left, second), then, 0 if then is None else now)


def stop(clock: Clock, times: Times, now: int) -> Times:
    """The running seat's turn is broken off, as when a move is taken back: it is charged, but no move is counted."""
    seat = times.running
    if seat is None:
        return times
    first, second = times.left
    left = _broken_off(clock, times.left[seat], max(0, now - times.since))
    return Times((first, left) if seat else (left, second))


def excuse(times: Times, duration: int) -> Times:
    """Do not charge so much of the present turn, in which nobody could serve the mover.

    The caller counts only what lies within the turn: before its beginning nothing was charged.
    """
    return times if times.running is None else Times(times.left, times.running, times.since + duration)


# -- what the clock says


def flagged(clock: Clock, times: Times, now: int, lag: int = 0) -> bool:
    """Whether the running seat is out of time, if it moves now and the network took `lag` of its turn.

    Who does not know the lag and asks whether the game is lost without a move, asks with LAG_CAP: a move that is
    still on its way may be in time.
    """
    moment = deadline(clock, times)
    return moment is not None and now - _forgiven(lag) >= moment


def deadline(clock: Clock, times: Times) -> int | None:
    """The moment from which the running seat is out of time, lag aside; None: never."""
    if times.running is None:
        return None
    left = times.left[times.running]
    allowance = left.main
    match clock.kind:
        case "delay":
            allowance += clock.step
        case "byoyomi":
            allowance += left.count * clock.step
        case "canadian" if left.count == 0:
            allowance += clock.step
    return times.since + allowance


def left_at(clock: Clock, times: Times, seat: int, now: int) -> TimeLeft:
    """What to show for a seat. The running seat's `main` is 0 exactly when it is out of time."""
    left = times.left[seat]
    return _spent(clock, left, max(0, now - times.since)) if seat == times.running else left


def _forgiven(lag: int) -> int:
    return min(max(lag, 0), LAG_CAP)


def _spent(clock: Clock, left: TimeLeft, used: int) -> TimeLeft:
    """What is left when so much of a turn is over."""
    over = used - left.main
    match clock.kind:
        case "delay":
            return TimeLeft(max(0, left.main - max(0, used - clock.step)))
        case "byoyomi" if over >= 0:
            # The period that runs at this moment is no longer whole.
            begun = over // clock.step + 1
            if begun > left.count:
                return TimeLeft(0)
            return TimeLeft(clock.step - over % clock.step, left.count - begun)
        case "canadian" if over >= 0 and left.count == 0:
            return TimeLeft(max(0, clock.step - over), clock.count)
    return TimeLeft(max(0, -over), left.count)


def _broken_off(clock: Clock, left: TimeLeft, used: int) -> TimeLeft:
    """What the next turn begins with after one that took so long and had no move."""
    rest = _spent(clock, left, used)
    match clock.kind:
        case "move" | "days":
            return TimeLeft(clock.main)
        case "bronstein":
            return TimeLeft(rest.main + min(clock.step, used))
        case "byoyomi" if rest.count < clock.count:
            return TimeLeft(clock.step, rest.count)
    return rest


def _moved(clock: Clock, left: TimeLeft, used: int) -> TimeLeft:
    """What the next turn begins with after one that took so long and had a move."""
    if clock.kind == "fischer":
        return TimeLeft((left.main - used if left.main > used else 0) + clock.step)
    rest = _broken_off(clock, left, used)
    match clock.kind:
        case "canadian" if rest.count == 1:
            return TimeLeft(clock.step, clock.count)
        case "canadian" if rest.count > 1:
            return TimeLeft(rest.main, rest.count - 1)
    return rest
