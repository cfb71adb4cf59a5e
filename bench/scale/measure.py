"""Measures what the capacity model needs: moves on several workers and masters, spectators, and idle servers."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from redis import Redis

from bench.load import processes, toolchain
from bench.load.deployment import deployed, metrics
from bench.load.runner import InvalidRun, generate_load, problems
from bench.load.systems import PARLOUR, Server, find_system
from bench.load.workloads import FULL, find_workload
from bench.scale.runs import Beat, MoveRun, Runs, Spectators, StoreUse
from parlour.server.store.embedded import EmbeddedStore
from parlour.server.store.pipeline import script

# Workers and masters of the runs with moves. The first three feed the model, the others check it.
FED = ((1, 1), (2, 1), (1, 2))
CHECKED = ((3, 1), (1, 3), (2, 2), (3, 3))
BEATING_NODES = (1, 100, 1000)
BEATS = 300
IDLE_SECONDS = 8.0
ATTEMPTS = 3

R = TypeVar("R")


def measure(rounds: int) -> Runs:
    """Make all runs. This takes about 3 minutes per round."""
    generator = toolchain.build(toolchain.find_compiler()).generator
    processes.raise_file_limit()
    processes.pin_load()
    moves, spectators = [], []
    for number in range(1, rounds + 1):
        for workers, masters in FED + CHECKED:
            _progress(f"round {number} of {rounds}: {workers} workers, {masters} masters")
            moves.append(_repeated(partial(measure_moves, workers, masters, generator)))
        _progress(f"round {number} of {rounds}: spectators")
        spectators.append(_repeated(partial(measure_spectators, generator)))
    _progress("heartbeats and idle servers")
    beats = asyncio.run(measure_beats())
    one, three = (asyncio.run(measure_idle(workers)) for workers in (1, 3))
    return Runs(moves, spectators, beats, one[0], max(0.0, (three[1] - one[1]) / 2))


def _repeated(run: Callable[[], Coroutine[Any, Any, R]]) -> R:
    """Return the result of a run, after others that the machine disturbed."""
    for _ in range(ATTEMPTS - 1):
        try:
            return asyncio.run(run())
        except (InvalidRun, processes.StartFailed, TimeoutError) as error:
            _progress(f"  rejected: {error}")
    return asyncio.run(run())


async def measure_moves(workers: int, masters: int, generator: Path) -> MoveRun:
    """Play at a fixed rate, far below what a worker can serve, so that other processes hardly matter."""
    workload = find_workload("latency", FULL)
    async with deployed(workers, masters) as server:
        before = _store_totals(server)
        measured = await generate_load(server, find_system(PARLOUR), workload, generator)
        after, found = _store_totals(server), await metrics(server.port)
    if wrong := problems(measured):
        raise InvalidRun(f"{', '.join(wrong)}.")
    rooms = FULL.latency_rooms
    opened = sum(value for name, value in found.items() if name.startswith("parlour_rooms_open"))
    made = sum(value for name, value in found.items() if name.startswith('parlour_appends_total{outcome="ok"'))
    change = {name: after[name] - before[name] for name in before}
    cpu = [change[f"cpu{number}"] for number in range(masters)]
    store = StoreUse(
        int(change["received"]), int(change["sent"]), int(change["written"]), int(change["memory"]), max(cpu) / sum(cpu)
    )
    return MoveRun(
        workers, masters, rooms, max(0.0, opened / rooms - 1), measured.moves, measured.server_cpu, measured.store_cpu,
        measured.received_bytes, measured.sent_bytes, int(made), store,
    )  # fmt: skip


async def measure_spectators(generator: Path) -> Spectators:
    """Watch one room with 1,000 spectators, first idle, then while moves are made."""
    workload = find_workload("deliveries", FULL)
    options = tuple("15" if before == "--hold" else option for before, option in _pairs(workload.options))
    workload = type(workload)(workload.key, workload.title, options)
    async with deployed(1) as server:
        load = asyncio.create_task(generate_load(server, find_system(PARLOUR), workload, generator))
        async with asyncio.timeout(120):
            while (await metrics(server.port)).get("parlour_connections", 0) < 1002:
                await asyncio.sleep(0.2)
        await asyncio.sleep(1)
        first = _cpu_seconds(server.pids)
        await asyncio.sleep(IDLE_SECONDS)
        idle = (_cpu_seconds(server.pids) - first) / IDLE_SECONDS / 1002
        measured = await load
    if wrong := problems(measured):
        raise InvalidRun(f"{', '.join(wrong)}.")
    return Spectators(
        measured.deliveries, measured.server_cpu, measured.update_bytes,
        (measured.rss_after_kib - measured.rss_before_kib) / 1000, measured.join_cpu_us / 1e6, idle,
    )  # fmt: skip


async def measure_beats() -> list[Beat]:
    """Run the script of the heartbeat on stores that know different numbers of nodes."""
    beat = script("heartbeat")
    names = [f"{{beat}}:{number}" for number in range(4)]
    found = []
    for nodes in BEATING_NODES:
        with tempfile.TemporaryDirectory(prefix="parlour-bench-") as folder:
            async with EmbeddedStore(Path(folder)) as store:
                redis = Redis(unix_socket_path=store.url.removeprefix("unix://"))
                later = int(redis.time()[0]) * 1000 + 10**9
                redis.hset(names[2], mapping={f"machine-name-1-{number:08x}": later for number in range(nodes)})
                first = _cpu(redis)
                for _ in range(BEATS):
                    redis.eval(beat.text, 4, *names, 3000, 0, 1000, "machine-name-1-00000000", 0, 250)
                found.append(Beat(nodes, (_cpu(redis) - first) / BEATS))
                redis.flushall()
                redis.close()
    return found


async def measure_idle(workers: int) -> tuple[float, float]:
    """Return the memory of a worker without players, in KiB, and the store's CPU time per second."""
    async with deployed(workers) as server:
        await asyncio.sleep(2)
        first = _cpu_seconds(server.store_pids)
        await asyncio.sleep(IDLE_SECONDS)
        used = (_cpu_seconds(server.store_pids) - first) / IDLE_SECONDS
        pages = int(Path(f"/proc/{server.pids[-1]}/statm").read_text("ascii").split()[1])
        return pages * os.sysconf("SC_PAGESIZE") / 1024, used


# -- what processes and stores have used


def _store_totals(server: Server) -> dict[str, float]:
    totals = {"received": 0.0, "sent": 0.0, "written": 0.0, "memory": 0.0}
    for number, url in enumerate(server.stores):
        with Redis.from_url(url) as redis:
            info = redis.info()
            totals["received"] += info["total_net_input_bytes"]
            totals["sent"] += info["total_net_output_bytes"]
            totals["written"] += info["aof_current_size"]
            totals["memory"] += info["used_memory"] - info["mem_clients_normal"]
            totals[f"cpu{number}"] = _cpu(redis)
    return totals


def _cpu(redis: Redis) -> float:
    info = redis.info("cpu")
    return float(info["used_cpu_user"] + info["used_cpu_sys"])


def _cpu_seconds(pids: Sequence[int]) -> float:
    ticks = 0.0
    for pid in pids:
        for thread in Path(f"/proc/{pid}/task").iterdir():
            ticks += int((thread / "schedstat").read_text("ascii").split()[0]) / 1e9
    return ticks


def _pairs(options: Sequence[str]) -> list[tuple[str, str]]:
    return list(zip(("", *options), options, strict=False))


def _progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
