"""How to play Isaac well: one judgement for placing bars, another for lifting them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from parlour.games.api import Move
from parlour.games.insight import Insight
from parlour.games.isaac import lifting, placing
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
        return lifting.value(state) if state.scoring else placing.value(state)

    def candidates(self, state: State) -> Sequence[Move]:
        return lifting.candidates(state, _LIFTS) if state.scoring else placing.candidates(state, _PLACEMENTS)
