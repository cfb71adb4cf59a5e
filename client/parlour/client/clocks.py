"""How long a program may think about a turn. Times are in milliseconds.

This is for planning only: the server decides when time is over.
"""

from __future__ import annotations

from parlour.protocol.clock import turn_limit
from parlour.protocol.types import Clock, TimeLeft

EXPECTED_TURNS = 30  # how many more turns a game is expected to last, at any point
SHARE_OF_A_TURN = 0.7  # of a clock that grants time for each turn; the rest covers the network
MARGIN = 500


def thinking_time(clock: Clock, left: TimeLeft | None) -> int | None:
    """Return how long to think about a turn that begins now so that time suffices for the game; None: no limit."""
    if left is None or clock.kind == "none":
        return None
    match clock.kind:
        case "move" | "days":
            wanted = left.main * SHARE_OF_A_TURN
        case "byoyomi":
            in_overtime = left.count < clock.count
            wanted = left.main * SHARE_OF_A_TURN if in_overtime else left.main / EXPECTED_TURNS + clock.step / 2
        case "canadian":
            wanted = left.main / (left.count + 1) if left.count else left.main / EXPECTED_TURNS
        case _:
            wanted = left.main / EXPECTED_TURNS + clock.step * SHARE_OF_A_TURN
    return max(1, int(min(wanted, (turn_limit(clock, left) - MARGIN) * SHARE_OF_A_TURN)))
