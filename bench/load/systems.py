"""The servers that are compared: how each is started, pinned to its core, and taken down."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from msgspec import Struct

from bench.load.machine import BUILT, GENERATOR_CORE, PEERS, SERVER_CORE, free_port, pinned
from parlour.server.store.binary import find_binary

STANDIN = Path(__file__).parents[1] / "standin"
START_WITHIN = 30.0  # seconds

# Everything is on, and nothing is refused: the generator is more than any real client would ask for.
LIMITS_AWAY = (
    "--max-connections", "100000", "--max-connections-per-address", "100000",
    "--message-rate", "1000000", "--message-burst", "1000000",
    "--guest-rate", "0", "--seek-rate", "0", "--challenge-rate", "0",
)  # fmt: skip


class Running(Struct, frozen=True):
    """A server that can be connected to."""

    port: int
    pid: int
    store_pid: int = 0  # of the process that keeps its data, if there is one


class System(Struct, frozen=True):
    """One of those that are compared."""

    key: str
    title: str
    dialect: str  # of the generator
    start: Callable[[ExitStack], Running]


class DidNotStart(Exception):
    """A server ended, or did not listen in time; `str()` has its last words."""


@contextmanager
def running(system: System) -> Iterator[Running]:
    """The system, started anew; gone at the end, with all that it has written."""
    with ExitStack() as parts:
        yield system.start(parts)


def _start_parlour(parts: ExitStack) -> Running:
    folder = Path(parts.enter_context(tempfile.TemporaryDirectory(prefix="parlour-bench-")))
    store = folder / "s"
    binary = asyncio.run(find_binary())
    valkey = _launch(
        parts,
        GENERATOR_CORE,
        [
            str(binary.path), "--port", "0", "--unixsocket", str(store), "--dir", str(folder),
            "--appendonly", "yes", "--appendfsync", "everysec", "--save", "",
        ],
        folder,
    )  # fmt: skip
    _wait(valkey, folder, lambda: _answers(socket.AF_UNIX, str(store)))
    port = free_port()
    node = _launch(
        parts,
        SERVER_CORE,
        [
            sys.executable, "-m", "parlour.cli", "--games", str(STANDIN), "serve", "--redis", f"unix://{store}",
            "--port", str(port), "--log-level", "warning", *LIMITS_AWAY,
        ],
        folder,
    )  # fmt: skip
    _wait(node, folder, lambda: _answers(socket.AF_INET, ("127.0.0.1", port)))
    return Running(port, node.pid, valkey.pid)


def _start(command: list[str], parts: ExitStack) -> Running:
    folder = Path(parts.enter_context(tempfile.TemporaryDirectory(prefix="parlour-bench-")))
    port = free_port()
    server = _launch(parts, SERVER_CORE, [*command, str(port)], folder)
    _wait(server, folder, lambda: _answers(socket.AF_INET, ("127.0.0.1", port)))
    return Running(port, server.pid)


def systems(node: str) -> tuple[System, ...]:
    """All of them; `node` is the program that runs those in JavaScript."""

    def script(name: str) -> Callable[[ExitStack], Running]:
        return lambda parts: _start([node, str(PEERS / name)], parts)

    return (
        System(PARLOUR, "Parlour", "parlour", _start_parlour),
        System(COLYSEUS, "Colyseus", "colyseus", script("colyseus.mjs")),
        System(WS, "node ws", "plain", script("ws.mjs")),
        System(FLOOR, "C floor", "plain", lambda parts: _start([str(BUILT / "floor")], parts)),
    )


PARLOUR, COLYSEUS, WS, FLOOR = "parlour", "colyseus", "ws", "floor"
KEYS = (PARLOUR, COLYSEUS, WS, FLOOR)


# -- processes


def _launch(parts: ExitStack, core: int, command: list[str], folder: Path) -> subprocess.Popen[bytes]:
    # Not what this shell has set for a node of its own.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")}
    with (folder / "output").open("ab") as output:
        process = subprocess.Popen(
            pinned(core, command),
            cwd=folder,
            env={**environment, "NODE_ENV": "production"},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    parts.callback(_end, process)
    return process


def _end(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait()


def _wait(process: subprocess.Popen[bytes], folder: Path, ready: Callable[[], bool]) -> None:
    until = time.monotonic() + START_WITHIN
    while not ready():
        if process.poll() is not None or time.monotonic() > until:
            words = (folder / "output").read_text(encoding="utf-8", errors="replace")
            raise DidNotStart(f"{process.args!r} did not start:\n{words[-2000:]}")
        time.sleep(0.02)


def _answers(family: socket.AddressFamily, address: str | tuple[str, int]) -> bool:
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        return probe.connect_ex(address) == 0
