"""Measured strengths, as they are told to clients."""

from __future__ import annotations

import pytest

from parlour import games
from parlour.bots import levels
from parlour.bots.ladder import rating


@pytest.mark.parametrize("key", games.keys())
def test_each_level_is_stronger_than_the_last(key: str) -> None:
    """A game was measured with all its levels and styles, or not at all; the ratings of the eight levels rise."""
    measured = [value for name in levels.names(games.find(key)) if (value := rating(key, name)) is not None]

    assert len(measured) in (0, len(levels.names(games.find(key))))
    rising = measured[: len(levels.LEVELS)]
    assert rising == sorted(set(rising))


def test_what_was_not_measured_has_no_rating() -> None:
    """A game that was added, or an unknown level."""
    assert rating("noughts", "1") is None
    assert rating("replica", "nobody") is None
