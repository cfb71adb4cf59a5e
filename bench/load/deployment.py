"""A Parlour server with several workers on one or more Redis masters, pinned to cores, for the load generator."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from bench.load import processes
from bench.load.systems import GAMES, HIGH_LIMITS, Server
from parlour.server.store.embedded import EmbeddedStore
from tests.server.store.cluster_process import Cluster

# The same persistence as the embedded store has.
PERSISTENT = ("--appendonly", "yes", "--appendfsync", "no", "--save", "")


@asynccontextmanager
async def deployed(
    workers: int, masters: int = 1, cores: Sequence[int] = (processes.SERVER_CORE,), *options: str
) -> AsyncIterator[Server]:
    """Run a server and its store, and delete everything at the end.

    One master is a standalone server, several are a cluster without replicas. The workers are pinned to the given cores
    in turn.
    """
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="parlour-bench-")))
        url, store_pids, stores = await _start_store(masters, folder, stack)
        port = processes.free_port()
        command = [
            sys.executable, "-m", "parlour.cli", "--games", str(GAMES), "serve", "--port", str(port), "--redis", url,
            "--data", "data", "--workers", str(workers), "--bot-workers", "0", "--log-level", "warning", *HIGH_LIMITS,
            *options,
        ]  # fmt: skip
        process = await stack.enter_async_context(processes.listening(command, port, folder))
        pids = (process.pid,) if workers == 1 else await _workers(process.pid, port, workers)
        for number, pid in enumerate(pids):
            _pin(pid, cores[number % len(cores)])
        yield Server(port, pids, store_pids, stores)


async def _start_store(
    masters: int, folder: Path, stack: AsyncExitStack
) -> tuple[str, tuple[int, ...], tuple[str, ...]]:
    """Return the address of the store, and the process id and the address of each master."""
    if masters == 1:
        store = await stack.enter_async_context(EmbeddedStore(folder / "store"))
        assert store.pid is not None
        return store.url, (store.pid,), (store.url,)
    cluster = Cluster(masters, *PERSISTENT, replicas=False)
    stack.callback(cluster.close)
    await asyncio.to_thread(cluster.start)
    pids = tuple(int(server.info("server")["process_id"]) for server in cluster.masters)
    return cluster.url, pids, tuple(f"redis://127.0.0.1:{server.port}" for server in cluster.masters)


async def _workers(supervisor: int, port: int, count: int) -> tuple[int, ...]:
    """Return the process ids of the workers, when all of them serve."""
    async with asyncio.timeout(processes.START_TIMEOUT):
        while (await metrics(port)).get("parlour_workers") != count:
            await asyncio.sleep(0.1)
    children = Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text("ascii")
    return tuple(map(int, children.split()))


async def metrics(port: int) -> dict[str, float]:
    """Return every sample of a server's metrics, by its name and labels as they are written there."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
    body = (await reader.read()).decode().partition("\r\n\r\n")[2]
    writer.close()
    samples = (line.rpartition(" ") for line in body.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in samples}


def _pin(pid: int, core: int) -> None:
    if core < (os.cpu_count() or 1) and hasattr(os, "sched_setaffinity"):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            os.sched_setaffinity(int(thread.name), {core})
