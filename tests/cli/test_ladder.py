"""`parlour ladder`: the table and the file of ratings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from parlour.bots import levels
from parlour.bots.elo import Tally
from parlour.cli import main
from parlour.cli.ladder import pairs, ratings
from parlour.games import find


def test_every_level_is_rated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table has a line for each level, and the file its rating; ratings of other games are kept."""
    file = tmp_path / "ladder.json"
    file.write_text('{"other": {"1": 3}}')
    command = ["ladder", "mapello", "--games", "1", "--scale", "0.0005", "--processes", "2", "--write", str(file)]

    assert main(command) == 0

    output = capsys.readouterr().out
    names = levels.names(find("mapello"))
    assert output.startswith("### Mapello\n")
    assert output.count("±") == len(names)
    written = json.loads(file.read_text())
    assert set(written["mapello"]) == set(names)
    assert written["mapello"]["5"] == 1500
    assert written["other"] == {"1": 3}


def test_ratings_follow_the_results() -> None:
    """A level that scores 75 % against another is rated 191 points above it."""
    found = ratings(("4", "5"), {("4", "5"): Tally(wins=3000, losses=1000)})

    assert found["5"][0] == 1500
    assert abs(found["4"][0] - 1691) <= 1


def test_reach_limits_the_pairs() -> None:
    """Numbered levels play neighbours within reach; a style plays other styles and levels 1 to 5."""
    names = (*levels.LEVELS, "random", "greedy")
    near = pairs(names, 2)

    assert [one for one, two in near if two == "8"] == ["6", "7"]
    assert [one for one, two in near if two == "greedy"] == ["1", "2", "3", "4", "5", "random"]
    assert len(pairs(names, None)) == 45
