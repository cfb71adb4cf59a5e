"""`parlour account export`: everything that a server has stored about a player."""

from __future__ import annotations

import asyncio
import io
import json
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from parlour.cli import main
from parlour.client.connection import Connection
from parlour.protocol.messages import CreateRecoveryCodes, RecoveryCodes, Register
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


async def test_an_account_is_recovered_with_a_code(
    server: ServerProcess, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A code from standard input sets the new password, and works only once."""
    async with Connection([server.url]) as ben:
        await ben.call(Register(id=0, name="Ben", password=PASSWORD))
        codes = (await ben.ask(CreateRecoveryCodes(id=0, password=PASSWORD), RecoveryCodes)).codes
    monkeypatch.setenv("PARLOUR_PASSWORD", "stone bishop")
    arguments = ["account", "recover", "--account", "ben", "--server", server.url]
    for code, exit_code in ((codes[0].upper().replace("-", " "), 0), (codes[0], 2)):
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{code}\n"))
        assert await asyncio.to_thread(main, arguments) == exit_code
    shown = capsys.readouterr()
    assert "all devices are signed out" in shown.out
    assert "sign_in_refused" in shown.err
    export = ["account", "export", "--account", "ben", "--server", server.url]
    assert await asyncio.to_thread(main, export) == 0
    assert json.loads(capsys.readouterr().out)["recovery_codes_left"] == len(codes) - 1
