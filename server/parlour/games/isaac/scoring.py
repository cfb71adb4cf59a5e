"""Isaac's second phase: which bars may be lifted, what they score, and how far the counter may walk."""

from __future__ import annotations

from parlour.games.api import Move, Seat
from parlour.games.isaac.bars import AT_LEAST, BARS, CELLS, CLEAR_OF, LENGTHS, SIZE, STANDING, VALUES, Bar

GOAL = 100

# The most that one removal can score. Every other bar on the line has a cell of the line to itself, so there are at
# most as many as the lifted bar leaves free, and both counters may stand on the line: 28, 48, 60 and 64 points for bars
# of 3 to 6, and 72 for the bar of 7.
MOST = max(VALUES[length] * (SIZE - length) * 4 for length in LENGTHS)

# The place of the slot +0; the slots of the other numbers of squares follow it.
WALK = CELLS + 2 * len(LENGTHS)

# By the low end of the bar and the points for it: every possible walk.
_WALKS = tuple(
    tuple(walks[: points + 1] for points in range(MOST + 1))
    for low in range(CELLS)
    for walks in [tuple((low, WALK + squares) for squares in range(MOST + 1))]
)

# By the bars on a line and, times 16, the counters on it: how often the value of one of these bars counts.
_TIMES = tuple(max(0, found % 16 - 1) << found // 16 for found in range(3 * 16))

Scores = tuple[int, int]  # Dark's, Light's


def track(seat: Seat, score: int) -> int | None:
    """Return the cell of a counter with that score; None from 100 on, when it has left the board."""
    if score >= GOAL:
        return None
    return score if seat else CELLS - 1 - score


def counters(scores: Scores) -> int:
    """Return the cells of both counters, while both are on the board."""
    dark, light = scores
    return 1 << CELLS - 1 - dark | 1 << light


def removable(bars: int, longest: int, scores: Scores) -> int:
    """Return which of a side's bars it may lift: none shorter than one lifted before, none under a counter."""
    dark, light = scores
    return bars & AT_LEAST[longest] & CLEAR_OF[CELLS - 1 - dark] & CLEAR_OF[light]


def gains(bars: int, tally: int, scores: Scores) -> list[tuple[Bar, int]]:
    """Return the bars of a set, each with the points for lifting it, by falling low ends."""
    dark, light = scores
    tally += STANDING[CELLS - 1 - dark] + STANDING[light]
    found: list[tuple[Bar, int]] = []
    while bars:
        bar = BARS[bars.bit_length() - 1]
        found.append((bar, bar.value * _TIMES[tally >> bar.shift & 63]))
        bars ^= bar.bit
    return found


def moves(bars: int, tally: int, scores: Scores) -> list[Move]:
    """Return every removal of these bars: the low end of the bar, the slot of the number of squares."""
    meeting = _meeting(scores)
    found: list[Move] = []
    for bar, points in gains(bars, tally, scores):
        walks = _WALKS[bar.low][points]
        if 0 < meeting <= points:
            found += walks[:meeting]
            found += walks[meeting + 1 :]
        else:
            found += walks
    return found


def count(bars: int, tally: int, scores: Scores) -> int:
    """Return the number of removals, without listing them."""
    meeting = _meeting(scores)
    found = 0
    for _, points in gains(bars, tally, scores):
        found += points if 0 < meeting <= points else points + 1
    return found


def _meeting(scores: Scores) -> int:
    """Return how many squares lead onto the other counter: never 0, and below 0 once the counters have passed."""
    dark, light = scores
    return CELLS - 1 - dark - light


def lifted(bars: int, low: int) -> Bar:
    """Return the bar of the set that has its low end there; it is the only one, as no two bars share a cell."""
    return BARS[10 * low + (bars >> 10 * low & 0x3FF).bit_length() - 1]
