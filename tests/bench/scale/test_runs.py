"""Measurements are kept in a file."""

from __future__ import annotations

from pathlib import Path

from bench.scale import runs
from tests.bench.scale import synthetic


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """The file is JSON that people can read, too."""
    runs.write(synthetic.runs(), tmp_path / "runs.json")
    assert runs.read(tmp_path / "runs.json") == synthetic.runs()
    assert (tmp_path / "runs.json").read_text().count("\n") > 100


def test_there_are_measurements_of_every_kind() -> None:
    """The document is about up to three nodes and three masters."""
    kinds = {(run.workers, run.masters) for run in runs.read().moves}
    assert {workers for workers, _ in kinds} == {masters for _, masters in kinds} == {1, 2, 3}
