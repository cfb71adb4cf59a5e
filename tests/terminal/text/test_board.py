"""Boards in words, for every game."""

from __future__ import annotations

import pytest

from parlour import games
from parlour.terminal.text.board import board_lines, tally_line


@pytest.mark.parametrize("key", games.keys())
def test_every_place_with_something_on_it_has_a_line(key: str) -> None:
    """Once each, by its name, with the names of the pieces."""
    game = games.find(key)
    options = game.options({})
    board, scene = game.board(options), game.scene(game.initial(options))
    lines = list(board_lines(board, scene))

    assert len(lines) == len(scene.pieces)
    for line, (place, *stack) in zip(lines, scene.pieces, strict=True):
        assert board.place_name(place) in line.partition(":")[0]
        assert board.glyphs[stack[-1]].name in line
    assert "{" not in tally_line(board, scene, 0)


def test_a_bar_says_how_far_it_reaches() -> None:
    """And marks are told with the place."""
    game = games.find("isaac")
    options = game.options({})
    state = game.initial(options)
    move = game.read(state, "a1-e1")
    after = game.apply(state, move)
    lines = list(board_lines(game.board(options), game.scene_after(state, move, after)))

    assert any(line.startswith("a1: ") and "to e1" in line and "last move" in line for line in lines), lines
