"""Builds the browser client for tests."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def build_page(folder: Path) -> None:
    """Build the client if its sources have changed. A lock in `folder` lets one process build at a time."""
    with (folder / "page.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for command in ("tools", "build"):
            done = subprocess.run(
                [sys.executable, ROOT / "hatch_build.py", command],
                capture_output=True, encoding="utf-8", check=False, timeout=200,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
