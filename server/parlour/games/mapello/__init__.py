"""Mapello: Othello on a map, with walls, bonuses and jokers."""

from __future__ import annotations

from typing import ClassVar

from parlour.games.api import GameInfo
from parlour.games.mapello import layout, rules, view
from parlour.games.mapello.editor import MapelloEditor
from parlour.games.mapello.insight import MapelloInsight
from parlour.games.mapello.notation import Notation
from parlour.games.mapello.view import View
from parlour.games.mapello.words import Words
from parlour.games.options import OptionSpec


class Mapello(Notation, View, Words):
    info: ClassVar[GameInfo] = GameInfo(
        key="mapello",
        name="Mapello",
        summary="Othello on a map: walls stop you, stars give points, jokers on the rim help both sides.",
        seats=view.SEATS,
        options=(
            OptionSpec(
                "board",
                "Board",
                "layout",
                layout.DEFAULT,
                "Where walls, jokers and bonuses are: the usual map, a random one, or ten rows of your own.",
                layout.CHOICES,
                layout=layout.LAYOUT,
            ),
            # The largest whole number that JavaScript represents exactly.
            OptionSpec("seed", "Seed", "number", 0, "The number of the random board.", low=0, high=2**53 - 1),
        ),
        # Every turn fills one of the 64 cells inside the rim, four of which are filled at the start.
        max_plies=60,
        rules_version=1,
        reasons={
            rules.SCORE: "more points",
            rules.EQUAL: "equal points",
        },
        loser_reasons={rules.SCORE: "fewer points"},
    )
    insight = MapelloInsight()
    editor = MapelloEditor()


GAME = Mapello()
