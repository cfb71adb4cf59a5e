"""Pictures of links."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from parlour import games
from parlour.games.sample import sample
from parlour.server.pages.link_image import HEIGHT, WIDTH, LinkPicture, is_drawable, render, wrap
from parlour.server.pages.pillow_brush import font_of


@pytest.mark.parametrize("key", games.keys())
def test_a_picture_is_a_small_png(key: str) -> None:
    """It has the size that services expect, and at most 100 kB."""
    file = render(LinkPicture(*sample(games.find(key)), "fern invites you", "A game for two.", "10 min"))

    assert Image.open(BytesIO(file)).size == (WIDTH, HEIGHT)
    assert len(file) < 100_000


def test_long_texts_end_with_an_ellipsis() -> None:
    """Every line fits, whatever the words are."""
    for text in ("word " * 100, "W" * 300, "short"):
        lines = wrap(text, 56, 500, 3)
        assert len(lines) <= 3
        assert all(font_of(56).getlength(line) <= 500 for line in lines)
        assert lines[-1].endswith("…") == (text != "short")
    assert wrap("", 56, 500, 3) == []


def test_only_letters_of_the_font_are_drawable() -> None:
    """A name in another alphabet is left out of the picture rather than drawn as boxes."""
    assert is_drawable("Hardy Octopus 1")
    assert not is_drawable("Ærø")
