"""The server processes of the load benchmark."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from bench.load.processes import LOAD_CORE, StartFailed, free_port, listening

SERVER = """
import os, socket, sys
print({name for name in os.environ if name.startswith(("PARLOUR_", "NODE_ENV"))}, flush=True)
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    server.accept()
"""


async def test_a_server_runs_until_the_end_of_the_block(tmp_path: Path) -> None:
    """Inside the block the server accepts connections; afterwards its process has ended."""
    port = free_port()
    async with listening([sys.executable, "-c", SERVER, str(port)], port, tmp_path) as process:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.close()
        assert process.returncode is None

    assert process.returncode is not None


async def test_settings_of_another_node_are_not_inherited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server does not see PARLOUR_ variables, and Node.js runs in production mode."""
    monkeypatch.setenv("PARLOUR_PORT", "1")
    port = free_port()
    async with listening([sys.executable, "-c", SERVER, str(port)], port, tmp_path):
        assert (tmp_path / "output").read_text() == "{'NODE_ENV'}\n"


async def test_a_server_that_exits_is_reported_with_its_output(tmp_path: Path) -> None:
    """The error contains what the server printed."""
    with pytest.raises(StartFailed, match="the disk is full"):
        async with listening([sys.executable, "-c", "raise SystemExit('the disk is full')"], free_port(), tmp_path):
            pytest.fail("the server did not start")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has affinities")
def test_the_load_has_its_own_core() -> None:
    """After `pin_load` the process may only use the load's core, if there are two."""
    code = (
        "import os; from bench.load import processes; processes.pin_load();"
        "print(sorted(os.sched_getaffinity(0)) if os.cpu_count() > 1 else [processes.LOAD_CORE])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)

    assert done.stdout == f"[{LOAD_CORE}]\n"
