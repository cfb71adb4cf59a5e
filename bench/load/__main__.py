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
from bench.load.figures import Counted, Run, Target, faults
from bench.load.machine import GENERATOR_CORE, Lacking, pinned
from bench.load.systems import COLYSEUS, KEYS, WS, DidNotStart, System, running, systems
from bench.load.workloads import FULL, QUICK, WORKLOADS, Effort, Workload, workload

RUN_WITHIN = 180.0  # seconds
TRIES = 2  # a run that the machine has spoiled is made again, once


class Spoiled(Exception):
    """A run whose figures mean nothing; `str()` says why."""


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
    if given.rounds is not None:
        effort = msgspec.structs.replace(effort, rounds=given.rounds)
    chosen = given.system or list(KEYS)
    try:
        generator = machine.build() / "generator"
        node = machine.node() if {COLYSEUS, WS} & set(chosen) else ""
        machine.allow_many_files()
        compared = [system for system in systems(node) if system.key in chosen]
        workloads = [workload(key, effort) for key in WORKLOADS if given.workload in (None, key)]
        runs = _measure(compared, workloads, effort, generator)
    except (Lacking, DidNotStart, Spoiled) as trouble:
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
            effort=effort,
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
    return parser.parse_args()


def _measure(compared: list[System], workloads: list[Workload], effort: Effort, generator: Path) -> list[Run]:
    runs = []
    for number in range(effort.rounds):
        for load in workloads:
            # In turn from either end, so that nobody always comes after the same one.
            for system in compared if number % 2 == 0 else reversed(compared):
                print(f"round {number + 1}: {load.key}, {system.title} ...", file=sys.stderr, flush=True)
                runs.append(_run(number, system, load, generator))
    return runs


def _run(number: int, system: System, load: Workload, generator: Path) -> Run:
    for _ in range(TRIES):
        run = Run(number, system.key, load.key, _generate(system, load, generator))
        found = faults(run)
        if not found:
            return run
        print(f"  again, because {', '.join(found)}", file=sys.stderr, flush=True)
    raise Spoiled(f"{system.title} under “{load.key}”: {', '.join(found)}.")


def _generate(system: System, load: Workload, generator: Path) -> Counted:
    """Start the system, load it, and give what the generator counted."""
    with running(system) as server:
        command = [
            str(generator), "--dialect", system.dialect, "--port", str(server.port),
            "--server", str(server.pid), "--store", str(server.store_pid), *load.options,
        ]  # fmt: skip
        try:
            done = subprocess.run(
                pinned(GENERATOR_CORE, command), capture_output=True, encoding="utf-8", check=False, timeout=RUN_WITHIN
            )
        except subprocess.TimeoutExpired:
            raise Spoiled(f"{system.title} under “{load.key}” took longer than {RUN_WITHIN:.0f} seconds.") from None
    sys.stderr.write(done.stderr)
    if not done.stdout:
        raise Spoiled(f"{system.title} under “{load.key}” could not be measured.")
    return msgspec.json.decode(done.stdout, type=Counted)


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
    return (
        subprocess.run([node, "--version"], capture_output=True, encoding="utf-8", check=True).stdout.strip()
        if node
        else ""
    )


if __name__ == "__main__":
    sys.exit(main())
