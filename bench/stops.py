"""Stops a loaded node again and again: it has to exit by itself, in time, and with code 0.

Each node serves 50 rooms whose players move as fast as they can when it receives SIGTERM.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import tempfile
from asyncio.subprocess import DEVNULL
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median
from time import monotonic

from msgspec import Struct

from bench.load import processes, toolchain
from bench.load.systems import find_system
from parlour.server.store.embedded import EmbeddedStore

ROOMS = 50
PLAY_FOR = 1.0  # seconds before each stop
EXIT_WITHIN = 20.0  # seconds


class Stop(Struct, frozen=True):
    """One stop: how long it took, and the exit code; None if the node had to be killed."""

    seconds: float
    code: int | None

    @property
    def is_clean(self) -> bool:
        return self.code == 0


async def stop_once(generator: Path, store: str, folder: Path) -> Stop:
    """Start a node, load it, and stop it."""
    system = find_system("parlour")
    port = processes.free_port()
    async with processes.listening(system.command(port, store), port, folder) as node:
        load = await asyncio.create_subprocess_exec(
            generator, "--protocol", system.protocol, "--port", str(port), "--rooms", str(ROOMS), "--seconds", "60",
            stdout=DEVNULL, stderr=DEVNULL,
        )  # fmt: skip
        try:
            await asyncio.sleep(PLAY_FOR)
            node.send_signal(signal.SIGTERM)
            started = monotonic()
            with suppress(TimeoutError):
                async with asyncio.timeout(EXIT_WITHIN):
                    await node.wait()
            return Stop(monotonic() - started, node.returncode)
        finally:
            with suppress(ProcessLookupError):
                load.kill()
            await load.wait()


def report(stops: Sequence[Stop]) -> str:
    """Return a summary in one line."""
    clean = sum(stop.is_clean for stop in stops)
    seconds = [stop.seconds for stop in stops]
    return f"{clean} of {len(stops)} stops were clean; median {median(seconds):.2f} s, longest {max(seconds):.2f} s."


async def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.stops", description="Stop a loaded node again and again.")
    parser.add_argument("--stops", type=int, default=100, metavar="N", help="number of stops (default: %(default)s)")
    arguments = parser.parse_args()
    generator = toolchain.build(toolchain.find_compiler()).generator
    stops: list[Stop] = []
    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as folder:
        async with EmbeddedStore(Path(folder, "store")) as store:
            socket = store.url.removeprefix("unix://")
            for number in range(1, arguments.stops + 1):
                stops.append(await stop_once(generator, socket, Path(folder)))
                result = "clean" if stops[-1].is_clean else f"exit code {stops[-1].code}"
                print(f"[{number}/{arguments.stops}] {result}, {stops[-1].seconds:.2f} s", file=sys.stderr, flush=True)
    print(report(stops))
    return 0 if all(stop.is_clean for stop in stops) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
