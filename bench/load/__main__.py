"""Run the load benchmark: `python -m bench.load`, from the root of the repository.

In each round every system runs under every workload, one after the other, so that a machine whose speed changes
affects all of them. Only ratios within a round are reliable.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from bench.load import processes, report, toolchain
from bench.load.goals import Verdict, judge
from bench.load.metrics import METRICS, Run, Spread, spread
from bench.load.runner import InvalidRun, plan, run_all
from bench.load.systems import NEED_NODE, SYSTEMS, System, find_system
from bench.load.workloads import FULL, QUICK, WORKLOADS, Effort, Workload, find_workload
from parlour.server.store.errors import StoreUnavailable


class Environment(Struct, frozen=True):
    """Where a benchmark ran."""

    python: str
    node: str
    platform: str
    cores: int


class Results(Struct, frozen=True):
    """Everything that a benchmark measured."""

    environment: Environment
    effort: Effort
    metrics: dict[str, dict[str, Spread]]  # by metric and system
    goals: list[Verdict]
    runs: list[Run]


def main() -> int:
    arguments = _parse_arguments()
    effort = QUICK if arguments.quick else FULL
    if arguments.rounds is not None:
        effort = msgspec.structs.replace(effort, rounds=arguments.rounds)
    workloads = [find_workload(key, effort) for key in WORKLOADS if key in arguments.workloads]
    keys = [key for key in SYSTEMS if key in arguments.systems]
    try:
        programs = toolchain.build(toolchain.find_compiler())
        node = _node() if NEED_NODE & set(keys) else ""
        systems = [find_system(key, node=node, floor=programs.floor) for key in keys]
        processes.raise_file_limit()
        processes.pin_load()
        runs = asyncio.run(run_all(plan(systems, workloads, effort.rounds), programs.generator))
    except (toolchain.MissingTool, processes.StartFailed, StoreUnavailable, InvalidRun) as error:
        print(error, file=sys.stderr)
        return 1
    verdicts = judge(runs)
    _print(runs, systems, workloads, verdicts)
    if arguments.json is not None:
        _write_json(arguments.json, Results(_environment(node), effort, _metrics(runs, systems), verdicts, runs))
    return 0


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.load",
        description="Measure what a move costs on Parlour and on comparable servers.",
        epilog="docs/performance.md explains the systems, the workloads and the metrics.",
    )
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=SYSTEMS, help="systems to run (default: all)")
    parser.add_argument(
        "--workloads", nargs="+", choices=WORKLOADS, default=WORKLOADS, help="workloads to run (default: all)"
    )
    parser.add_argument("--rounds", type=int, metavar="N", help=f"number of rounds (default: {FULL.rounds})")
    parser.add_argument("--quick", action="store_true", help="run one short round, to see whether everything works")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all results to FILE")
    arguments = parser.parse_args()
    if arguments.rounds is not None and arguments.rounds < 1:
        parser.error("--rounds must be at least 1")
    return arguments


def _node() -> str:
    node = toolchain.find_node()
    toolchain.install_packages(node)
    return node.path


# -- output


def _print(
    runs: Sequence[Run], systems: Sequence[System], workloads: Sequence[Workload], verdicts: Sequence[Verdict]
) -> None:
    for workload in workloads:
        print(f"{workload.key}: {workload.title}")
    print(f"\n{report.metrics_table(runs, systems)}")
    if len(systems) > 1:
        print(f"\n{report.ratios_table(runs, systems)}")
    if verdicts:
        print(f"\n{report.goals_table(verdicts, systems)}")


def _metrics(runs: Sequence[Run], systems: Sequence[System]) -> dict[str, dict[str, Spread]]:
    return {
        metric.key: {
            system.key: values for system in systems if (values := spread(runs, system.key, metric)) is not None
        }
        for metric in METRICS
    }


def _environment(node: str) -> Environment:
    version = (
        subprocess.run([node, "--version"], capture_output=True, encoding="utf-8", check=True).stdout if node else ""
    )
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return Environment(python, version.strip(), platform.platform(), os.cpu_count() or 1)


def _write_json(path: Path, results: Results) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(results)) + b"\n")


if __name__ == "__main__":
    sys.exit(main())
