"""Replica: a race and a hunt on a chessboard with men that can be crowned."""

from __future__ import annotations

from typing import ClassVar

from parlour.games.api import GameInfo
from parlour.games.options import OptionSpec
from parlour.games.replica import rules, view
from parlour.games.replica.editor import ReplicaEditor
from parlour.games.replica.insight import ReplicaInsight
from parlour.games.replica.notation import Notation
from parlour.games.replica.view import View
from parlour.games.replica.words import Words


class Replica(Notation, View, Words):
    info: ClassVar[GameInfo] = GameInfo(
        key="replica",
        name="Replica",
        summary="Race a king to the far corner, or catch one of theirs; any man a king can see may be crowned.",
        seats=view.SEATS,
        options=(
            OptionSpec("size", "Board", "choice", 8, "Cells along a side.", (8, 12, 16)),
            OptionSpec("kings", "Kings", "choice", "unlimited", "How many kings a side may have.", ("unlimited", "2")),
            OptionSpec(
                "sight",
                "Sight",
                "choice",
                "all",
                "Where a king sees the men it may crown.",
                ("all", "forward"),
            ),
            OptionSpec(
                "blocked_by",
                "Sight blocked by",
                "choice",
                "enemies",
                "What a king cannot see past.",
                ("enemies", "any"),
            ),
        ),
        # Every advance brings a piece nearer to its corner, and every man is crowned at most once:
        # 24 pieces with at most 30 advances each on the largest board, and 22 men.
        max_plies=24 * 30 + 22,
        rules_version=2,
        compatible_versions=(1,),
        reasons={
            rules.GOAL: "a king reached the far corner",
            rules.KING_TAKEN: "a king was captured",
            rules.NO_MOVE: "the opponent cannot move",
        },
        loser_reasons={
            rules.GOAL: "a king of the opponent reached the far corner",
            rules.KING_TAKEN: "your king was captured",
            rules.NO_MOVE: "you cannot move",
        },
    )
    insight = ReplicaInsight()
    editor = ReplicaEditor()


GAME = Replica()
