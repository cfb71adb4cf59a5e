"""A run from the start of the system to the report."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import pytest

from parlour.chaos.processes import NotStarted
from parlour.chaos.progress import Display
from parlour.chaos.runner import Options, Run
from tests.waiting import until


class Terminal(io.StringIO):
    """Gets the status several times a second."""

    def isatty(self) -> bool:
        return True


async def test_a_run_is_stopped_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that has happened until then is checked."""
    monkeypatch.setenv("COLUMNS", "200")
    sink = Terminal()
    options = Options(tmp_path, ("client-mute",), nodes=2, games=2, watchers=1, seconds=600.0, seed=6, bots=0)
    run = Run(options, Display(sink))
    executing = asyncio.create_task(run.execute())
    await until(lambda: "client-mute on node" in sink.getvalue() or executing.done())
    assert not run.is_stopping
    run.stop()
    assert run.is_stopping
    report = await executing

    assert report.violations == ()
    assert [(fault.kind, fault.executed >= 1) for fault in report.faults] == [("client-mute", True)]
    assert report.games >= 2
    assert report.commands >= 2
    assert report.spectators == 1
    assert report.left_out == ()


async def test_a_system_that_does_not_start(tmp_path: Path) -> None:
    """There is no report."""
    options = Options(tmp_path, ("node-kill",), nodes=2, games=1, watchers=0, server_command=("false",))
    with pytest.raises(NotStarted, match=r"node [12] ended with code 1"):
        await Run(options, Display(io.StringIO())).execute()
