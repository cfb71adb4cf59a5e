"""The time left on a running clock. Pure; all times are in milliseconds.

`client/web/sdk/clock.ts` is the same in TypeScript, and `protocol/vectors/clocks.json` proves that both agree.

A `TimeLeft` describes a seat's clock when its turn begins:

- `move`, `days`, `fischer`, `bronstein`: the flag falls after `main`; `count` is 0.
- `delay`: the same, but `main` starts to run `clock.step` after the turn began.
- `byoyomi`: `count` whole periods follow `main`, so the flag falls after `main + count * clock.step`. While
  `count == clock.count`, `main` is main time: "3:10 + 3 x 30 s". Below that, `main` is what is left of the current
  period, one of `count + 1`: (30 s, 1) is "2 x 30 s". With `count` 0 it is the last period.
- `canadian`: while `count` is 0, `main` is main time, and a period of `clock.step` follows it. Otherwise `main` is what
  is left of the current period and `count` the number of moves still to make in it: (190 s, 7) is "7 moves in 3:10".

With 0 ms left a period is lost, or the flag has fallen.
"""

from __future__ import annotations

from parlour.protocol.types import Clock, TimeLeft


def time_left(clock: Clock, left: TimeLeft, elapsed: int) -> TimeLeft:
    """Return what is left of a clock that showed `left` when the turn began, `elapsed` later in the same turn.

    `main` is 0 exactly when the flag has fallen.
    """
    overrun = elapsed - left.main
    match clock.kind:
        case "none":
            return left
        case "delay":
            return TimeLeft(max(0, left.main - max(0, elapsed - clock.step)))
        case "byoyomi" if overrun >= 0:
            begun = overrun // clock.step + 1  # the period that runs at this moment is no longer whole
            if begun > left.count:
                return TimeLeft(0)
            return TimeLeft(clock.step - overrun % clock.step, left.count - begun)
        case "canadian" if overrun >= 0 and left.count == 0:
            return TimeLeft(max(0, clock.step - overrun), clock.count)
    return TimeLeft(max(0, -overrun), left.count)


def turn_limit(clock: Clock, left: TimeLeft) -> int:
    """Return how long the turn can last before the flag falls. There is none without a clock."""
    match clock.kind:
        case "delay":
            return left.main + clock.step
        case "byoyomi":
            return left.main + left.count * clock.step
        case "canadian" if left.count == 0:
            return left.main + clock.step
    return left.main
