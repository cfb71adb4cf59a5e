"""A board that somebody draws."""

from __future__ import annotations

from random import Random

import pytest

from parlour import games
from parlour.client.visit.layout import BONUS, ERASER, JOKER, WALL, Layout

GAME = games.find("mapello")
CENTRE = 44  # e5


@pytest.fixture
def layout() -> Layout:
    options = GAME.options({})
    return Layout(GAME.board(options), GAME.scene(GAME.initial(options)))


def test_the_text_of_a_board_is_what_the_game_reads(layout: Layout) -> None:
    """From the scene of a board to its text and back to the same scene."""
    again = GAME.options({"board": layout.text})

    assert GAME.scene(GAME.initial(again)) == GAME.scene(GAME.initial(GAME.options({})))


def test_tools_fit_where_the_rules_have_them(layout: Layout) -> None:
    """Jokers on the rim, walls and bonuses inside, nothing on the discs in the centre."""
    layout.clear()

    assert not layout.put(WALL, 0)
    assert not layout.put(JOKER, 11)
    assert not layout.put(ERASER, CENTRE)
    assert layout.put(JOKER, 0)
    assert layout.put(BONUS, 11)
    assert (layout.left(JOKER), layout.left(BONUS), layout.left(WALL)) == (7, 7, 8)


def test_the_same_again_takes_it_off_and_undo_brings_it_back(layout: Layout) -> None:
    """Every change can be undone, in order, until nothing is left to undo."""
    layout.clear()
    before = layout.text
    layout.put(WALL, 22)
    layout.put(WALL, 22)
    assert layout.text == before
    assert layout.undo()
    assert layout.left(WALL) == 7
    assert layout.undo()
    assert layout.undo()
    assert not layout.undo()


def test_symmetry(layout: Layout) -> None:
    """What is put on one side is on the other as well."""
    layout.clear()
    layout.symmetry = "turn"
    layout.put(WALL, 22)
    layout.symmetry = "mirror"
    layout.put(BONUS, 31)

    assert [layout.cells[cell] for cell in (22, 77, 31, 38)] == ["#", "#", "*", "*"]


def test_a_scattered_board_can_be_played(layout: Layout) -> None:
    """As many of everything as may be, and the game accepts it."""
    for seed in range(20):
        layout.scatter(Random(seed))
        GAME.options({"board": layout.text})
        assert [layout.left(tool) for tool in (WALL, BONUS, JOKER)] == [0, 0, 0]
