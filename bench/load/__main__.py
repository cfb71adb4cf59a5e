"""Run the load benchmark: `python -m bench.load`, from the root of the repository.

Each round starts every system anew under every workload, one after the other, so that a machine that changes its speed
changes it for all of them; what counts are the ratios within a round.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from pathlib import Path

import msgspec
from msgspec import Struct

from bench.load import machine, report
from bench.load.figures import Run, Target
from bench.load.rounds import Spoiled, measure
from bench.load.systems import COLYSEUS, KEYS, WS, DidNotStart, System, systems
from bench.load.workloads import FULL, QUICK, WORKLOADS, Effort, Workload, workload


class Report(Struct, frozen=True):
    """Everything that was found out, with what is needed to read it elsewhere."""

    python: str
    node: str
    system: str
    machine: str
    cores: int
    effort: Effort
    runs: list[Run]
    targets: list[Target]


def main() -> int:
    given = _arguments()
    effort = QUICK if given.quick else FULL
    rounds = given.rounds or effort.rounds
    chosen = given.system or list(KEYS)
    try:
        generator = machine.build() / "generator"
        node = machine.node() if {COLYSEUS, WS} & set(chosen) else ""
        machine.allow_many_files()
        compared = [system for system in systems(node) if system.key in chosen]
        workloads = [workload(key, effort) for key in WORKLOADS if given.workload in (None, key)]
        runs = measure(compared, workloads, rounds, generator)
    except (machine.Lacking, DidNotStart, Spoiled) as trouble:
        print(trouble, file=sys.stderr)
        return 1
    targets = report.judge(runs)
    _print(runs, compared, workloads, targets)
    if given.json is not None:
        everything = Report(
            python=f"{platform.python_implementation()} {platform.python_version()}",
            node=_version(node),
            system=platform.platform(),
            machine=platform.machine(),
            cores=os.cpu_count() or 1,
            effort=msgspec.structs.replace(effort, rounds=rounds),
            runs=runs,
            targets=targets,
        )
        given.json.parent.mkdir(parents=True, exist_ok=True)
        given.json.write_bytes(msgspec.json.format(msgspec.json.encode(everything)) + b"\n")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.load",
        description="Measure what a move costs, in Parlour and in three other servers under the same load.",
        epilog="docs/performance.md tells what the figures mean.",
    )
    parser.add_argument("--quick", action="store_true", help="one short round, in less than two minutes")
    parser.add_argument("--rounds", type=int, metavar="N", help=f"how many (default: {FULL.rounds})")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every number to FILE")
    parser.add_argument("--system", choices=KEYS, action="append", help="only this one; may be given again")
    parser.add_argument("--workload", choices=WORKLOADS, help="only this one")
    given = parser.parse_args()
    if given.rounds is not None and given.rounds < 1:
        parser.error("--rounds must be at least 1")
    return given


def _print(runs: list[Run], compared: list[System], workloads: list[Workload], targets: list[Target]) -> None:
    for load in workloads:
        print(f"{load.key}: {load.title}")
    print(f"\n{report.table(runs, compared)}")
    if len(compared) > 1:
        print(f"\n{report.ratios(runs, compared)}")
    if targets:
        print("\nParlour has to need at most:")
    for target in targets:
        verdict = "met" if target.met else "MISSED"
        print(f"  {target.wanted:g} {target.what}: measured {target.measured:.2f}, {verdict}")


def _version(node: str) -> str:
    if not node:
        return ""
    return subprocess.run([node, "--version"], capture_output=True, encoding="utf-8", check=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
