"""Clocks between two messages: what is left by now, and how long one should think. Times are milliseconds.

These are for showing and planning only. Whether time is over, the server says.
"""

from __future__ import annotations

from parlour.protocol.tables import Clock, TimeLeft

# A game is expected to last so many more turns, whenever one asks.
TURNS_TO_COME = 30
# What a move may take of a clock that gives whole turns: the rest is for the way to the server.
SHARE_OF_A_TURN = 0.7
MARGIN = 500


def after(clock: Clock, left: TimeLeft, elapsed: int) -> TimeLeft:
    """What is left of a clock that was `left`, so much later in the same turn."""
    if clock.kind == "delay":
        elapsed = max(0, elapsed - clock.step)
    main, count = left.main - elapsed, left.count
    if clock.kind == "byoyomi":
        while main <= 0 and count > 0:
            main, count = main + clock.step, count - 1
    elif clock.kind == "canadian" and main <= 0 and count == 0:
        main, count = main + clock.step, clock.count
    return TimeLeft(max(0, main), count)


def at_most(clock: Clock, left: TimeLeft) -> int:
    """How long a turn that begins now can last before the flag falls."""
    match clock.kind:
        case "delay":
            return left.main + clock.step
        case "byoyomi":
            return left.main + left.count * clock.step
        case "canadian" if left.count == 0:
            return left.main + clock.step
        case _:
            return left.main


def advisable(clock: Clock, left: TimeLeft | None) -> int | None:
    """How long to think about a turn that begins now, if the game is to be finished in time; None: as you like."""
    if left is None or clock.kind == "none":
        return None
    match clock.kind:
        case "move" | "days":
            wanted = left.main * SHARE_OF_A_TURN
        case "byoyomi":
            in_overtime = left.count < clock.count
            wanted = left.main * SHARE_OF_A_TURN if in_overtime else left.main / TURNS_TO_COME + clock.step / 2
        case "canadian":
            wanted = left.main / (left.count + 1) if left.count else left.main / TURNS_TO_COME
        case _:
            wanted = left.main / TURNS_TO_COME + clock.step * SHARE_OF_A_TURN
    return max(1, int(min(wanted, (at_most(clock, left) - MARGIN) * SHARE_OF_A_TURN)))
