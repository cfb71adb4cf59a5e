"""The arithmetic of the load benchmark."""

from __future__ import annotations

import msgspec
import pytest

from bench.load import report
from bench.load.figures import Counted, Run, Spread, Target, faults, figure, ratio
from bench.load.systems import KEYS, systems
from bench.load.workloads import DELIVERIES, FULL, MOVES, QUICK, STEADY, WORKLOADS, workload


def rounded(spread: Spread | None) -> tuple[float, ...]:
    """Without the hair by which sums of decimal fractions are off."""
    assert spread is not None
    return tuple(round(value, 6) for value in (spread.median, spread.low, spread.high))


NOTHING = dict.fromkeys(Counted.__struct_fields__, 0)


def run(number: int, system: str, workload: str, **counted: float) -> Run:
    return Run(number, system, workload, msgspec.convert({**NOTHING, "moves": 1, **counted}, Counted, strict=False))


def moving(number: int, system: str, cpu: float) -> Run:
    return run(number, system, MOVES, moves=1000, deliveries=2000, server_cpu=cpu, store_cpu=0.01, seconds=2.0)


RUNS = [
    moving(0, "parlour", 0.02), moving(0, "colyseus", 0.04),
    moving(1, "parlour", 0.09), moving(1, "colyseus", 0.10),
    moving(2, "parlour", 0.03), moving(2, "colyseus", 0.05),
]  # fmt: skip


def test_a_cost_is_the_median_of_the_rounds() -> None:
    """20, 90 and 30 microseconds per move are 30, from 20 to 90; with 10 of the store each, 40."""
    assert rounded(figure(RUNS, "parlour", "cpu_per_move")) == (30, 20, 90)
    assert rounded(figure(RUNS, "parlour", "cpu_per_move_with_store")) == (40, 30, 100)


def test_a_ratio_is_taken_within_each_round() -> None:
    """0.5, 0.9 and 0.6 are 0.6, which is not the ratio of the medians."""
    assert rounded(ratio(RUNS[::-1], "parlour", "colyseus", "cpu_per_move")) == (0.6, 0.5, 0.9)


def test_what_was_not_measured_has_no_figure() -> None:
    """Another workload, another system, or no common round give nothing."""
    assert figure(RUNS, "parlour", "cpu_per_delivery") is None
    assert ratio(RUNS, "parlour", "floor", "cpu_per_move") is None
    assert ratio([*RUNS[:1], RUNS[3]], "parlour", "colyseus", "cpu_per_move") is None


def test_memory_is_counted_per_watcher() -> None:
    """20,000 KiB more with 1,000 watchers are 20 for each."""
    found = figure(
        [run(0, "parlour", DELIVERIES, kib_before=50_000, kib_after=70_000)], "parlour", "kib_per_connection"
    )

    assert found == Spread(20, 20, 20)


def test_targets() -> None:
    """The median ratios decide, and only what was measured is judged."""
    idle = run(0, "parlour", DELIVERIES, deliveries=1, kib_after=25_000)

    met, *others = report.judge(RUNS)
    assert (met.wanted, met.met, others) == (0.8, True, [])
    missed, memory = report.judge([*RUNS[2:4], idle])
    assert (missed.wanted, missed.met) == (0.8, False)
    assert memory == Target("KiB per idle connection", 24, 25, False)


@pytest.mark.parametrize("fault", ["lost", "wrong", "refused", "stalled"])
def test_a_spoiled_run_is_noticed(fault: str) -> None:
    """One lost connection, wrong update, refusal or unheard move is enough; so is a run in which nobody moved."""
    assert faults(RUNS[0]) == []
    assert len(faults(run(0, "ws", MOVES, **{fault: 1}))) == 1
    assert faults(run(0, "ws", STEADY, moves=0)) == ["nobody moved"]


def test_the_tables_have_a_line_for_every_figure_that_was_measured() -> None:
    """Medians with their spread, systems as columns, and Parlour compared with the others."""
    compared = [system for system in systems("node") if system.key in ("parlour", "colyseus")]
    table, ratios = report.table(RUNS, compared).splitlines(), report.ratios(RUNS, compared).splitlines()

    assert table[0] == "| | Parlour | Colyseus |"
    assert "| µs of server CPU per move | 30.0 [20.0–90.0] | 50.0 [40.0–100.0] |" in table
    assert "| moves per second, at most | 500 | 500 |" in table
    assert not any("idle" in line for line in table)
    assert "| µs of server CPU per move | 0.60× [0.50–0.90] |" in ratios


def test_every_workload_and_every_system_is_there() -> None:
    """The lists that the command line offers are those that can be run."""
    assert tuple(system.key for system in systems("node")) == KEYS
    assert [workload(key, effort).key for effort in (FULL, QUICK) for key in WORKLOADS] == [*WORKLOADS, *WORKLOADS]
