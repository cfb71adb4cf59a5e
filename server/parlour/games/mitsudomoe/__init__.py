"""Mitsudomoe: rings to step on, balls to vault, and two corners to swap."""

from __future__ import annotations

from typing import ClassVar

from parlour.games.api import GameInfo
from parlour.games.mitsudomoe import rules, view
from parlour.games.mitsudomoe.editor import MitsudomoeEditor
from parlour.games.mitsudomoe.insight import MitsudomoeInsight
from parlour.games.mitsudomoe.notation import Notation
from parlour.games.mitsudomoe.tree import Tree
from parlour.games.mitsudomoe.words import Words
from parlour.games.options import OptionSpec


class Mitsudomoe(Notation, Tree, Words):
    info: ClassVar[GameInfo] = GameInfo(
        key="mitsudomoe",
        name="Mitsudomoe",
        summary="Lay a ring, move a ball, vault over others: three balls in the far corner win.",
        seats=view.SEATS,
        options=(
            OptionSpec(
                "rules",
                "Rules",
                "choice",
                rules.PUBLISHED,
                "The published rules, or those of the original program.",
                (rules.PUBLISHED, rules.ORIGINAL),
            ),
            OptionSpec(
                "passive",
                "Passive rule",
                "switch",
                True,
                "A player who ends a turn with balls on all three own home cells loses (published rules only).",
            ),
        ),
        # Only repetition bounds the length of a game, and there are too many positions for a useful bound. Of 8,000
        # random games none had more than 876 turns or ended by repetition, so this leaves ample room.
        max_plies=10_000,
        rules_version=2,
        compatible_versions=(1,),
        reasons={
            rules.ARRIVED: "all three balls have arrived",
            rules.PASSIVE: "the opponent left all three home cells full",
            rules.NO_MOVE: "the opponent has no legal turn",
            rules.STUCK: "the opponent had no ball to move after a ring",
        },
        loser_reasons={
            rules.ARRIVED: "all three balls of the opponent have arrived",
            rules.PASSIVE: "you left all three of your home cells full",
            rules.NO_MOVE: "you have no legal turn",
            rules.STUCK: "you had no ball to move after your ring",
        },
        repetition=3,
    )
    insight = MitsudomoeInsight()
    editor = MitsudomoeEditor()


GAME = Mitsudomoe()
