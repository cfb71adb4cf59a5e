"""Editing a custom layout by its specification, for a game of this server and for one it has never seen."""

from __future__ import annotations

from random import Random

import pytest

from parlour import games
from parlour.protocol.scene import Scene
from parlour.protocol.types import LayoutPiece, LayoutSpec
from parlour.terminal.ui.layout_editor import LayoutEditor

GAME = games.find("mapello")
CENTRE = 44  # e5

# Four columns, three rows, and symbols that no game of this server uses.
CROWN = LayoutPiece("k", "crown", 3, (0, 3, 8, 11), high=2)
HEDGE = LayoutPiece("=", "hedge", 5, (1, 2, 4, 7, 9, 10), high=3)
TOY = LayoutSpec(4, 3, "__~~/_!!_/~~__", (CROWN, HEDGE), fixed=((5, 1), (6, 1)))


@pytest.fixture
def spec() -> LayoutSpec:
    [option] = [option for option in GAME.info.options if option.kind == "layout"]
    assert option.layout is not None
    return option.layout


@pytest.fixture
def editor(spec: LayoutSpec) -> LayoutEditor:
    editor = LayoutEditor(spec)
    editor.load(GAME.scene(GAME.initial(GAME.options({}))))
    return editor


def test_the_text_is_what_the_game_reads(editor: LayoutEditor) -> None:
    """A board that is loaded from its scene has a text from which the game makes the same scene."""
    scene = GAME.scene(GAME.initial(GAME.options({})))

    assert GAME.scene(GAME.initial(GAME.options({"board": editor.text}))) == scene
    assert editor.pieces == scene.pieces


def test_pieces_stay_on_their_cells(editor: LayoutEditor, spec: LayoutSpec) -> None:
    """A piece is only placed where the specification allows it, and fixed cells cannot be erased."""
    wall, bonus, joker = spec.pieces
    editor.clear()

    assert not editor.apply(wall, 0)
    assert not editor.apply(joker, 11)
    assert not editor.apply(None, CENTRE)
    assert editor.apply(joker, 0)
    assert editor.apply(bonus, 11)
    assert [editor.remaining(piece) for piece in spec.pieces] == [8, 7, 7]


def test_placing_twice_removes_and_undo_restores(editor: LayoutEditor, spec: LayoutSpec) -> None:
    """Every change can be undone, in order, until nothing is left to undo."""
    wall = spec.pieces[0]
    editor.clear()
    before = editor.text
    editor.apply(wall, 22)
    editor.apply(wall, 22)
    assert editor.text == before
    assert editor.undo()
    assert editor.remaining(wall) == 7
    assert editor.undo()
    assert editor.undo()
    assert not editor.undo()


def test_symmetry(editor: LayoutEditor, spec: LayoutSpec) -> None:
    """A piece is placed on its image as well."""
    wall, bonus, _ = spec.pieces
    editor.clear()
    editor.symmetry = "turn"
    editor.apply(wall, 22)
    editor.symmetry = "mirror"
    editor.apply(bonus, 31)

    assert [editor.cells[cell] for cell in (22, 77, 31, 38)] == ["#", "#", "*", "*"]


def test_a_random_layout_is_valid(editor: LayoutEditor, spec: LayoutSpec) -> None:
    """It has as many of each piece as allowed, and the game accepts it."""
    for seed in range(20):
        editor.fill_at_random(Random(seed))
        GAME.options({"board": editor.text})
        assert [editor.remaining(piece) for piece in spec.pieces] == [0, 0, 0]


def test_an_unknown_game_is_edited_by_its_specification_alone() -> None:
    """Another size, other symbols, other counts and other fixed cells need no change here."""
    editor = LayoutEditor(TOY)
    assert editor.text == TOY.blank
    assert editor.pieces == TOY.fixed

    assert editor.apply(CROWN, 0)
    assert editor.apply(HEDGE, 4)
    assert not editor.apply(HEDGE, 5)
    assert not editor.apply(None, 6)
    assert editor.text == "__~~/=!!_/k~__"
    assert editor.pieces == ((0, 3), (4, 5), (5, 1), (6, 1))
    assert (editor.remaining(CROWN), editor.remaining(HEDGE)) == (1, 2)

    editor.symmetry = "turn"
    assert editor.apply(None, 0)
    assert editor.apply(HEDGE, 1)
    assert editor.text == "__=~/=!!_/~=__"

    again = LayoutEditor(TOY)
    again.load(Scene(editor.pieces, ((), ()), 0))
    assert again.text == editor.text
    editor.fill_at_random(Random(1))
    assert (editor.remaining(CROWN), editor.remaining(HEDGE)) == (0, 0)


def test_no_more_pieces_than_allowed(editor: LayoutEditor, spec: LayoutSpec) -> None:
    """Counts never go below zero, with a symmetry or without, and the refusal says why."""
    rng = Random(3)
    for symmetry in ("none", "turn", "mirror"):
        editor.symmetry = symmetry
        for _ in range(500):
            tool = rng.choice((*spec.pieces, None))
            cell = rng.randrange(len(editor.cells))
            if not editor.apply(tool, cell):
                assert editor.refusal(tool, cell).endswith(".")
            assert all(editor.remaining(piece) >= 0 for piece in spec.pieces)
    full = LayoutEditor(TOY)
    crowns = [cell for cell in CROWN.cells if full.apply(CROWN, cell)]
    assert len(crowns) == CROWN.high
    assert full.remaining(CROWN) == 0
