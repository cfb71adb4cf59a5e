"""The layout of a table on the screen, and the size of the board."""

from __future__ import annotations

from typing import NamedTuple

from parlour.protocol.scene import BoardSpec
from parlour.terminal.drawing import largest_scale, size_of

SIDE_BY_SIDE = 80  # columns from which the sidebar is beside the board, and not below it
MIN_SIDEBAR, MAX_SIDEBAR = 35, 60
TIGHT_SIDEBAR = 27  # beside boards with many columns, where the window is no wider
FRAME = 3  # lines: title, status, keys


class TableLayout(NamedTuple):
    """The layout of a table."""

    scale: int | None  # of the board; None: there is no room for it
    is_stacked: bool  # the sidebar is below the board
    sidebar_width: int  # columns of text
    sidebar_height: int
    is_tight: bool  # there is no line to spare for anything else


def table_layout(board: BoardSpec, columns: int, lines: int, panels: int) -> TableLayout:
    """Return the layout with the largest board that leaves room for all else.

    `panels`: lines that the players need above and below a board with nothing beside it.
    """
    is_stacked = columns < SIDE_BY_SIDE
    free = lines - FRAME
    if is_stacked:
        scale = largest_scale(board, columns, free - panels)
        height = size_of(board, scale)[1] if scale is not None else 0
        return TableLayout(scale, True, columns - 2, max(0, free - height), free - height <= panels)
    scale = largest_scale(board, columns - MIN_SIDEBAR, free)
    if scale is None:
        scale = largest_scale(board, columns - TIGHT_SIDEBAR, free)
    width, height = size_of(board, scale) if scale is not None else (0, 0)
    return TableLayout(scale, False, min(MAX_SIDEBAR, columns - width - 3), free, free <= height)
