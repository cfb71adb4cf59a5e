"""Programs that end with their parent process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from parlour.server.store import launch

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")

# Starts `cat` through launch.py, prints its pid, and waits to be killed.
PARENT = """
import os, subprocess, sys
child = subprocess.Popen([sys.executable, "-IS", sys.argv[1], str(os.getpid()), "/bin/cat"], stdin=subprocess.PIPE)
child.stdin.write(b"started\\n")
child.stdin.flush()
sys.stdin.read()
"""


def run(parent: int, *command: str) -> subprocess.CompletedProcess[str]:
    arguments = [sys.executable, "-IS", launch.__file__, str(parent), *command]
    return subprocess.run(arguments, capture_output=True, encoding="utf-8", check=False)


def test_the_program_replaces_the_script() -> None:
    """The program runs with its arguments, and its exit code is the script's."""
    assert run(os.getpid(), "/bin/echo", "one", "two").stdout == "one two\n"
    assert run(os.getpid(), "/bin/sh", "-c", "exit 7").returncode == 7


@linux_only
def test_nothing_runs_without_the_parent() -> None:
    """If the parent has already ended, the program is not started."""
    done = run(1, "/bin/echo", "running")
    assert (done.returncode, done.stdout) == (0, "")


@linux_only
def test_the_program_ends_with_its_parent() -> None:
    """When the parent is killed, the program ends, and with it the pipe that it holds open."""
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, launch.__file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert parent.stdout is not None
    assert parent.stdin is not None
    assert parent.stdout.readline() == b"started\n"
    parent.kill()
    assert parent.stdout.read() == b""  # end of file: no process has the pipe open any more
    parent.wait()
    parent.stdin.close()
    parent.stdout.close()


def test_the_script_needs_no_package() -> None:
    """The script imports only the standard library, because it runs without site packages."""
    assert "parlour" not in Path(launch.__file__).read_text(encoding="utf-8")
