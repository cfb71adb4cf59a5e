"""Processes that are started, signalled, and never left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from bench.load.processes import free_port
from parlour.chaos.processes import ChildProcess, NodeProcess, NotStarted, WorkerProcess
from tests.waiting import WITHIN, until

SLEEP = "import time; print('started', flush=True); time.sleep(600)"
NODE = """
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/readyz" else 404)
        self.end_headers()
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""


def python(code: str, *arguments: str) -> Sequence[str]:
    return (sys.executable, "-c", code, *arguments)


def child(folder: Path, code: str = SLEEP) -> ChildProcess:
    return ChildProcess("child", python(code), folder / "log", os.environ)


async def test_it_is_started_and_stopped(tmp_path: Path) -> None:
    """It runs until it is stopped, and can be started again; its output is in the log."""
    process = child(tmp_path)
    assert process.pid is None
    assert await process.stop() is None
    for times in (1, 2):
        await process.start()
        await until(lambda times=times: (tmp_path / "log").read_text() == times * "started\n")  # type: ignore[misc]
        assert process.is_running
        assert process.pid is not None
        assert await process.stop() == -signal.SIGTERM
        assert not process.is_running
        assert process.exit_code == -signal.SIGTERM


async def test_a_suspended_process_is_stopped(tmp_path: Path) -> None:
    """It is woken up for that."""
    process = child(tmp_path)
    await process.start()
    process.send_signal(signal.SIGSTOP)
    assert await process.stop() == -signal.SIGTERM


async def test_it_is_killed_with_its_children(tmp_path: Path) -> None:
    """No process of the group is left."""
    code = "import subprocess, sys; p = subprocess.Popen(['sleep', '600']); print(p.pid, flush=True); p.wait()"
    process = child(tmp_path, code)
    await process.start()
    await until(lambda: (tmp_path / "log").read_text().endswith("\n"))
    grandchild = int((tmp_path / "log").read_text())
    await process.kill()
    assert process.exit_code == -signal.SIGKILL

    def is_gone() -> bool:
        try:
            return Path(f"/proc/{grandchild}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        except OSError:
            return True

    await until(is_gone)


async def test_it_ends_with_its_parent(tmp_path: Path) -> None:
    """A process that is killed takes its child processes with it."""
    code = f"""
import asyncio, os
from pathlib import Path
from parlour.chaos.processes import ChildProcess
async def main():
    process = ChildProcess("child", {python(SLEEP)!r}, Path({str(tmp_path / "log")!r}), os.environ)
    await process.start()
    print(process.pid, flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""
    parent = await asyncio.create_subprocess_exec(*python(code), stdout=asyncio.subprocess.PIPE)
    assert parent.stdout is not None
    async with asyncio.timeout(WITHIN):
        pid = int(await parent.stdout.readline())
        await until(lambda: (tmp_path / "log").read_text() == "started\n")
        parent.kill()
        await parent.wait()

    def is_gone() -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"

    await until(is_gone)


async def test_a_program_that_does_not_exist(tmp_path: Path) -> None:
    """The user is told its name."""
    with pytest.raises(NotStarted, match="no program parlour-of-tomorrow"):
        await ChildProcess("child", ["parlour-of-tomorrow"], tmp_path / "log", os.environ).start()


async def test_a_node_is_ready(tmp_path: Path) -> None:
    """It is awaited until it says that it can serve."""
    port = free_port()
    node = NodeProcess("node 1", python(NODE, str(port)), port, tmp_path / "log", os.environ)
    await node.start()
    await node.ready()
    await node.kill()


async def test_a_node_that_ends(tmp_path: Path) -> None:
    """The user is told the last line that it printed."""
    port = free_port()
    code = "print('first'); print('that port is taken'); raise SystemExit(3)"
    node = NodeProcess("node 1", python(code), port, tmp_path / "log", os.environ)
    await node.start()
    with pytest.raises(NotStarted, match="node 1 ended with code 3: that port is taken"):
        await node.ready()


async def test_a_worker_is_ready(tmp_path: Path) -> None:
    """It is awaited until it prints that it has begun."""
    code = "import time; print('Computing bot moves with 1 processes.', flush=True); time.sleep(600)"
    worker = WorkerProcess("worker 1", python(code), tmp_path / "log", os.environ)
    await worker.start()
    await worker.ready()
    assert "Computing" in (tmp_path / "log").read_text()
    await worker.kill()
