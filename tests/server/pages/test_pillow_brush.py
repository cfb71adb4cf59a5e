"""Drawing in units of a board."""

from __future__ import annotations

from PIL import Image

from parlour.server.pages.pillow_brush import PillowBrush, font_of


def test_shapes_are_scaled_and_blended() -> None:
    """A shape is drawn at its scaled place, and a transparent colour lets the ground through."""
    image = Image.new("RGB", (40, 40), "#ffffff")
    brush = PillowBrush(image, 2)
    brush.box((0, 0), (5, 20), "#000000")
    brush.circle((15, 10), 4, (0, 0, 0, 128))

    assert image.getpixel((5, 20)) == (0, 0, 0)
    assert image.getpixel((15, 20)) == (255, 255, 255)
    assert image.getpixel((30, 20)) in ((127, 127, 127), (126, 126, 126))


def test_the_font_needs_no_installed_fonts() -> None:
    """Text has a width that grows with its size."""
    assert 0 < font_of(10).getlength("Parlour") < font_of(20).getlength("Parlour")
