"""The toy game, for the tests of the archive only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour import games

FOLDER = Path(__file__).parents[2] / "games" / "fifth_game"


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[None]:
    """Register noughts and crosses as a game."""
    games.add_folder(FOLDER)
    yield
    games.__path__.remove(str(FOLDER))
    games.keys.cache_clear()
    games.find.cache_clear()
