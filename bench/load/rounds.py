"""Runs systems under workloads, round by round, and refuses figures that something has spoiled."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from bench.load.figures import Counted, Run, faults
from bench.load.machine import GENERATOR_CORE, pinned
from bench.load.systems import System, running
from bench.load.workloads import Workload

RUN_WITHIN = 180.0  # seconds
TRIES = 2  # a run that the machine has spoiled is made again, once


class Spoiled(Exception):
    """A run whose figures mean nothing; `str()` says why."""


def measure(compared: Sequence[System], workloads: Sequence[Workload], rounds: int, generator: Path) -> list[Run]:
    """Every system under every workload, in each round back to back."""
    runs = []
    for number in range(rounds):
        for load in workloads:
            # In turn from either end, so that nobody always comes after the same one.
            for system in compared if number % 2 == 0 else reversed(compared):
                if load.only not in ("", system.key):
                    continue
                print(f"round {number + 1}: {load.key}, {system.title} ...", file=sys.stderr, flush=True)
                runs.append(_run(number, system, load, generator))
    return runs


def _run(number: int, system: System, load: Workload, generator: Path) -> Run:
    for _ in range(TRIES):
        run = Run(number, system.key, load.key, generate(system, load, generator))
        found = faults(run)
        if not found:
            return run
        print(f"  not counted, because {', '.join(found)}", file=sys.stderr, flush=True)
    raise Spoiled(f"{system.title} under “{load.key}”: {', '.join(found)}.")


def generate(system: System, load: Workload, generator: Path) -> Counted:
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
