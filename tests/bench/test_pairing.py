"""The benchmark of quick match runs, and sees what is wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bench.crowd import Met
from bench.pairing import faults

TOP = Path(__file__).parents[2]


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench.pairing", *arguments], cwd=TOP, capture_output=True, encoding="utf-8", check=False
    )


def test_a_small_crowd() -> None:
    """It prints the times, and the calls of Redis by their names."""
    done = command("--players", "6", "--nodes", "2", "--rounds", "1")
    assert done.stderr == ""
    assert done.returncode == 0
    for words in ("| 99 % |", "for each of the 3 pairs", "| join |", "| append |"):
        assert words in done.stdout


def test_bad_arguments() -> None:
    """An odd number cannot be paired."""
    assert "must be even" in command("--players", "5").stderr


def test_faults_are_found() -> None:
    """Somebody alone, three in one room, one with himself, and two in one seat."""
    assert faults([Met("a", "x", 0, 0.1), Met("b", "x", 1, 0.1)]) == []
    assert len(faults([Met("a", "x", 0, 0.1)])) == 1
    assert len(faults([Met("a", "x", 0, 0.1), Met("b", "x", 1, 0.1), Met("c", "x", 1, 0.1)])) == 1
    assert len(faults([Met("a", "x", 0, 0.1), Met("a", "x", 1, 0.1)])) == 1
    assert len(faults([Met("a", "x", 0, 0.1), Met("b", "x", 0, 0.1)])) == 1
