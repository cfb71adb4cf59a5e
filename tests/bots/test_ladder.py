"""The measured ratings that clients show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from parlour import games
from parlour.bots import levels
from parlour.bots.ladder import rating

DOCUMENT = Path(__file__).parents[2] / "docs" / "bots.md"
# A line of a ladder: `| 8 (Expert) | 1924 ± 136 | …`
LINE = re.compile(r"^\| (\w+)(?: \(.+?\))? \| (\d+) ± \d+ \|", re.MULTILINE)


@pytest.mark.parametrize("key", games.keys())
def test_each_level_is_stronger_than_the_last(key: str) -> None:
    """Every level and every style was measured, and the ratings of the eight levels rise."""
    names = levels.names(games.find(key))
    measured = {name: value for name in names if (value := rating(key, name)) is not None}

    assert set(measured) == set(names)
    rising = [measured[name] for name in levels.LEVELS]
    assert rising == sorted(set(rising))


@pytest.mark.parametrize("key", games.keys())
def test_the_document_has_the_same_ratings(key: str) -> None:
    """The table of a game has every level with the rating that clients show."""
    game = games.find(key)
    _, _, rest = DOCUMENT.read_text().partition(f"\n### {game.info.name}\n")
    told = {name: int(value) for name, value in LINE.findall(rest.partition("\n#")[0])}

    assert told == {name: rating(key, name) for name in levels.names(game)}


def test_an_unmeasured_level_has_no_rating() -> None:
    """Neither a level of another game nor an unknown level has one."""
    assert rating("noughts", "1") is None
    assert rating("replica", "unknown") is None
