"""Looking at one cell of a drawing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from parlour.protocol.scene import BoardSpec, Glyph, MarkedPlaces, Scene, SeatSpec, Stack
from parlour.protocol.types import Pick
from parlour.terminal.drawing import Style, box_of, draw

SEATS = (SeatSpec("White", "light"), SeatSpec("Black", "dark"))


def _look(
    size: int,
    glyphs: Sequence[Glyph],
    *pieces: Stack,
    cell: int = 0,
    reach: tuple[int, int] = (1, 1),
    marks: tuple[MarkedPlaces, ...] = (),
    picks: Sequence[int | Pick] = (),
    score: int = 0,
    unicode: bool = True,
    flipped: bool = False,
    scale: int = 1,
    pointers: Mapping[int, str] = {},
) -> list[str]:
    """The characters of a cell, and of those to the right of it and above it, on a board of that size."""
    spec = BoardSpec("any", size, size, "felt", SEATS, tuple(glyphs), "{0}")
    scene = Scene(pieces, ((score,), (score,)), 0, marks)
    drawn = draw(spec, scene, style=Style(unicode), picks=picks, flipped=flipped, scale=scale, pointers=pointers)
    lines = [str(line) for line in drawn]
    corner = box_of(spec, cell + (reach[1] - 1) * size, flipped=flipped, scale=scale)
    assert corner is not None
    across, down = reach[0] * corner.width, reach[1] * corner.height
    return [line[corner.x : corner.x + across] for line in lines[corner.y : corner.y + down]]


@pytest.fixture
def look() -> Callable[..., list[str]]:
    return _look
