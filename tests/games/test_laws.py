"""Every game of the registry obeys every law."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from parlour import games
from parlour.games import laws

TABLES = [
    pytest.param(games.find(key), variant, id=f"{key}-{'-'.join(f'{k}={v}' for k, v in variant.items()) or 'default'}")
    for key in games.keys()
    for variant in laws.variants(games.find(key))
]


@pytest.mark.parametrize(("game", "variant"), TABLES)
@settings(max_examples=6, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_random_matches_keep_every_law(game: Any, variant: dict[str, Any], seed: int) -> None:
    """A random match ends in time, and every law holds at the positions looked at."""
    laws.check_match(game, game.options(variant), Random(seed))


@pytest.mark.parametrize("key", games.keys())
def test_a_game_is_named_after_its_folder(key: str) -> None:
    """The registry finds a game under the name it gives itself."""
    assert games.find(key).info.key == key


def test_the_first_four_games_are_there() -> None:
    """The registry discovers the games without a list."""
    assert {"isaac", "mapello", "mitsudomoe", "replica"} <= set(games.keys())
