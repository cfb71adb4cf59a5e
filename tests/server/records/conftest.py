"""The toy game is there for these tests only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour import games

FOLDER = Path(__file__).parents[2] / "games" / "fifth_game"


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[None]:
    """Noughts and crosses among the games."""
    games.add_folder(FOLDER)
    yield
    games.__path__.remove(str(FOLDER))
    games.keys.cache_clear()
    games.find.cache_clear()
