"""The load benchmark runs: its command line, its generator against the floor, and against Parlour itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bench.load import machine
from bench.load.rounds import generate
from bench.load.systems import FLOOR, PARLOUR, System, systems
from bench.load.workloads import Workload

TOP = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def generator() -> Path:
    """Compiled, together with the floor."""
    return machine.build() / "generator"


def load(*options: str) -> Workload:
    return Workload("test", "", ("--warm", "0", "--warm-updates", "0", "--seconds", "0.1", *options))


def system(key: str) -> System:
    return next(each for each in systems("node") if each.key == key)


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench.load", *arguments], cwd=TOP, capture_output=True, encoding="utf-8", check=False
    )


def test_help() -> None:
    """`--help` lists every option."""
    done = command("--help")

    assert done.returncode == 0
    for option in ("--quick", "--rounds", "--json", "--system", "--workload"):
        assert option in done.stdout


def test_bad_arguments() -> None:
    """A system that is none, and no round at all, are refused in a sentence."""
    assert "invalid choice" in command("--system", "nginx").stderr
    assert "--rounds must be at least 1" in command("--rounds", "0").stderr


def test_a_missing_compiler_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a compiler the sentence says what to install."""
    monkeypatch.setattr(machine, "find_compiler", lambda: None)

    with pytest.raises(machine.Lacking, match="install gcc"):
        machine.build()


def test_players_and_watchers_of_the_floor(generator: Path) -> None:
    """Everybody is told of every move, in order, and somebody's processor worked for it."""
    counted = generate(system(FLOOR), load("--tables", "3", "--watchers", "5", "--moves", "500"), generator)

    assert (counted.clients, counted.lost, counted.wrong, counted.refused, counted.stalled) == (11, 0, 0, 0, 0)
    assert counted.moves >= 500  # more than one board was filled
    assert counted.deliveries > 2 * counted.moves
    assert counted.server_cpu > 0
    assert 0 < counted.p50_ms <= counted.p99_ms <= counted.max_ms


def test_a_fixed_rate(generator: Path) -> None:
    """At 200 moves a second no more are made, give or take what was due when it began to count."""
    counted = generate(system(FLOOR), load("--tables", "4", "--rate", "200", "--moves", "60"), generator)

    assert (counted.wrong, counted.stalled) == (0, 0)
    assert 60 <= counted.moves <= 200 * counted.seconds + 20


def test_parlour_is_played_from_game_to_game(generator: Path) -> None:
    """Every update has the next seq, every command is answered, and after sixty moves the same two go on."""
    watched = load("--tables", "2", "--watchers", "3", "--rounds", "1", "--moves", "300")
    counted = generate(system(PARLOUR), watched, generator)

    assert (counted.clients, counted.lost, counted.wrong, counted.refused, counted.stalled) == (7, 0, 0, 0, 0)
    assert counted.moves >= 300  # more than two games at each table
    assert counted.answered >= counted.moves
    assert counted.store_cpu > 0
    assert 30 < counted.update_bytes < 60
