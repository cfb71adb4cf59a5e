"""Isaac: lay bars across the board, then lift them for points on the same squares."""

from __future__ import annotations

from typing import ClassVar

from parlour.games.api import GameInfo
from parlour.games.isaac import rules, view
from parlour.games.isaac.editor import IsaacEditor
from parlour.games.isaac.insight import IsaacInsight
from parlour.games.isaac.notation import Notation
from parlour.games.isaac.tree import Tree
from parlour.games.isaac.words import Words


class Isaac(Notation, Tree, Words):
    info: ClassVar[GameInfo] = GameInfo(
        key="isaac",
        name="Isaac",
        summary="Lay bars across the board, then lift them for points; the scores walk over the same squares.",
        seats=view.SEATS,
        options=(),
        # Each of the 30 bars is placed at most once and lifted at most once.
        max_plies=2 * 30,
        rules_version=1,
        reasons={
            rules.HUNDRED: "100 points reached",
            rules.POINTS: "more points",
            rules.LONGER_LINE: "equal points, but the longer line of kept bars",
            rules.DARK_TIE: "equal in everything, which goes to Dark",
        },
        loser_reasons={
            rules.HUNDRED: "the opponent reached 100 points",
            rules.POINTS: "fewer points",
            rules.LONGER_LINE: "equal points, but the shorter line of kept bars",
        },
    )
    insight = IsaacInsight()
    editor = IsaacEditor()


GAME = Isaac()
