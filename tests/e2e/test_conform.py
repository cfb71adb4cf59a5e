"""The conformance kit against the real server, as any user would run it."""

from __future__ import annotations

import asyncio
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
    server = ServerProcess(tmp_path_factory.mktemp("server"), "--unlimited-networks", "127.0.0.0/8")
    await server.start()
    yield server
    assert await server.stop() == 0


@pytest.mark.parametrize("game", ["isaac", "mapello", "mitsudomoe", "replica"])
async def test_the_server_keeps_every_rule(server: ServerProcess, tmp_path: Path, game: str) -> None:
    """`parlour conform server` finds no rule broken and none that it could not check."""
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
    assert {rule["verdict"] for rule in rules} == {"kept"}
    assert server.errors == []
