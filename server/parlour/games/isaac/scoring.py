"""Isaac's second phase: which bars may be lifted, what they give, and how far the counter may walk."""

from __future__ import annotations

from collections.abc import Iterator

from parlour.games.api import Move, Seat
from parlour.games.isaac.bars import AT_LEAST, BARS, CELLS, CLEAR_OF, LENGTHS, SIZE, VALUES, Bar, listed

# What one removal can give at most. Every other bar on the line has a cell of it to itself, so there are at most as many
# as the lifted bar leaves free, and both counters may stand there: 28, 48, 60, 64, and 72 for a bar of 7.
MOST = max(VALUES[length] * (SIZE - length) * 4 for length in LENGTHS)

GOAL = 100

# The places of the numbers of squares to walk: +0 comes first, after the cells and the two hands.
WALK = CELLS + 2 * len(LENGTHS)

_WALKS = tuple(tuple((low, WALK + squares) for squares in range(MOST + 1)) for low in range(CELLS))

Scores = tuple[int, int]  # Dark's, Light's


def track(seat: Seat, score: int) -> int | None:
    """The cell on which a counter with that score stands; None from 100 on, when it has left the board."""
    if score >= GOAL:
        return None
    return score if seat else CELLS - 1 - score


def counters(scores: Scores) -> int:
    """The cells of both counters, while both are on the board."""
    dark, light = scores
    return 1 << CELLS - 1 - dark | 1 << light


def removable(bars: int, longest: int, scores: Scores) -> int:
    """Those of a player's bars that he may lift: none shorter than before, none under a counter."""
    dark, light = scores
    return bars & AT_LEAST[longest] & CLEAR_OF[CELLS - 1 - dark] & CLEAR_OF[light]


def points(bar: Bar, tally: int, scores: Scores) -> int:
    """What lifting the bar gives. The tally still counts the bar itself."""
    others = (tally >> bar.shift & 15) - 1
    return bar.value * others << (bar.line & counters(scores)).bit_count()


def _yields(bars: int, tally: int, scores: Scores) -> Iterator[tuple[Bar, int]]:
    """The bars with the points each gives: `points` for all of them at once."""
    here = counters(scores)
    while bars:
        lowest = bars & -bars
        bar = BARS[lowest.bit_length() - 1]
        yield bar, bar.value * ((tally >> bar.shift & 15) - 1) << (bar.line & here).bit_count()
        bars ^= lowest


def moves(bars: int, tally: int, scores: Scores) -> list[Move]:
    """Every removal of these bars: the low end of the bar, the number of squares."""
    # The one walk that would end on the other counter; the counters never meet, so it is never 0.
    meeting = CELLS - 1 - sum(scores)
    found: list[Move] = []
    for bar, most in _yields(bars, tally, scores):
        walks = _WALKS[bar.low]
        if 0 < meeting <= most:
            found += walks[:meeting]
            found += walks[meeting + 1 : most + 1]
        else:
            found += walks[: most + 1]
    return found


def count(bars: int, tally: int, scores: Scores) -> int:
    """How many removals there are, without listing them."""
    meeting = CELLS - 1 - sum(scores)
    if meeting <= 0:
        return sum([most + 1 for _, most in _yields(bars, tally, scores)])
    return sum([most + (most < meeting) for _, most in _yields(bars, tally, scores)])


def lifted(bars: int, low: int) -> Bar:
    """The bar of the set whose low end is there: no two bars share a cell."""
    return BARS[10 * low + (bars >> 10 * low & 0x3FF).bit_length() - 1]
