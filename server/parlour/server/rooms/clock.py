"""Game clocks as pure values: what a turn costs and when a flag falls. All times are int milliseconds.

`parlour.protocol.clock` has the arithmetic of a clock that runs, which clients share. Time that a kind of clock returns
or restores is added when a turn ends: what `press` leaves is what the seat's next turn begins with.
"""

from __future__ import annotations

from msgspec import Struct

from parlour.protocol.clock import time_left, turn_limit
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import Clock, TimeLeft

# The network delay per move that is not charged, at most. More would let a player gain time by answering pings late.
# `lag_cap` lowers it for fast clocks.
LAG_CAP = 500
LOWEST_LAG_CAP = 100
LAG_SHARE = 10  # of a turn's time, one part in ten
TURNS = 40  # of each player in a game, for that

_SECOND = 1_000
_HOUR = 3_600 * _SECOND
_DAY = 24 * _HOUR

_NONE = range(1)
_MAIN = range(_SECOND, _DAY + 1)
_DAYS = range(_DAY, 14 * _DAY + 1)
_STEP = range(_SECOND, _HOUR + 1)
_COUNT = range(1, 100)

# The allowed values of main, step and count.
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
    """The clocks of both seats."""

    left: tuple[TimeLeft, TimeLeft]  # the running seat's as of `since`
    running: int | None = None  # the seat whose clock runs
    since: int = 0  # when that turn began; 0 if no clock runs


