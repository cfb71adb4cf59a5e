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


def load(*options: str) -> Workload:
    return Workload("test", "", ("--warm", "0", "--warm-updates", "0", "--seconds", "0.3", *options))


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


def test_players_and_watchers_of_the_floor() -> None:
    """Everybody is told of every move, in order, and somebody's processor worked for it."""
    generator = machine.build() / "generator"
    counted = generate(system(FLOOR), load("--tables", "3", "--watchers", "5"), generator)

    assert (counted.clients, counted.lost, counted.wrong, counted.refused, counted.stalled) == (11, 0, 0, 0, 0)
    assert counted.moves > 60  # the board was cleared
    assert counted.deliveries > 2 * counted.moves
    assert counted.server_cpu > 0
    assert 0 < counted.p50_ms <= counted.p99_ms <= counted.max_ms


def test_a_fixed_rate() -> None:
    """At 200 moves a second at four tables, 60 are made in 0.3 s, give or take what a busy machine holds up."""
    generator = machine.build() / "generator"
    counted = generate(system(FLOOR), load("--tables", "4", "--rate", "200"), generator)

    assert (counted.wrong, counted.stalled) == (0, 0)
    assert 20 <= counted.moves <= 80


def test_parlour_is_played_from_game_to_game() -> None:
    """Every update has the next seq, every command is answered, and after sixty moves the same two go on."""
    generator = machine.build() / "generator"
    watched = load("--tables", "2", "--watchers", "3", "--rounds", "1", "--seconds", "1.5")
    counted = generate(system(PARLOUR), watched, generator)

    assert (counted.clients, counted.lost, counted.wrong, counted.refused, counted.stalled) == (7, 0, 0, 0, 0)
    assert counted.moves > 2 * 60
    assert counted.answered >= counted.moves
    assert counted.store_cpu > 0
    assert 30 < counted.update_bytes < 60
