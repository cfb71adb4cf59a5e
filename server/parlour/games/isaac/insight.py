"""How to play Isaac well: `placement_insight` judges the first phase, `scoring_insight` the second."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from parlour.games.api import Move
from parlour.games.insight import Insight
from parlour.games.isaac import placement_insight, scoring_insight
from parlour.games.isaac.rules import State
from parlour.games.isaac.styles import STYLES

# How many moves of a position are searched.
_PLACEMENTS = 16
_LIFTS = 24


class IsaacInsight(Insight[State]):
    styles: ClassVar = STYLES
    scale: ClassVar[int] = 100
    nodes: ClassVar[int] = 25_000

    def value(self, state: State) -> int:
        return scoring_insight.value(state) if state.scoring else placement_insight.value(state)

    def candidates(self, state: State) -> Sequence[Move]:
        return (
            scoring_insight.candidates(state, _LIFTS)
            if state.scoring
            else placement_insight.candidates(state, _PLACEMENTS)
        )
