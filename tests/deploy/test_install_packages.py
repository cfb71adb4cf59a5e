"""install-packages.sh: installs what is missing if it may, and otherwise says how."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "deploy" / "install-packages.sh"
ROOT, USER = 0, 1000


class Machine:
    """A machine on which only the given programs exist. `apt-get` records how it was called."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.calls = folder / "calls"
        self.calls.touch()
        for name in ("basename", "env"):
            (folder / name).symlink_to(str(shutil.which(name)))

    def add(self, name: str, *lines: str) -> None:
        path = self.folder / name
        path.write_text("\n".join((f"#!{shutil.which('bash')}", *lines)) + "\n")
        path.chmod(0o755)

    def login(self, user: int) -> None:
        self.add("id", f"echo {user}")

    def add_apt(self) -> None:
        self.add("apt-get", f'echo "$*" >> {self.calls}')

    def run(self, *tools: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(shutil.which("bash")), SCRIPT, *tools],
            env={"PATH": str(self.folder)}, capture_output=True, encoding="utf-8", check=False, timeout=60,
        )  # fmt: skip

    @property
    def installed(self) -> list[str]:
        """The packages that were installed."""
        calls = [line.split() for line in self.calls.read_text().splitlines()]
        return [word for call in calls if call[0] == "install" for word in call[1:] if not word.startswith("-")]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_nothing_happens_if_nothing_is_missing(machine: Machine) -> None:
    """With all tools in place the package manager is not called, nor is any permission needed."""
    machine.login(USER)
    machine.add_apt()
    machine.add("chromium")
    machine.add("python3", "exit 0")

    done = machine.run("venv", "chromium")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert machine.calls.read_text() == ""


def test_root_installs_what_is_missing(machine: Machine) -> None:
    """The package of every missing tool is installed, and no other."""
    machine.login(ROOT)
    machine.add_apt()
    machine.add("openssl")
    machine.add("python3", "exit 1")

    done = machine.run("venv", "cc", "openssl", "chromium")

    assert done.returncode == 0, done.stderr
    assert machine.installed == ["python3-venv", "gcc", "libc6-dev", "chromium"]


def test_sudo_is_used_if_it_asks_for_no_password(machine: Machine) -> None:
    """An ordinary user with passwordless sudo installs packages through it."""
    machine.login(USER)
    machine.add_apt()
    machine.add("sudo", '[[ $1 == --non-interactive ]] && exit 0; echo sudo >> "${0%/*}/used"; exec "$@"')

    done = machine.run("openssl")

    assert done.returncode == 0, done.stderr
    assert machine.installed == ["openssl"]
    assert (machine.folder / "used").read_text() == "sudo\nsudo\n"


def test_the_command_is_printed_without_permission(machine: Machine) -> None:
    """An ordinary user is told what to run, and nothing is installed."""
    machine.login(USER)
    machine.add_apt()
    machine.add("sudo", "exit 1")

    done = machine.run("cc", "chromium")

    assert done.returncode == 1
    assert "sudo apt-get install --yes --no-install-recommends gcc libc6-dev chromium\n" in done.stderr
    assert machine.calls.read_text() == ""


def test_other_systems_are_told_the_names(machine: Machine) -> None:
    """Without apt the message names the tools and their Debian packages."""
    machine.login(ROOT)

    done = machine.run("cc")

    assert done.returncode == 1
    assert "Missing: cc." in done.stderr
    assert "gcc libc6-dev" in done.stderr


def test_a_program_is_taken_out_of_a_package_that_would_start_a_server(machine: Machine) -> None:
    """Of Prometheus only promtool is needed: the package is downloaded and not installed."""
    machine.login(ROOT)
    machine.add("apt-get", f'echo "$*" >> {machine.calls}', "[[ $1 != download ]] || : > $3.deb")
    machine.add("dpkg-deb", f'echo "dpkg-deb $1" >> {machine.calls}')
    machine.add("install", f'echo "place ${{1##*/}}" >> {machine.calls}')
    for name in ("mktemp", "rm"):
        (machine.folder / name).symlink_to(str(shutil.which(name)))

    done = machine.run("promtool")

    assert done.returncode == 0, done.stderr
    assert machine.installed == []
    assert machine.calls.read_text().splitlines() == [
        "update -qq", "download -qq prometheus", "dpkg-deb --extract", "place promtool",
    ]  # fmt: skip


def test_the_script_can_be_executed() -> None:
    """The Makefile calls it by its name."""
    assert os.access(SCRIPT, os.X_OK)
