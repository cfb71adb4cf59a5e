"""What several workers serve, compared with one. Run `python -m bench.workers`, from the root of the repository.

The load is that of `bench.load`, with 50 rooms for each worker, whose players move at once, so that the workers are
always busy. In each round, one worker and several run back to back, and only ratios within a round are reported.

With a core for each worker, and two more for the store and the load generator, the ratio of the moves per second is
measured directly. On a smaller machine all workers are pinned to one core and the rest runs on another. Then the moves
per second of CPU time of all workers are compared: `n` workers on `n` free cores have `n` times the CPU time of one, so
they serve `n` times that ratio. This contains what the workers cost each other, above all the moves that one of them
publishes to another because the two players of a room are connected to different workers. It does not contain effects
of the hardware, such as a shared cache.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bench.load import processes, toolchain
from bench.load.deployment import deployed, metrics
from bench.load.metrics import Measurement
from bench.load.runner import InvalidRun, generate_load, problems
from bench.load.systems import PARLOUR, find_system
from bench.load.workloads import CHOICES, FULL, MOVES, QUICK, ROOMS, find_workload
from parlour.server.store.errors import StoreUnavailable

GOAL = 1.7  # times the load of one worker, for two


class Trial(Struct, frozen=True):
    """One run."""

    workers: int
    shared_rooms: float  # share of the rooms that are open on more than one worker
    measurement: Measurement

    @property
    def moves_per_cpu_second(self) -> float:
        return self.measurement.moves / self.measurement.server_cpu

    @property
    def moves_per_second(self) -> float:
        return self.measurement.moves / self.measurement.seconds


class Gain(Struct, frozen=True):
    """How much more several workers serve than one, in one round."""

    one: Trial
    several: Trial
    is_direct: bool  # whether every worker had a core for itself

    @property
    def times(self) -> float:
        if self.is_direct:
            return self.several.moves_per_second / self.one.moves_per_second
        return self.several.workers * self.several.moves_per_cpu_second / self.one.moves_per_cpu_second


def main() -> int:
    arguments = _parse_arguments()
    is_direct = (os.cpu_count() or 1) >= arguments.workers + 2
    effort = QUICK if arguments.quick else FULL
    try:
        generator = toolchain.build(toolchain.find_compiler()).generator
        processes.raise_file_limit()
        _pin_load(arguments.workers if is_direct else processes.LOAD_CORE)
        gains = []
        for number in range(1, (arguments.rounds or effort.rounds) + 1):
            order = (1, arguments.workers) if number % 2 else (arguments.workers, 1)
            trials = {
                workers: asyncio.run(measure(workers, arguments.workload, is_direct, generator, quick=arguments.quick))
                for workers in order
            }
            gains.append(Gain(trials[1], trials[arguments.workers], is_direct))
            print(f"round {number}: {gains[-1].times:.2f}", file=sys.stderr, flush=True)
    except (toolchain.MissingTool, processes.StartFailed, StoreUnavailable, InvalidRun) as error:
        print(error, file=sys.stderr)
        return 1
    print(report(gains))
    if arguments.json is not None:
        arguments.json.write_bytes(msgspec.json.format(msgspec.json.encode(gains)) + b"\n")
    return 0


async def measure(workers: int, kind: str, is_direct: bool, generator: Path, *, quick: bool = False) -> Trial:
    """Run one load against a number of workers."""
    workload = find_workload(kind, QUICK if quick else FULL)
    rooms = ROOMS * workers
    workload = replace(workload, options=(*workload.options, "--rooms", str(rooms)))
    cores = range(workers) if is_direct else (processes.SERVER_CORE,)
    async with deployed(workers, 1, cores) as server:
        measured = await generate_load(server, find_system(PARLOUR), workload, generator)
        found = await metrics(server.port)
        if wrong := problems(measured):
            raise InvalidRun(f"{workers} workers: {', '.join(wrong)}.")
    opened = sum(value for name, value in found.items() if name.startswith("parlour_rooms_open"))
    return Trial(workers, max(0.0, opened / rooms - 1), measured)


def report(gains: Sequence[Gain]) -> str:
    """Return the medians of all rounds as a Markdown table, with the lowest and the highest."""
    measures: dict[str, Callable[[Trial], float]] = {
        "CPU of the workers per move (µs)": lambda trial: 1e6 / trial.moves_per_cpu_second,
        "CPU of the store per move (µs)": lambda trial: 1e6 * trial.measurement.store_cpu / trial.measurement.moves,
        "moves per second": lambda trial: trial.moves_per_second,
        "rooms on more than one worker (%)": lambda trial: 100 * trial.shared_rooms,
    }
    rows = [("", "one worker", f"{gains[0].several.workers} workers")]
    for title, value in measures.items():
        one, several = [value(gain.one) for gain in gains], [value(gain.several) for gain in gains]
        rows.append((title, _spread(one), _spread(several)))
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, "|:--|--:|--:|")
    times = [gain.times for gain in gains]
    how = "measured directly" if gains[0].is_direct else "from the CPU time per move, see bench/workers.py"
    spread = f"{median(times):.2f} [{min(times):.2f}–{max(times):.2f}]"
    return "\n".join([*lines, "", f"{gains[0].several.workers} workers serve {spread} times the load of one ({how})."])


def _spread(values: Sequence[float]) -> str:
    return f"{median(values):,.1f} [{min(values):,.1f}–{max(values):,.1f}]"


def _pin_load(core: int) -> None:
    """Pin the load generator, and the store if there is no further core."""
    if (os.cpu_count() or 1) > core:
        os.sched_setaffinity(0, {core, min(core + 1, (os.cpu_count() or 1) - 1)})


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.workers",
        description="Compare what several workers serve with what one does.",
        epilog="The docstring of this module explains how.",
    )
    parser.add_argument("--workers", type=int, metavar="N", default=2, help="number of workers (default: 2)")
    parser.add_argument(
        "--workload", choices=(MOVES, CHOICES), default=MOVES, help="with or without choices for the players"
    )
    parser.add_argument("--rounds", type=int, metavar="N", help=f"number of rounds (default: {FULL.rounds})")
    parser.add_argument("--quick", action="store_true", help="run one short round, to see whether everything works")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all results to FILE")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
