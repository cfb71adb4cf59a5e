"""Isaac is the same for both colours, so a position has a twin."""

from __future__ import annotations

from msgspec import structs

from parlour.games.isaac.bars import BARS, listed
from parlour.games.isaac.rules import State

BY_ENDS = {(bar.low, bar.high): bar for bar in BARS.values()}


def swapped(state: State) -> State:
    """The position as the other colour sees it: the board turned by 180 degrees, the colours swapped."""
    dark, light = (sum(BY_ENDS[99 - bar.high, 99 - bar.low].bit for bar in listed(bars)) for bars in state.bars)
    bars = listed(dark | light)
    return structs.replace(
        state,
        bars=(light, dark),
        occupied=sum(bar.cells for bar in bars),
        tally=sum(bar.touched for bar in bars),
        hands=state.hands[::-1],
        scores=state.scores[::-1],
        longest=state.longest[::-1],
        out=state.out[::-1],
        turn=1 - (state.turn or 0),
    )
