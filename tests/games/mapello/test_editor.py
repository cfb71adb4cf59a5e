"""Setting up positions of Mapello by hand."""

from __future__ import annotations

from parlour.games.mapello import GAME
from parlour.games.mapello.editor import MapelloEditor

EDITOR = MapelloEditor()
OPTIONS = GAME.options({})
BLACK, WHITE, WALL, JOKER, _, EMPTY = range(6)


def test_what_is_taken_from_the_rim_leaves_the_rim() -> None:
    """The rim is not drawn as walls, and is whole again without its joker."""
    draft = EDITOR.clear(OPTIONS)
    joker = EDITOR.put(draft, JOKER, (40,))
    assert EDITOR.scene(joker).pieces == ((40, JOKER),)
    assert EDITOR.put(joker, EMPTY, (40,)) == draft
    wall = EDITOR.put(draft, WALL, (11,))
    assert EDITOR.scene(wall).pieces == ((11, WALL),)
    assert EDITOR.put(wall, EMPTY, (11,)) == draft


def test_bonus_points_count() -> None:
    """The score is that of the discs and the points together, which are given in steps of a bonus."""
    draft = EDITOR.clear(OPTIONS)
    for number, value in ((BLACK, 6), (WHITE, 3)):
        draft = EDITOR.with_number(EDITOR.put(draft, number, (44 + number,)), number, value)
    assert EDITOR.scene(draft).tallies == ((7, 1, 6), (4, 1, 3))
    assert [(each.title, each.value, each.step) for each in EDITOR.numbers(draft)] == [
        ("Black’s bonus points", 6, 3), ("White’s bonus points", 3, 3),
    ]  # fmt: skip
