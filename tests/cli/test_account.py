"""`parlour account export`: everything that a server has stored about a player."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from parlour.cli import main
from parlour.client.connection import Connection
from parlour.protocol.messages import Register
from tests.e2e.processes import ServerProcess

PASSWORD = "wooden bishop"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A server on which Ann has an account."""
    one = ServerProcess(tmp_path / "data")
    await one.start()
    async with Connection([one.url]) as ann:
        await ann.call(Register(id=0, name="Ann", password=PASSWORD))
    yield one
    await one.stop()


async def test_an_account_is_exported(
    server: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As JSON, on standard output or in a file that only the user can read."""
    monkeypatch.setenv("PARLOUR_PASSWORD", PASSWORD)
    arguments = ["account", "export", "--account", "ann", "--server", server.url]
    assert await asyncio.to_thread(main, arguments) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["name"], data["kind"], data["finished_games"]) == ("Ann", "account", [])
    file = tmp_path / "ann.json"
    assert await asyncio.to_thread(main, [*arguments, "--output", str(file)]) == 0
    assert json.loads(file.read_bytes())["name"] == "Ann"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
