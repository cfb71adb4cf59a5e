"""Real server processes for tests: started, waited for, killed."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ADDRESS = re.compile(rb"ws://[^\s)]+")
START_WITHIN = 150  # seconds: on a very busy machine, importing alone may take most of them
STOP_WITHIN = 60


class ServerProcess:
    """One `parlour serve`. The port is kept over restarts, so that clients find it again."""

    def __init__(
        self, data: Path, *options: str, port: int = 0, games: Path | None = None, python: Path = Path(sys.executable)
    ) -> None:
        """`games` is a folder with more games; `python` belongs to the environment that has Parlour."""
        self.data = data
        self.games = games
        self.python = python
        self.options = options
        self.port = port
        self.process: Process | None = None
        self.url = ""

    async def start(self) -> None:
        """Start, and wait until the process says where it listens."""
        self.data.mkdir(parents=True, exist_ok=True)
        with (self.data / "server.log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                self.python, "-m", "parlour.cli", *(("--games", str(self.games)) if self.games else ()),
                "serve", "--port", str(self.port), "--data", str(self.data),
                *self.options,
                stdout=PIPE,
                stderr=log,
                process_group=0,  # as a shell does it, for `interrupt`
            )  # fmt: skip
        assert self.process.stdout is not None
        async with asyncio.timeout(START_WITHIN):
            line = await self.process.stdout.readline()
        found = ADDRESS.search(line)
        assert found is not None, (self.data / "server.log").read_text()
        self.url = found[0].decode()
        self.port = int(self.url.rpartition(":")[2].partition("/")[0])

    async def kill(self) -> None:
        """Kill the process with SIGKILL."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        await self.process.wait()

    async def stop(self) -> int:
        """Stop the process with SIGTERM; return the exit code."""
        assert self.process is not None
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(STOP_WITHIN):
            return await self.process.wait()

    async def interrupt(self) -> int:
        """Send SIGINT to the whole process group, as Ctrl-C does; return the exit code."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGINT)
        async with asyncio.timeout(STOP_WITHIN):
            return await self.process.wait()

    @property
    def workers(self) -> dict[int, int]:
        """The process ids of its workers, by their numbers."""
        assert self.process is not None
        found = {}
        for pid in children(self.process.pid, b"parlour.server.workers"):
            environment = Path(f"/proc/{pid}/environ").read_bytes()
            name = re.search(rb"PARLOUR_NODE_NAME=[^\0]*-(\d+)\0", environment)
            assert name is not None
            found[int(name[1])] = pid
        return found

    @property
    def store(self) -> int:
        """The process id of its embedded store."""
        pid: int = json.loads((self.data / "valkey.json").read_bytes())["pid"]
        return pid

    @contextmanager
    def without_store(self) -> Iterator[None]:
        """Kill the embedded store and hide its data meanwhile, so that it cannot be restarted."""
        (file,) = (self.data / "appendonlydir").glob("*.incr.aof")
        hidden = file.rename(file.with_name("hidden"))  # Valkey still writes to it
        os.kill(self.store, signal.SIGKILL)
        yield
        hidden.rename(file)

    @property
    def errors(self) -> list[str]:
        """The errors in its log, and everything that is not a log entry."""

        def is_one(line: str) -> bool:
            return not line.startswith("{") or json.loads(line)["level"] in ("error", "critical")

        return [line for line in self.log.splitlines() if is_one(line)]

    @property
    def log(self) -> str:
        return (self.data / "server.log").read_text(encoding="utf-8")


def children(parent: int, word: bytes) -> list[int]:
    """Return the process ids of the children of a process that have this word on their command line."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            its_parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except (OSError, ValueError):
            continue
        if its_parent == parent and word in words:
            found.append(int(folder.name))
    return sorted(found)


def is_running(pid: int) -> bool:
    """Return whether a process exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
