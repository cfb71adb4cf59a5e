"""Server processes: pinned to a core, awaited until they listen, and killed at the end."""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import socket
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from random import SystemRandom

SERVER_CORE = 0
LOAD_CORE = 1  # for the load generator and the store
PORTS = (10_000, 32_000)
START_TIMEOUT = 120.0  # seconds; the machine may be busy

randrange = SystemRandom().randrange  # tests seed the other generator


class StartFailed(Exception):
    """A server exited or did not listen in time; `str()` contains the end of its output."""


@asynccontextmanager
async def listening(command: Sequence[str], port: int, folder: Path) -> AsyncIterator[Process]:
    """Run a server in `folder` and on its own core; enter when it listens on `port`."""
    output = folder / "output"
    with output.open("ab") as file:
        process = await asyncio.create_subprocess_exec(
            *_pinned(command), cwd=folder, env=_environment(), stdin=DEVNULL, stdout=file, stderr=file,
            start_new_session=True,  # Ctrl-C is for the benchmark, which then kills its servers
        )  # fmt: skip
    try:
        await _wait_until_listening(process, port, output)
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def _wait_until_listening(process: Process, port: int, output: Path) -> None:
    try:
        async with asyncio.timeout(START_TIMEOUT):
            while not await _accepts(port):
                if process.returncode is not None:
                    raise StartFailed(f"A server exited when it was started:\n{_tail(output)}")
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise StartFailed(f"A server did not listen within {START_TIMEOUT:.0f} seconds:\n{_tail(output)}") from None


async def _accepts(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


def _tail(output: Path) -> str:
    return output.read_text(encoding="utf-8", errors="replace")[-2000:]


def _environment() -> dict[str, str]:
    """Return this process's environment without the settings of another Parlour node."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")}
    return {**inherited, "NODE_ENV": "production"}


# -- the machine


def _pinned(command: Sequence[str]) -> Sequence[str]:
    if not _has_two_cores() or shutil.which("taskset") is None:
        return command
    return ["taskset", "--cpu-list", str(SERVER_CORE), *command]


def pin_load() -> None:
    """Pin this process, and with it the store and the load generator that it will start, to their core."""
    if _has_two_cores() and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {LOAD_CORE})


def _has_two_cores() -> bool:
    return (os.cpu_count() or 1) >= 2


def raise_file_limit() -> None:
    """Allow this process and its children as many open files as the system permits."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def free_port() -> int:
    """Return a TCP port that is not in use."""
    (port,) = free_ports(1)
    return port


def free_ports(count: int) -> list[int]:
    """Return different TCP ports that are not in use.

    They are below those that the system hands out by itself, so that no other program gets one of them before the
    caller's server listens.
    """
    with ExitStack() as held:
        ports: list[int] = []
        while len(ports) < count:
            port = randrange(*PORTS)
            probe = held.enter_context(socket.socket())
            with suppress(OSError):
                probe.bind(("127.0.0.1", port))
                ports.append(port)
        return ports
