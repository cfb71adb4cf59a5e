"""One server for all screens: starting one takes longer than most of these tests."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.conftest import GENEROUS


@contextmanager
def serving(data: Path, *options: str) -> Iterator[str]:
    """Run a server, with `options` before the subcommand, and yield its address."""
    arguments = ("--port", "0", "--data", str(data), "--bot-pace", "0", "--bot-pace-alone", "0", *GENEROUS)
    with (data / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "parlour.cli", *options, "serve", *arguments], stdout=subprocess.PIPE, stderr=log
        )
    assert process.stdout is not None
    found = re.search(rb"ws://[^\s)]+", process.stdout.readline())
    assert found is not None, (data / "log").read_text()
    try:
        yield found[0].decode()
    finally:
        process.terminate()
        process.communicate(timeout=30)


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that runs for the whole session."""
    with serving(tmp_path_factory.mktemp("server")) as address:
        yield address
