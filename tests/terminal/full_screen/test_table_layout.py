"""The layout of a table in windows of all sizes."""

from __future__ import annotations

import pytest

from parlour import games
from parlour.protocol.scene import BoardSpec
from parlour.terminal.drawing import size_of
from parlour.terminal.full_screen.table_layout import FRAME, table_layout


def board_of(key: str) -> BoardSpec:
    game = games.find(key)
    return game.board(game.options({}))


@pytest.mark.parametrize(
    ("columns", "lines", "scale", "is_stacked"),
    [(60, 24, 0, True), (80, 24, 1, False), (120, 40, 2, False), (200, 60, 4, False)],
)
def test_the_board_is_as_large_as_the_window_allows(columns: int, lines: int, scale: int, is_stacked: bool) -> None:
    """Narrow windows stack the board on the rest; large ones have large cells."""
    layout = table_layout(board_of("mapello"), columns, lines, 4)
    assert (layout.scale, layout.is_stacked) == (scale, is_stacked)


@pytest.mark.parametrize("key", games.keys())
def test_everything_fits(key: str) -> None:
    """In every window from 60 x 24 on, the board, the sidebar and the frame share it without overlap."""
    board = board_of(key)
    for columns in range(60, 210, 7):
        for lines in range(24, 70, 5):
            layout = table_layout(board, columns, lines, 6)
            assert layout.scale is not None
            width, height = size_of(board, layout.scale)
            if layout.is_stacked:
                assert width <= columns
                assert height + layout.sidebar_height + FRAME == lines
            else:
                assert width + 3 + layout.sidebar_width <= columns
                assert layout.sidebar_width >= 32
                assert height + FRAME <= lines


def test_a_tiny_window_has_no_room() -> None:
    """The screen then asks for more."""
    assert table_layout(board_of("mapello"), 40, 24, 4).scale is None
    assert table_layout(board_of("mapello"), 80, 12, 4).scale is None
