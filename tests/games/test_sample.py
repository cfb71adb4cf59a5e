"""Positions that show what a game looks like."""

from __future__ import annotations

import pytest

from parlour import games
from parlour.games.sample import sample


@pytest.mark.parametrize("key", games.keys())
def test_a_sample_is_never_an_empty_board(key: str) -> None:
    """There are pieces on the cells, the same ones each time."""
    board, scene = sample(games.find(key))

    assert sum(stack[0] < board.cells for stack in scene.pieces) >= 4
    assert sample(games.find(key)) == (board, scene)
