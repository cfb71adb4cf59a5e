"""The benchmark of quick match."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bench.crowd import Pairing
from bench.pairing import faults

TOP = Path(__file__).parents[2]


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench.pairing", *arguments], cwd=TOP, capture_output=True, encoding="utf-8", check=False
    )


def test_a_small_crowd() -> None:
    """It prints the times, and the Redis commands and scripts by their names."""
    done = command("--players", "6", "--nodes", "2", "--rounds", "1")
    assert done.stderr == ""
    assert done.returncode == 0
    for words in ("| p99 |", "over 3 pairs", "| join_queue |", "| append |"):
        assert words in done.stdout


def test_bad_arguments() -> None:
    """An odd number of players cannot be paired."""
    assert "must be even" in command("--players", "5").stderr


def test_faults_are_found() -> None:
    """A player alone, three players in one room, a player paired with themselves, and two players in one seat."""
    assert faults([Pairing("a", "x", 0, 0.1), Pairing("b", "x", 1, 0.1)]) == []
    assert len(faults([Pairing("a", "x", 0, 0.1)])) == 1
    assert len(faults([Pairing("a", "x", 0, 0.1), Pairing("b", "x", 1, 0.1), Pairing("c", "x", 1, 0.1)])) == 1
    assert len(faults([Pairing("a", "x", 0, 0.1), Pairing("a", "x", 1, 0.1)])) == 1
    assert len(faults([Pairing("a", "x", 0, 0.1), Pairing("b", "x", 0, 0.1)])) == 1
