"""What pictures are drawn with."""

from __future__ import annotations

import inspect

import pytest

from parlour.server.pages.brush import Brush
from parlour.server.pages.pillow_brush import PillowBrush
from parlour.server.pages.svg_brush import SvgBrush


@pytest.mark.parametrize("kind", [PillowBrush, SvgBrush])
def test_every_brush_draws_the_same_shapes(kind: type) -> None:
    """With the same arguments, so a board looks the same in each format."""
    for name in ("circle", "box", "polygon", "line", "text"):
        assert inspect.signature(getattr(kind, name)) == inspect.signature(getattr(Brush, name)), name
