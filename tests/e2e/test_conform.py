"""The conformance kit against the real server, as any user would run it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
import pytest_asyncio

from tests.e2e.processes import ServerProcess

WITHIN = 120.0  # seconds; a busy machine may need some of them


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ServerProcess]:
    """A server with default settings. Without limits per minute: the kit would wait for them."""
    server = ServerProcess(
        tmp_path_factory.mktemp("server"), "--unlimited-networks", "127.0.0.0/8", "--hello-timeout", "3",
        "--claim-after", "1",
    )  # fmt: skip
    await server.start()
    yield server
    assert await server.stop() == 0


@pytest.mark.parametrize("game", ["isaac", "mapello", "mitsudomoe", "replica"])
async def test_the_server_keeps_every_rule(server: ServerProcess, tmp_path: Path, game: str) -> None:
    """`parlour conform server` certifies it, with every game."""
    report = tmp_path / "report.json"
    command = ["-m", "parlour.cli", "conform", "server", "--game", game, "--timeout", "30", "--json", str(report)]
    process = await asyncio.create_subprocess_exec(sys.executable, *command, server.url, stdout=PIPE, stderr=STDOUT)
    try:
        async with asyncio.timeout(WITHIN):
            told, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode == 0, told.decode()
    rules = msgspec.json.decode(report.read_bytes())["rules"]
    left_out = {rule["rule"] for rule in rules if rule["verdict"] != "kept"}
    assert left_out == RESTARTS | (set() if game == "mapello" else CHOOSING)
    assert server.errors == []


RESTARTS = {"restart-player", "restart-turn", "restart-repeat", "restart-result"}
CHOOSING = {"choose-first", "not-started"}


async def test_what_is_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    """With --restart, the kit kills a server with an embedded store, and finds all that was acknowledged."""
    server = ServerProcess(tmp_path / "data", "--unlimited-networks", "127.0.0.0/8", "--claim-after", "1")
    await server.start()
    script = tmp_path / "restart.py"
    pid = tmp_path / "pid"
    assert server.process is not None
    pid.write_text(str(server.process.pid))
    command = [sys.executable, "-m", "parlour.cli", "serve", "--port", str(server.port), "--data", str(server.data)]
    script.write_text(
        f"import os, pathlib, signal, subprocess\n"
        f"pid = pathlib.Path({str(pid)!r})\n"
        f"os.kill(int(pid.read_text()), signal.SIGKILL)\n"
        f"again = subprocess.Popen({[*command, *server.options]!r}, stdout=subprocess.DEVNULL, "
        f"stderr=subprocess.DEVNULL, start_new_session=True)\n"
        f"pid.write_text(str(again.pid))\n"
    )
    rules = [option for rule in sorted({*RESTARTS, "claim"}) for option in ("--rule", rule)]
    restart = ["--restart", f"{sys.executable} {script}", "--timeout", "30", "--subprotocol", "msgpack"]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "parlour.cli", "conform", "server", *rules, *restart, server.url,
        stdout=PIPE, stderr=STDOUT,
    )  # fmt: skip
    try:
        async with asyncio.timeout(WITHIN):
            told, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
        os.kill(int(pid.read_text()), signal.SIGKILL)
        await server.process.wait()
    assert process.returncode == 0, told.decode()
    assert ": 5 kept, 0 broken, 0 not reached." in told.decode()
