"""One server for all screens: starting one takes longer than most of these tests."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import GENEROUS


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a server is that nobody stops."""
    data: Path = tmp_path_factory.mktemp("server")
    arguments = ("--port", "0", "--data", str(data), "--bot-pace", "0", "--bot-pace-alone", "0", *GENEROUS)
    with (data / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "parlour.cli", "serve", *arguments], stdout=subprocess.PIPE, stderr=log
        )
    assert process.stdout is not None
    found = re.search(rb"ws://[^\s)]+", process.stdout.readline())
    assert found is not None, (data / "log").read_text()
    yield found[0].decode()
    process.terminate()
    process.communicate(timeout=30)
