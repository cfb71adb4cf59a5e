"""The check of a client that is a program."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from parlour.conform.client_check import check_client
from parlour.conform.client_process import Program
from parlour.conform.report import Verdict
from parlour.conform.rules import CLIENT_RULES, of_profile

EXAMPLE = Path(__file__).parents[2] / "docs" / "clients" / "random_player.py"
LIMIT = 60.0  # seconds for one game, generous enough for a busy machine


async def test_only_the_wanted_rules_are_reported() -> None:
    """With `only`, games that decide none of these rules are not played, and there is no certificate."""
    played: list[str] = []
    example = Program([sys.executable, str(EXAMPLE)], LIMIT)
    report = await check_client(example, "example", only=["plays", "legal"], progress=played.append)
    assert report.of(Verdict.KEPT) == ["legal", "plays"]
    assert played == ["plays"]
    assert not report.certificate


async def test_a_client_that_does_nothing_reaches_nothing() -> None:
    """A program that exits at once breaks the rule that a client plays; the other rules are not reached."""
    report = await check_client(Program([sys.executable, "-c", "print('no idea')"], LIMIT), "idle", at_once=8)
    assert report.of(Verdict.BROKEN) == ["plays"]
    assert len(report.of(Verdict.NOT_REACHED)) == len(of_profile(CLIENT_RULES, report.subject.profile)) - 1
    (plays,) = (finding for finding in report.findings if finding.rule == "plays")
    assert "exited with 0, before any game; its last line of output: no idea" in plays.detail


async def test_a_missing_program_cannot_be_checked() -> None:
    """If the program does not exist, the check raises OSError."""
    with pytest.raises(OSError, match="no-such-program"):
        await check_client(Program(["no-such-program"], LIMIT), "missing")


async def test_a_hanging_client_is_killed_with_its_children(tmp_path: Path) -> None:
    """A client that does not exit in time is killed together with its child processes."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(reading, True)
    # The client's child process keeps the other end of the pipe open while it lives.
    child = f"import time; pipe = open({str(pipe)!r}, 'w'); print('alive', file=pipe, flush=True); time.sleep(600)"
    client = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    report = await check_client(Program([sys.executable, "-c", client], 2.0), "hanging", only=["plays"])
    assert report.of(Verdict.BROKEN) == ["plays"]
    assert "was running after 2 s, before any game" in report.findings[0].detail
    with os.fdopen(reading, "rb") as end:
        assert await asyncio.wait_for(asyncio.to_thread(end.read), 10) == b"alive\n"
