"""Pieces in pictures."""

from __future__ import annotations

import pytest
from PIL import Image

from parlour import games
from parlour.protocol.scene import Glyph
from parlour.server.pages.pieces import SHAPES, draw_piece, rise
from parlour.server.pages.pillow_brush import PillowBrush


def drawn(glyph: Glyph, tone: str) -> bytes:
    image = Image.new("RGB", (100, 100), "#c3cfbf")
    draw_piece(PillowBrush(image), glyph, tone, (50, 50), 80)
    return image.tobytes()


@pytest.mark.parametrize("key", games.keys())
def test_every_piece_of_every_game_has_a_shape(key: str) -> None:
    """No piece of a built-in game falls back to a token, and the two sides differ in more than position."""
    game = games.find(key)
    for glyph in game.board(game.options({})).glyphs:
        assert glyph.shape in SHAPES
        if glyph.seat is not None:
            assert drawn(glyph, "dark") != drawn(glyph, "light")


def test_an_unknown_shape_is_a_token_with_its_first_letter() -> None:
    """A game that brings its own shapes still gets a picture."""
    assert drawn(Glyph("Elephant", "elephant"), "none") != drawn(Glyph("Camel", "camel"), "none")


def test_a_stack_rises() -> None:
    """A piece that lies on others is drawn higher; a counter lies flat."""
    assert rise("ring", 2, 100) > rise("ring", 1, 100)
    assert rise("counter", 3, 100) == 0
