"""Layouts are checked against the specification that clients build their editor from."""

from __future__ import annotations

import pytest

from parlour import games
from parlour.games import layouts
from parlour.games.laws import variants
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import LayoutPiece, LayoutSpec

# Three columns, two rows; K always stands on b1.
SPEC = LayoutSpec(
    columns=3,
    rows=2,
    blank="___/_K_",
    pieces=(
        LayoutPiece("t", "tower", 1, (0, 2, 3, 5), high=2, low=1),
        LayoutPiece("w", "well", 2, (4,), high=1),
    ),
    fixed=((1, 0),),
)


def refused(text: str) -> str:
    with pytest.raises(Refusal) as caught:
        layouts.checked(SPEC, text)
    assert caught.value.code == ErrorCode.LAYOUT_INVALID
    return caught.value.sentence


@pytest.mark.parametrize("text", ["t__/_K_", "twt/_K_", "___/tKt"])
def test_a_layout_within_the_specification_is_accepted(text: str) -> None:
    """Pieces on their own cells, within their limits, on top of the blank board."""
    assert layouts.checked(SPEC, text) == text
    assert layouts.checked(SPEC, text.replace("/", "\n")) == text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("t__", "The board has 2 rows, not 1."),
        ("t__/_K_/___", "The board has 2 rows, not 3."),
        ("t__/_K", "Row 1 should have 3 cells, not 2."),
        ("t___/_K_", "Row 2 should have 3 cells, not 4."),
        ("t_T/_K_", "Row 2 has “T”; cells are written t w K _."),
        ("t_\x07/_K_", "Row 2 has the character U+0007; cells are written t w K _."),
        ("tt_/_K_", "Row 2 has “t” on b2; only _ or w can be there."),
        ("t__/_t_", "Row 1 has “t” on b1; only K can be there."),
        ("t__/__K", "Row 1 has “_” on b1; only K can be there."),
        ("t_t/_Kt", "Row 1 has “t” on c1, which is one tower too many; the limit is 2."),
        ("___/_K_", "The layout needs at least 1 of “t” (tower)."),
    ],
)
def test_a_refusal_names_the_row_and_the_fault(text: str, sentence: str) -> None:
    """Rows are numbered as players count them, from the bottom."""
    assert refused(text) == sentence


@pytest.mark.parametrize("key", games.keys())
def test_the_specification_of_a_game_fits_its_board(key: str) -> None:
    """An editor can rely on it: sizes agree, glyphs exist, and the choices can be drawn with the pieces."""
    game = games.find(key)
    for option in game.info.options:
        assert (option.layout is not None) == (option.kind == "layout")
        if option.layout is not None:
            spec, board = option.layout, game.board(game.options({}))
            assert (spec.columns, spec.rows) == (board.columns, board.rows)
            assert [len(row) for row in spec.blank.split("/")] == [spec.columns] * spec.rows
            placeable = {(cell, piece.glyph) for piece in spec.pieces for cell in piece.cells}
            for variant in variants(game):
                stacks = game.scene(game.initial(game.options(variant))).pieces
                assert set(stacks) <= placeable | set(spec.fixed)
                assert set(spec.fixed) <= set(stacks)
