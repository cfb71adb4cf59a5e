"""The command line of the load benchmark."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).parents[3]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench.load", *arguments], cwd=TOP, capture_output=True, encoding="utf-8", check=False
    )


def test_help() -> None:
    """`--help` lists every option and the keys of all systems."""
    done = run("--help")

    assert done.returncode == 0
    for word in ("--quick", "--rounds", "--json", "--systems", "--workloads", "durable-colyseus", "durable-ws"):
        assert word in done.stdout


def test_bad_arguments() -> None:
    """An unknown system and a number of rounds below 1 are errors."""
    assert "invalid choice" in run("--systems", "nginx").stderr
    assert "--rounds must be at least 1" in run("--rounds", "0").stderr


def test_a_benchmark(tmp_path: Path) -> None:
    """One system under one workload: progress on stderr, a table on stdout, and every number in the JSON file."""
    file = tmp_path / "new" / "results.json"
    done = run("--quick", "--systems", "floor", "--workloads", "latency", "--json", str(file))

    assert (done.returncode, done.stderr) == (0, "[1/1] round 1: latency, C floor\n")
    assert "p99 latency at 1,000 moves/s (ms)" in done.stdout
    results = json.loads(file.read_bytes())
    assert results["effort"]["rounds"] == 1
    assert results["metrics"]["latency_p99"]["floor"]["median"] == results["runs"][0]["measurement"]["p99_ms"]
    assert results["goals"] == []
