"""`parlour chaos`: correct builds pass, wrong builds are caught, and nothing is left behind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Any

import pytest

from parlour.cli import main

TOP = Path(__file__).parents[2]
SMALL = ("--nodes", "2", "--games", "8", "--watchers", "10")
WITHIN = 250.0  # seconds; an idle machine needs about forty


async def start(*options: str) -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "parlour.cli", "chaos", *options, cwd=TOP, stdout=PIPE, stderr=PIPE
    )


async def finish(process: Process) -> tuple[int, str, str]:
    """Return the exit code, the output and the errors."""
    async with asyncio.timeout(WITHIN):
        output, errors = await process.communicate()
    assert process.returncode is not None
    return process.returncode, output.decode(), errors.decode()


def children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == pid:
            found.append(int(folder.name))
    return found


async def test_a_correct_build(tmp_path: Path) -> None:
    """No guarantee is broken by the faults of a short run, and the report says so in both forms."""
    file, data = tmp_path / "report.json", tmp_path / "data"
    process = await start(*SMALL, "--minutes", "0.5", "--seed", "27", "--json", str(file), "--data", str(data))
    code, output, errors = await finish(process)
    report: dict[str, Any] = json.loads(file.read_bytes())

    assert code == 0, output
    assert output.endswith("\nNo violation.\n")
    assert "0 violations" in errors
    assert report["ok"] is True
    assert report["violations"] == []
    assert sum(fault["executed"] for fault in report["faults"]) >= 2
    assert report["commands"] > 50
    assert report["games"] >= 8
    assert {path.name for path in data.glob("*.log")} == {"node-1.log", "node-2.log", "worker-1.log"}


@pytest.mark.parametrize(
    ("build", "fault", "seed", "minutes", "caught"),
    [
        ("ack_before_commit", "store-kill", "3", "0.2", {"lost", "phantom"}),
        ("ids_not_checked", "client-mute", "6", "0.3", {"denied"}),
        ("outage_charged", "store-freeze", "3", "0.4", {"time"}),  # for 18.7 seconds
    ],
)
async def test_a_wrong_build(build: str, fault: str, seed: str, minutes: str, caught: set[str], tmp_path: Path) -> None:
    """It is caught within a minute."""
    file = tmp_path / "report.json"
    process = await start(
        *SMALL, "--bots", "0", "--minutes", minutes, "--seed", seed, "--faults", fault, "--json", str(file),
        "--server-command", f"{sys.executable} -m tests.chaos.broken.{build} serve",
    )  # fmt: skip
    code, output, _ = await finish(process)
    found = {violation["kind"] for violation in json.loads(file.read_bytes())["violations"]}

    assert code == 1, output
    assert caught <= found
    assert output.endswith("violations.\n")


async def test_ctrl_c(tmp_path: Path) -> None:
    """The run ends early and is checked; no process is left behind."""
    process = await start(*SMALL, "--minutes", "30", "--faults", "node-freeze")
    assert process.stderr is not None
    async with asyncio.timeout(WITHIN):
        while b"node-freeze on node" not in await process.stderr.readline():
            assert process.returncode is None
    started = children(process.pid)
    assert len(started) >= 4
    process.send_signal(signal.SIGINT)
    code, output, _ = await finish(process)

    assert code == 0, output
    assert output.endswith("\nNo violation.\n")
    for pid in started:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


async def test_ctrl_c_twice() -> None:
    """The run ends without a check; no process is left behind."""
    process = await start(*SMALL, "--minutes", "30", "--faults", "store-pause")
    assert process.stderr is not None
    async with asyncio.timeout(WITHIN):
        while b"store-pause" not in await process.stderr.readline():
            assert process.returncode is None
    started = children(process.pid)
    process.send_signal(signal.SIGINT)
    await asyncio.sleep(0)
    process.send_signal(signal.SIGTERM)
    code, output, _ = await finish(process)

    assert code == 130
    assert output == ""
    for pid in started:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_folder_that_is_not_empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its games would be mistaken for those of the run."""
    (tmp_path / "file").touch()
    assert main(["chaos", "--data", str(tmp_path)]) == 2
    assert "is not an empty folder" in capsys.readouterr().err


def test_a_command_that_starts_no_node(capsys: pytest.CaptureFixture[str]) -> None:
    """It is reported, with exit code 1."""
    assert main(["chaos", *SMALL, "--server-command", "parlour-of-tomorrow serve"]) == 1
    assert "There is no program parlour-of-tomorrow." in capsys.readouterr().err
