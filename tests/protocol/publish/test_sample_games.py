"""Random games as a server would send them."""

from __future__ import annotations

import pytest

from parlour import games
from parlour.protocol.scene import patch, scene_hash
from publish.sample_games import sample_game


@pytest.mark.parametrize("key", games.keys())
def test_a_game_can_be_followed(key: str) -> None:
    """Each diff leads to the next scene, whose hash is in the move."""
    game = sample_game(key, 3, "room")
    for old, moved, new in zip(game.scenes, game.moves, game.scenes[1:], strict=False):
        assert patch(old, moved.change) == new
        assert moved.hash == scene_hash(new)


def test_a_long_game_is_truncated() -> None:
    """A truncated game has no result."""
    game = sample_game("replica", 3, "room", longest=2)
    assert (len(game.moves), game.result) == (2, None)