def lag_cap(clock: Clock) -> int:
    """Return how much of the network delay of a move is not charged, at most, in a new game with this clock.

    It is a share of the time that a turn has on average, so that answering pings late gains little in a fast game.
    """
    match clock.kind:
        case "none":
            return LAG_CAP
        case "move" | "days":
            turn = clock.main
        case "canadian":
            turn = clock.main // TURNS + clock.step // clock.count
        case _:
            turn = clock.main // TURNS + clock.step
    return min(max(turn // LAG_SHARE, LOWEST_LAG_CAP), LAG_CAP)


# -- checking a clock


def check(clock: Clock) -> None:
    """Raise Refusal for a clock that cannot be used: a time is missing, out of range, or meaningless for its kind."""
    if clock.kind not in _ALLOWED:
        raise Refusal(ErrorCode.CLOCK_INVALID, f"There is no such kind of clock. Choose one of {', '.join(_ALLOWED)}.")
    main, step, count = _ALLOWED[clock.kind]
    _check_field(clock, "main", clock.main, main, _may_omit_main(clock))
    _check_field(clock, "step", clock.step, step, clock.kind == "fischer")
    _check_field(clock, "count", clock.count, count, False)


def _may_omit_main(clock: Clock) -> bool:
    return clock.kind in ("byoyomi", "canadian") or (clock.kind == "fischer" and clock.step > 0)


def _check_field(clock: Clock, field: str, value: int, allowed: range, or_zero: bool) -> None:
    if value in allowed or (or_zero and value == 0):
        return
    if allowed is _NONE:
        raise Refusal(ErrorCode.CLOCK_INVALID, f"A clock of kind “{clock.kind}” has no {field}. Set it to 0.")
    write = str if field == "count" else _duration
    span = f"from {write(allowed[0])} to {write(allowed[-1])}"
    zero = "0 or " if or_zero else ""
    raise Refusal(ErrorCode.CLOCK_INVALID, f"The {field} of this {clock.kind} clock must be {zero}{span}.")


def _duration(time: int) -> str:
    words = {_SECOND: "1 second", _HOUR: "1 hour", _DAY: "1 day"}.get(time, f"{time // _DAY} days")
    return f"{time} ms ({words})"


# -- turns


def fresh(clock: Clock) -> Times:
    """Return the clocks before the first move, when neither runs.

    Without main time, a Fischer clock starts with one step, and the overtime kinds start in overtime.
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
    """Start a seat's turn. Without a time limit no clock ever runs.

    A turn that was running is dropped without a charge; `stop` charges it.
    """
    return times if clock.kind == "none" else Times(times.left, seat, now)


def press(clock: Clock, times: Times, now: int, lag: int = 0, then: int | None = None) -> Times:
    """Charge the running seat's turn after its move, and start the turn of `then`, if given.

    `lag` is the part of the turn that the network took. It is not charged, up to LAG_CAP. Whether the move was in time
    is decided by `flagged`; a late move is charged no more than was left. If no clock runs, moves are free.
    """
    seat = times.running
    if seat is None:
        return times
    # As `_uncharged`, without a call: every move comes through here.
    used = now - times.since - (0 if lag <= 0 else lag if lag < LAG_CAP else LAG_CAP)
    first, second = times.left
    left = _charge_moved(clock, second if seat else first, used if used > 0 else 0)
    return Times((first, left) if seat else (left, second), then, 0 if then is None else now)


def can_berserk(clock: Clock) -> bool:
    """Return whether a player of this clock can halve it: it has a main time, which is what is halved."""
    return clock.kind in ("fischer", "bronstein", "delay", "byoyomi", "canadian") and clock.main > 0


def halved(left: TimeLeft) -> TimeLeft:
    """Return what is left of a main time after it is halved."""
    return TimeLeft(left.main // 2, left.count)


def stop(clock: Clock, times: Times, now: int) -> Times:
    """Charge a turn that ends without a move, as when a move is taken back."""
    seat = times.running
    if seat is None:
        return times
    first, second = times.left
    left = _charge_interrupted(clock, times.left[seat], max(0, now - times.since))
    return Times((first, left) if seat else (left, second))


def excuse(times: Times, duration: int) -> Times:
    """Do not charge a part of the current turn, in which the player could not be served.

    `duration` must lie within the turn: nothing was charged before it.
    """
    return times if times.running is None else Times(times.left, times.running, times.since + duration)


# -- reading a clock


def flagged(clock: Clock, times: Times, now: int, lag: int = 0) -> bool:
    """Return whether the running seat is out of time if it moves now and the network took `lag` of its turn.

    Without a move, pass LAG_CAP: one that is still in transit may be in time.
    """
    moment = deadline(clock, times)
    return moment is not None and now - _uncharged(lag) >= moment


def deadline(clock: Clock, times: Times) -> int | None:
    """Return when the running seat is out of time, disregarding lag; None for never."""
    if times.running is None:
        return None
    return times.since + turn_limit(clock, times.left[times.running])


def left_at(clock: Clock, times: Times, seat: int, now: int) -> TimeLeft:
    """Return the time left to a seat now. The running seat's `main` is 0 exactly when it is out of time."""
    left = times.left[seat]
    return time_left(clock, left, max(0, now - times.since)) if seat == times.running else left


def _uncharged(lag: int) -> int:
    return min(max(lag, 0), LAG_CAP)


def _charge_interrupted(clock: Clock, left: TimeLeft, used: int) -> TimeLeft:
    """Return what the next turn starts with, after one of `used` milliseconds that had no move."""
    rest = time_left(clock, left, used)
    match clock.kind:
        case "move" | "days":
            return TimeLeft(clock.main)
        case "bronstein":
            return TimeLeft(rest.main + min(clock.step, used))
        case "byoyomi" if rest.count < clock.count:
            return TimeLeft(clock.step, rest.count)
    return rest


def _charge_moved(clock: Clock, left: TimeLeft, used: int) -> TimeLeft:
    """Return what the next turn starts with, after one of `used` milliseconds that ended with a move."""
    if clock.kind == "fischer":
        return TimeLeft((left.main - used if left.main > used else 0) + clock.step)
    rest = _charge_interrupted(clock, left, used)
    match clock.kind:
        case "canadian" if rest.count == 1:
            return TimeLeft(clock.step, clock.count)
        case "canadian" if rest.count > 1:
            return TimeLeft(rest.main, rest.count - 1)
    return rest
