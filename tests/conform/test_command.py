"""The `parlour conform` command: its output, its JSON report and its exit codes."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

import pytest

from parlour.cli import main
from parlour.conform.scripted_server import ScriptedServer
from tests.conform.small_server import SmallServer

EXAMPLE = str(Path(__file__).parents[2] / "docs" / "clients" / "random_player.py")


def test_a_client_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The requested rules are printed as a table and written as JSON, and exit code 0 means that all are kept."""
    file = tmp_path / "report.json"
    code = main(
        [
            "conform",
            "client",
            "--only",
            "plays",
            "--only",
            "resumes",
            "--json",
            str(file),
            "--",
            sys.executable,
            EXAMPLE,
        ]
    )
    printed = capsys.readouterr().out
    assert code == 0, printed
    assert (
        ": 2 kept, 0 broken, 0 not reached.\nConformance kit 2, protocol parlour.v1, player, game replica.\n" in printed
    )
    assert [rule["verdict"] for rule in json.loads(file.read_text())["rules"]] == ["kept", "kept"]


def test_a_broken_client_yields_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    """A broken rule is named and yields exit code 1; options after -- are passed to the client."""
    assert main(["conform", "client", "--only", "plays", "--", sys.executable, "-c", "raise SystemExit(7)"]) == 1
    printed = capsys.readouterr().out
    assert "it exited with 7, before any game" in " ".join(printed.split())
    assert "\nBroken: plays.\n" in printed


async def test_a_server_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    """A server is checked by its address alone."""
    async with ScriptedServer() as server:
        code = await asyncio.to_thread(
            main, ["conform", "server", server.url, "--only", "ping", "--subprotocol", "json"]
        )
    assert code == 0
    assert "kept            ping  A ping is answered" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["server", "ws://127.0.0.1:1/ws"], "Nothing listens at 127.0.0.1:1."),
        (["server", "no-such-host.invalid"], "There is no host named no-such-host.invalid."),
        (["client", "--", "no-such-program"], "no-such-program cannot be started: No such file"),
        (["client", "--game", "chess", "--", "true"], "There is no game “chess”."),
    ],
)
def test_an_impossible_check_yields_exit_code_2(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """If there is nothing to check, one sentence says why, and the exit code is 2."""
    assert main(["conform", *arguments]) == 2
    assert sentence in capsys.readouterr().err


async def test_ctrl_c_ends_everything(tmp_path: Path) -> None:
    """An interrupt yields exit code 130, prints no traceback, and leaves no process running."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    client = f"import time; pipe = open({str(pipe)!r}, 'w'); print('up', file=pipe, flush=True); time.sleep(600)"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "parlour.cli", "conform", "client", "--only", "plays", "--", sys.executable, "-c", client,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    with await asyncio.to_thread(pipe.open) as reading:
        assert await asyncio.to_thread(reading.readline) == "up\n"
        process.send_signal(signal.SIGINT)
        output, errors = await asyncio.wait_for(process.communicate(), 20)
        # The client holds the other end, so this returns only once the client has exited.
        assert await asyncio.wait_for(asyncio.to_thread(reading.read), 20) == ""
    assert process.returncode == 130
    assert not output
    assert b"Traceback" not in errors


async def test_a_server_is_restarted(capsys: pytest.CaptureFixture[str]) -> None:
    """A restart command that fails is reported with its exit code, and no verdict is given."""
    async with SmallServer() as server:
        arguments = ["conform", "server", server.url, "--rule", "restart-turn", "--restart", "exit 7"]
        assert await asyncio.to_thread(main, arguments) == 2
    assert "parlour: “exit 7” exited with 7" in capsys.readouterr().err
