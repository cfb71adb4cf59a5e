"""`parlour match`, as text and as JSON."""

from __future__ import annotations

import json

import pytest

from parlour.cli import main


def test_the_figures_agree_with_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    """Games, wins, draws and score are consistent, and the same seed gives the same games."""
    command = ["match", "mapello", "greedy", "random", "--games", "6", "--seed", "3", "--json", "--processes"]
    answers = []
    for processes in ("1", "2"):
        assert main([*command, processes]) == 0
        answers.append(json.loads(capsys.readouterr().out))

    one, two = answers
    assert one["games"] == one["wins_a"] + one["wins_b"] + one["draws"] == 6
    assert one["score_a"] == one["wins_a"] + one["draws"] / 2
    assert {"elo", "elo_error", "seconds_per_move_a", "seconds_per_move_b"} <= one.keys()
    same = ("games", "wins_a", "wins_b", "draws", "score_a", "elo", "elo_error")
    assert [one[key] for key in same] == [two[key] for key in same]


def test_the_result_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """The output names the levels, and the estimate comes with its error."""
    assert main(["match", "replica", "3", "random", "--games", "4", "--processes", "1"]) == 0

    output = capsys.readouterr().out
    assert "Replica: level 3 against level random, 4 games" in output
    assert "plus or minus" in output


@pytest.mark.parametrize(
    ("words", "code"), [(["chess", "1", "2"], "game_unknown"), (["replica", "1", "guru"], "level_unknown")]
)
def test_unknown_games_and_levels_are_refused(words: list[str], code: str, capsys: pytest.CaptureFixture[str]) -> None:
    """They are refused before any game is played."""
    assert main(["match", *words]) == 2
    assert code in capsys.readouterr().err
