"""The distribution parlour-client, installed from its wheel into an empty environment."""

from __future__ import annotations

import sys
import tarfile
from pathlib import Path

import pytest

from tests.e2e.processes import ServerProcess
from tests.packages.environments import ROOT, distributions, install, new_environment, run, wheel_of_installed
from tests.packages.programs import let_bots_play, let_spectator_watch


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """Build the sdist, and the wheel from what is in it; return their folder."""
    folder = tmp_path / "dist"
    build = (sys.executable, "-m", "hatchling", "build", "--directory", str(folder))
    run(*build, "--target", "sdist", folder=ROOT / "client")
    (archive,) = folder.glob("parlour_client-*.tar.gz")
    with tarfile.open(archive) as sdist:
        sdist.extractall(tmp_path, filter="data")
    run(*build, "--target", "wheel", folder=tmp_path / archive.name.removesuffix(".tar.gz"))
    return folder


async def test_a_bot_needs_nothing_else(built: Path, tmp_path: Path) -> None:
    """With msgspec and websockets alone, the documented bots play a rated game, and the spectator watches it."""
    for library in ("msgspec", "websockets"):
        wheel_of_installed(library, built)
    python = new_environment(tmp_path / "environment")
    install(python, "--find-links", built, "parlour-client")

    assert distributions(python) == {"parlour-client", "msgspec", "websockets"}
    light = "import sys, parlour.client; print(*{'asyncio', 'msgspec', 'websockets'} & set(sys.modules))"
    assert run(str(python), "-I", "-c", light).strip() == ""

    server = ServerProcess(tmp_path / "data")
    await server.start()
    try:
        await let_bots_play(server, tmp_path, python, ".py")
        await let_spectator_watch(server, tmp_path, python, ".py")
    finally:
        await server.stop()
