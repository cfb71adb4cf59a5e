"""`parlour tournament`: run, show and export."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from parlour.cli import main

RUN = ["tournament", "run", "mapello", "1", "greedy", "random", "--seed", "2", "--scale", "0.1", "--processes", "1"]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of a round robin of three levels."""
    file = tmp_path_factory.mktemp("cup") / "cup.jsonl"
    assert main([*RUN, "--name", "Small cup", "--log", str(file)]) == 0
    return file


def test_run_prints_every_round_and_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    """The output ends with the strength of each level, with its error."""
    assert main(RUN) == 0
    output = capsys.readouterr().out
    assert [line for line in output.splitlines() if line.startswith("Round")] == ["Round 1", "Round 2", "Round 3"]
    assert "has a bye" in output
    assert "player" in output
    assert output.count("±") == 3


def test_a_finished_log_is_only_printed_again(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is played or written twice."""
    before = log.read_bytes()
    assert main([*RUN, "--name", "Small cup", "--log", str(log)]) == 0
    assert "points" in capsys.readouterr().out
    assert log.read_bytes() == before


def test_show(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The rounds and the table are those of the run."""
    assert main(["tournament", "show", str(log)]) == 0
    output = capsys.readouterr().out
    assert output.startswith("Small cup: mapello, round robin, 3 players, finished\n")
    assert "Round 3" in output


def test_records_are_on_the_server(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A log in a file has none, and the refusal says where they are."""
    assert main(["tournament", "export", str(log), "--as", "records"]) == 2
    assert "--server" in capsys.readouterr().err


def test_export(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON, text and FIDE's report file."""
    assert main(["tournament", "export", str(log)]) == 0
    assert len(json.loads(capsys.readouterr().out)["standings"]) == 3
    assert main(["tournament", "export", str(log), "--as", "text"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Small cup")
    assert text.count("±") == 3
    assert main(["tournament", "export", str(log), "--as", "trf"]) == 0
    assert capsys.readouterr().out.startswith("012 Small cup\n")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["run", "chess"], "game_unknown"),
        (["run", "replica", "guru"], "level_unknown"),
        (["run", "replica", "1"], "tournament_invalid"),
        (["run", "replica", "--games", "0"], "tournament_invalid"),
        (["run", "replica", "--rounds", "3"], "tournament_invalid"),
        (["show", "missing.jsonl"], "record_unknown"),
        (["export", __file__], "record_broken"),
    ],
)
def test_mistakes_are_refused(words: list[str], code: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each refusal has its code."""
    assert main(["tournament", *words]) == 2
    assert code in capsys.readouterr().err
