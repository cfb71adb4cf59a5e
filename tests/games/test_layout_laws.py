"""Every board that players can design can be played."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from parlour import games
from parlour.games import layouts
from parlour.games.api import Outcome
from parlour.games.laws import LawBroken
from parlour.games.layout_laws import check_layouts, drawn_layout
from parlour.games.mapello import Mapello
from parlour.games.mapello.layout import LAYOUT
from parlour.games.mapello.rules import State


@pytest.mark.parametrize("key", games.keys())
def test_every_layout_that_is_accepted_can_be_played(key: str) -> None:
    """Boards at the limits of the specification, crowded around one cell, are refused or start with a legal move."""
    game = games.find(key)
    accepted = check_layouts(game, Random(3), count=200)

    assert (accepted > 50) == any(spec.layout for spec in game.info.options)


def test_drawn_layouts_keep_to_the_specification() -> None:
    """Nothing is misplaced, and nothing occurs too often."""
    for seed in range(50):
        text = drawn_layout(LAYOUT, Random(seed))
        assert layouts.checked(LAYOUT, text) == text


def test_a_layout_without_a_legal_move_breaks_the_law() -> None:
    """The message has the layout."""

    class Careless(Mapello):
        def initial(self, options: Any) -> Any:
            return State(0, 0, 0, 0, 0, (0, 0), None, Outcome(None, "equal", (0, 0)))

        def options(self, given: Any) -> Any:
            return {"seed": 0, **given}

    with pytest.raises(LawBroken, match="a layout starts with a legal move"):
        check_layouts(Careless(), Random(1), count=5)
