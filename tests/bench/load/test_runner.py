"""The runs of the load benchmark: their order, the load generator at work, and what makes a run invalid."""

from __future__ import annotations

import fcntl
from pathlib import Path

import msgspec
import pytest

from bench.load import toolchain
from bench.load.runner import InvalidRun, Step, measure, plan, problems, run_all
from bench.load.systems import find_system
from bench.load.toolchain import Programs
from bench.load.workloads import QUICK, Workload, find_workload
from tests.bench.load.measurements import measurement


@pytest.fixture
def node() -> str:
    """Node.js, with the packages of the peers; tests that run at the same time wait for one installation."""
    found = toolchain.find_node()
    toolchain.BUILD.mkdir(parents=True, exist_ok=True)
    with (toolchain.BUILD / "packages.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        toolchain.install_packages(found)
    return found.path


def workload(*options: str) -> Workload:
    return Workload("test", "", ("--warmup", "0", "--warmup-updates", "0", "--seconds", "0.1", *options))


# -- the plan


def test_systems_run_back_to_back_in_alternating_order() -> None:
    """Each workload runs on all systems before the next one; every second round reverses the systems."""
    systems = [find_system("parlour"), find_system("ws")]
    workloads = [find_workload("moves", QUICK), find_workload("latency", QUICK)]

    assert [(step.round, step.workload.key, step.system.key) for step in plan(systems, workloads, 2)] == [
        (1, "moves", "parlour"), (1, "moves", "ws"), (1, "latency", "parlour"), (1, "latency", "ws"),
        (2, "moves", "ws"), (2, "moves", "parlour"), (2, "latency", "ws"), (2, "latency", "parlour"),
    ]  # fmt: skip


def test_only_parlour_runs_what_only_parlour_has() -> None:
    """The other systems have neither choices nor games."""
    steps = plan([find_system("ws"), find_system("parlour")], [find_workload("choices", QUICK)], 1)

    assert [step.system.key for step in steps] == ["parlour"]


# -- the load generator


async def test_the_floor_server(programs: Programs) -> None:
    """Every client receives every update in order, and the server's CPU time is measured."""
    system = find_system("floor", floor=programs.floor)
    found = await measure(system, workload("--rooms", "3", "--spectators", "5", "--moves", "500"), programs.generator)

    assert problems(found) == []
    assert found.clients == 11
    assert found.moves >= 500  # more than one board in each room
    assert found.deliveries > 2 * found.moves
    assert found.server_cpu > 0
    assert found.store_cpu == 0
    assert 0 < found.p50_ms <= found.p99_ms <= found.max_ms


async def test_a_fixed_rate(programs: Programs) -> None:
    """At 200 moves per second no more moves are made, apart from those due when the measurement starts."""
    system = find_system("floor", floor=programs.floor)
    found = await measure(system, workload("--rooms", "4", "--rate", "200", "--moves", "60"), programs.generator)

    assert problems(found) == []
    assert 60 <= found.moves <= 200 * found.seconds + 20


async def test_parlour_from_game_to_game(programs: Programs) -> None:
    """Every update has the next seq, every command is acknowledged, and the players go on with rematches."""
    load = workload("--rooms", "2", "--spectators", "3", "--rounds", "1", "--moves", "300")
    found = await measure(find_system("parlour"), load, programs.generator)

    assert problems(found) == []
    assert found.clients == 7
    assert found.moves >= 300  # more than two games in each room
    assert found.acknowledged >= found.moves
    assert found.store_cpu > 0
    assert 30 < found.update_bytes < 60


@pytest.mark.parametrize("key", ["durable-colyseus", "colyseus", "durable-ws", "ws"])
async def test_peers_on_node(programs: Programs, node: str, key: str) -> None:
    """Every client receives every update in order; a durable peer also occupies its store."""
    system = find_system(key, node=node)
    found = await measure(system, workload("--rooms", "2", "--spectators", "3", "--moves", "150"), programs.generator)

    assert problems(found) == []
    assert found.moves >= 150
    assert (found.store_cpu > 0) == system.durable


# -- invalid runs


@pytest.mark.parametrize("problem", ["lost", "mismatched", "refused", "stalled"])
def test_one_problem_spoils_a_run(problem: str) -> None:
    """One lost connection, wrong update, refusal or undelivered move is enough; so is a run without moves."""
    assert problems(measurement()) == []
    assert len(problems(measurement(**{problem: 1}))) == 1
    assert problems(measurement(moves=0)) == ["no moves were made"]


async def test_a_generator_that_fails_is_reported(programs: Programs, capsys: pytest.CaptureFixture[str]) -> None:
    """A run without a measurement is an error, and the generator's own message is shown."""
    system = find_system("floor", floor=programs.floor)
    with pytest.raises(InvalidRun, match="C floor under test could not be measured"):
        await measure(system, workload("--rooms", "0"), programs.generator)

    assert "--rooms" in capsys.readouterr().err


async def test_a_run_with_problems_is_repeated_once(
    programs: Programs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Progress is numbered; a second run with problems ends the benchmark."""
    generator = tmp_path / "generator"
    (tmp_path / "line").write_bytes(msgspec.json.encode(measurement(lost=3)))
    generator.write_text(f"#!/bin/sh\ncat {tmp_path}/line\n")
    generator.chmod(0o755)
    system = find_system("floor", floor=programs.floor)

    with pytest.raises(InvalidRun, match="3 connections were lost"):
        await run_all([Step(1, system, workload())], generator)

    assert capsys.readouterr().err.splitlines() == [
        "[1/1] round 1: test, C floor",
        "  rejected: 3 connections were lost",
        "  rejected: 3 connections were lost",
    ]
