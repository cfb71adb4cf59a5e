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


def test_every_level_has_its_line_and_its_rating(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One game for each pair is enough for a table, however unsure."""
    file = tmp_path / "ladder.json"
    file.write_text('{"other": {"1": 3}}')
    command = ["ladder", "mapello", "--games", "1", "--scale", "0.0005", "--workers", "2", "--write", str(file)]

    assert main(command) == 0

    said = capsys.readouterr().out
    names = levels.names(find("mapello"))
    assert said.startswith("### Mapello\n")
    assert said.count("±") == len(names)
    written = json.loads(file.read_text())
    assert set(written["mapello"]) == set(names)
    assert written["mapello"]["5"] == 1500
    assert written["other"] == {"1": 3}


def test_ratings_follow_the_results() -> None:
    """Whoever wins three games of four against a level is 191 points above it, in the long run."""
    found = ratings(("4", "5"), {("4", "5"): Tally(wins=3000, losses=1000)})

    assert found["5"][0] == 1500
    assert abs(found["4"][0] - 1691) <= 1


def test_within_reach_levels_meet_their_neighbours() -> None:
    """Numbered levels by their distance; a style meets other styles, and levels 1 to 5."""
    names = (*levels.LEVELS, "random", "greedy")
    near = pairs(names, 2)

    assert [one for one, two in near if two == "8"] == ["6", "7"]
    assert [one for one, two in near if two == "greedy"] == ["1", "2", "3", "4", "5", "random"]
    assert len(pairs(names, None)) == 45
