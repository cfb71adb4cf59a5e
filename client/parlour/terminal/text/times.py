"""Times as text, and the pace of a game (its time control) as players write it. Times are in milliseconds."""

from __future__ import annotations

import re
from collections.abc import Callable

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.pace import format_duration
from parlour.protocol.types import Clock, TimeLeft
from parlour.terminal.text.plural import plural

SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000

# The usual ones, in the order of the menu.
PACES = ("5+3", "10+5", "15+10", "3 days", "none")

PACE_FORMS = """\
none          no clock
10+5          ten minutes, plus five seconds after each move
30 a move     thirty seconds for each move
3 days        three days for each move
10+3x30       ten minutes, then three periods of thirty seconds (byoyomi)
10+15/300     ten minutes, then fifteen moves every three hundred seconds (Canadian)
5 delay 3     five minutes, which start running three seconds into each turn
5 back 3      five minutes; up to three seconds of each turn are given back (Bronstein)"""

_FORMS: tuple[tuple[re.Pattern[str], Callable[..., Clock]], ...] = (
    (re.compile(r"(?:none|no clock)"), Clock),
    (re.compile(r"(\d+) ?\+ ?(\d+)"), lambda main, step: Clock("fischer", main * MINUTE, step * SECOND)),
    (re.compile(r"(\d+) a move"), lambda main: Clock("move", main * SECOND)),
    (re.compile(r"(\d+) days?"), lambda main: Clock("days", main * DAY)),
    (
        re.compile(r"(\d+) ?\+ ?(\d+) ?x ?(\d+)"),
        lambda main, count, step: Clock("byoyomi", main * MINUTE, step * SECOND, count),
    ),
    (
        re.compile(r"(\d+) ?\+ ?(\d+) ?/ ?(\d+)"),
        lambda main, count, step: Clock("canadian", main * MINUTE, step * SECOND, count),
    ),
    (re.compile(r"(\d+) delay (\d+)"), lambda main, step: Clock("delay", main * MINUTE, step * SECOND)),
    (re.compile(r"(\d+) back (\d+)"), lambda main, step: Clock("bronstein", main * MINUTE, step * SECOND)),
)


def parse_pace(text: str) -> Clock:
    """Return the clock that a player typed, in one of the `PACE_FORMS`."""
    words = " ".join(text.lower().split())
    for form, make in _FORMS:
        if found := form.fullmatch(words):
            numbers = [int(number[:9]) for number in found.groups()]
            return make(*numbers)
    sentence = (
        f"“{text}” is not a pace. Write none, 10+5, 30 a move, 3 days, 10+3x30, 10+15/300, 5 delay 3 or 5 back 3."
    )
    raise Refusal(ErrorCode.CLOCK_INVALID, sentence)


def format_time(ms: int) -> str:
    """Return the time on a clock: `6:12`, `1:02:30`, `3 d 4 h`; below ten seconds with tenths: `9.4`."""
    ms = max(0, ms)
    if ms < 10 * SECOND:
        return f"{ms // 100 / 10:.1f}"
    if ms >= DAY:
        return f"{ms // DAY} d {ms % DAY // HOUR} h"
    seconds = ms // SECOND
    hours, minutes = seconds // 3600, seconds // 60 % 60
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"


def format_countdown(ms: int) -> str:
    """Return minutes and seconds, without tenths: `0:48`."""
    seconds = max(0, -(-ms // SECOND))
    return f"{seconds // 60}:{seconds % 60:02}"


def format_overtime(clock: Clock, left: TimeLeft) -> str:
    """Return the overtime of a clock: `2 x 30 s`, `7 moves`; empty for most kinds."""
    if clock.kind == "byoyomi":
        return f"{left.count} x {format_duration(clock.step)}" if left.count else "last period"
    if clock.kind == "canadian":
        return plural(left.count, "move") if left.count else f"then {clock.count} in {format_duration(clock.step)}"
    return ""


def is_low(clock: Clock, left: TimeLeft) -> bool:
    """Whether little time is left: under twenty seconds, or a tenth of the main time if that is less."""
    return clock.kind != "none" and left.main < min(20 * SECOND, clock.main // 10) and left.count == 0


def format_age(ms: int) -> str:
    """Return how long ago something was: `now`, `5 min ago`, `3 h ago`, `4 days ago`."""
    for unit, name in ((DAY, "days"), (HOUR, "h"), (MINUTE, "min")):
        if ms >= unit:
            count = ms // unit
            return "1 day ago" if name == "days" and count == 1 else f"{count} {name} ago"
    return "now"
