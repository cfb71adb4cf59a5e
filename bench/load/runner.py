"""Runs every system under every workload, and rejects runs in which something went wrong."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from bench.load.metrics import Measurement, Run
from bench.load.systems import PARLOUR, Server, System, running
from bench.load.workloads import Workload

RUN_TIMEOUT = 180.0  # seconds
ATTEMPTS = 2  # because the machine may disturb a run


class InvalidRun(Exception):
    """A run that cannot be used; `str()` says why."""


class Step(Struct, frozen=True):
    """A run that is planned."""

    round: int  # from 1
    system: System
    workload: Workload


def plan(systems: Sequence[System], workloads: Sequence[Workload], rounds: int) -> list[Step]:
    """Return all runs in order: the systems of a round back to back, so that their figures can be compared.

    The order of the systems alternates, so that none of them always follows the same other.
    """
    return [
        Step(number, system, workload)
        for number in range(1, rounds + 1)
        for workload in workloads
        for system in (systems if number % 2 else reversed(systems))
        if system.key == PARLOUR or not workload.parlour_only
    ]


async def run_all(steps: Sequence[Step], generator: Path) -> list[Run]:
    """Make all runs, with a line of progress on stderr for each."""
    runs = []
    for number, step in enumerate(steps, 1):
        _progress(f"[{number}/{len(steps)}] round {step.round}: {step.workload.key}, {step.system.title}")
        runs.append(await _run(step, generator))
    return runs


async def _run(step: Step, generator: Path) -> Run:
    found: list[str] = []
    for _ in range(ATTEMPTS):
        measurement = await measure(step.system, step.workload, generator)
        found = problems(measurement)
        if not found:
            return Run(step.round, step.system.key, step.workload.key, measurement)
        _progress(f"  rejected: {', '.join(found)}")
    raise InvalidRun(f"{step.system.title} under {step.workload.key}: {', '.join(found)}.")


async def measure(system: System, workload: Workload, generator: Path) -> Measurement:
    """Start the system, run the load generator against it, and return what it measured."""
    async with running(system) as server:
        return await generate_load(server, system, workload, generator)


async def generate_load(server: Server, system: System, workload: Workload, generator: Path) -> Measurement:
    """Run the load generator against a running server, and return what it measured."""
    watched = [option for pid in server.pids for option in ("--server", str(pid))]
    watched += [option for pid in server.store_pids for option in ("--store", str(pid))]
    process = await asyncio.create_subprocess_exec(
        generator, "--protocol", system.protocol, "--port", str(server.port), *watched, *workload.options,
        stdout=PIPE, stderr=PIPE,
    )  # fmt: skip
    try:
        async with asyncio.timeout(RUN_TIMEOUT):
            output, errors = await process.communicate()
    except TimeoutError:
        message = f"{system.title} under {workload.key} took longer than {RUN_TIMEOUT:.0f} seconds."
        raise InvalidRun(message) from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if errors:
        _progress(errors.decode(errors="replace").rstrip())
    if not output:
        raise InvalidRun(f"{system.title} under {workload.key} could not be measured.")
    return msgspec.json.decode(output, type=Measurement)


def problems(measurement: Measurement) -> list[str]:
    """Return what went wrong in a run; its figures are meaningless unless this is empty."""
    counts = {
        "connections were lost": measurement.lost,
        "updates were not about the next move": measurement.mismatched,
        "commands were refused": measurement.refused,
        "rooms did not receive the last move": measurement.stalled,
    }
    found = [f"{number} {problem}" for problem, number in counts.items() if number]
    return found if measurement.moves else [*found, "no moves were made"]


def _progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
