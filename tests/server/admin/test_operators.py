"""The file with the names and tokens of operators."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.server.admin.operators import OperatorFileError, read_operators

NORA, EMIL = "a" * 43, "b" * 43


def write(folder: Path, text: str, mode: int = 0o600) -> Path:
    """Write a file of operators."""
    file = folder / "operators"
    file.write_text(text, encoding="utf-8")
    file.chmod(mode)
    return file


def test_operators_are_found_by_their_tokens(tmp_path: Path) -> None:
    """Each line has a name and a token; comments and empty lines are skipped."""
    operators = read_operators(write(tmp_path, f"# who\n\nnora {NORA}\nemil {EMIL}\n"))
    assert (operators.find(NORA), operators.find(EMIL)) == ("nora", "emil")
    for wrong in ("", NORA[:-1], NORA + "x", "nora"):
        assert operators.find(wrong) is None


@pytest.mark.parametrize(
    ("text", "mode", "problem"),
    [
        (f"nora {NORA}", 0o644, "chmod 600"),
        ("nora short", 0o600, "Line 1"),
        (f"nora smith {NORA}", 0o600, "Line 1"),
        ("# none", 0o600, "names no operator"),
    ],
)
def test_a_bad_file_is_refused(tmp_path: Path, text: str, mode: int, problem: str) -> None:
    """The sentence says what to change."""
    with pytest.raises(OperatorFileError, match=problem):
        read_operators(write(tmp_path, text, mode))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """The sentence has the reason of the system."""
    with pytest.raises(OperatorFileError, match="No such file"):
        read_operators(tmp_path / "operators")
