"""`parlour new-game`: the package that it writes works at once."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

import pytest

from parlour import games
from parlour.cli import main
from parlour.cli.new_game import package_files
from parlour.client import Terms, connect
from tests.client.playing import play_out
from tests.e2e.processes import ServerProcess
from tests.packages.environments import LIBRARIES, SOURCES, install, new_environment, run
from tests.waiting import WITHIN

LONGEST_KEY = "a_game_with_the_longest_key_of_al"[:32]


@pytest.mark.parametrize("key", ["hexes", "x", "game", LONGEST_KEY])
def test_the_code_is_clean(key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever the name, ruff accepts the package and would not format it otherwise."""
    assert main(["new-game", key, "--path", str(tmp_path)]) == 0
    (folder,) = tmp_path.iterdir()

    assert folder.name == f"parlour-game-{key.replace('_', '-')}"
    assert str(folder) in capsys.readouterr().out
    run(sys.executable, "-m", "ruff", "check", ".", folder=folder)
    run(sys.executable, "-m", "ruff", "format", "--check", ".", folder=folder)


@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("Hexes", "name_refused"),
        ("7up", "name_refused"),
        ("hex-war", "name_refused"),
        ("../up", "name_refused"),
        ("class", "name_refused"),
        ("a" * 33, "name_refused"),
        ("replica", "game_conflict"),
    ],
)
def test_a_key_that_cannot_be(key: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A key that is no key, or that another game has, is refused, and nothing is written."""
    assert main(["new-game", key, "--path", str(tmp_path)]) == 2
    assert f"[{code}]" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that exists is left alone."""
    (tmp_path / "parlour-game-hexes").mkdir()

    assert main(["new-game", "hexes", "--path", str(tmp_path)]) == 2
    assert "[name_taken]" in capsys.readouterr().err
    assert list((tmp_path / "parlour-game-hexes").iterdir()) == []


def test_every_file_has_its_text() -> None:
    """No placeholder is left, and the version is that of this interface."""
    written = package_files("hex_war")

    assert "src/parlour_game_hex_war/rules.py" in written
    assert [name for name, text in written.items() if re.search(r"\$\w", text)] == []
    assert "class HexWarRules(Game[State]):" in written["src/parlour_game_hex_war/rules.py"]


async def test_it_works_at_once(tmp_path: Path) -> None:
    """Installed, the package passes its own tests and mypy, and a server plays a whole game of it with the computer."""
    assert main(["new-game", "hexes", "--path", str(tmp_path)]) == 0
    package = tmp_path / "parlour-game-hexes"
    python = new_environment(tmp_path / "environment", LIBRARIES, *SOURCES)
    install(python, "--no-deps", "--no-build-isolation", "--editable", package)

    run(str(python), "-m", "pytest", "-q", folder=package)
    run(str(python), "-m", "mypy", folder=package)
    server = ServerProcess(tmp_path / "data", "--bot-pace", "0", "--bot-pace-alone", "0", python=python)
    await server.start()
    try:
        async with asyncio.timeout(WITHIN), connect(server.url) as client:
            assert [card.name for card in client.games if card.key not in games.keys()] == ["Hexes"]
            assert (await client.rules("hexes")).text.startswith("# Hexes\n")
            table = await client.play_computer(Terms("hexes"), "8")
            result = await play_out(table, seed=1)
    finally:
        await server.stop()
    assert result is not None
    assert result.reason in ("row", "full")
    assert server.errors == []
