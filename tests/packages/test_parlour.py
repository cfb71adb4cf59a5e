"""The distribution parlour, installed from its wheel beside that of parlour-client."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

from tests.client.web.building import build_page
from tests.e2e.processes import ServerProcess
from tests.e2e.web import ask
from tests.packages.environments import LIBRARIES, ROOT, install, new_environment, run


@pytest.fixture
def built(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Build both wheels."""
    build_page(tmp_path_factory.getbasetemp().parent)
    for folder in (ROOT / "client", ROOT):
        run(
            *(sys.executable, "-m", "hatchling", "build", "--directory", str(tmp_path), "--target", "wheel"),
            folder=folder,
        )
    return sorted(tmp_path.glob("*.whl"))


def test_the_two_have_no_file_in_common(built: list[Path]) -> None:
    """Every package is in one of the wheels, and none in both."""
    packages = []
    for wheel in built:
        with zipfile.ZipFile(wheel) as archive:
            files = [name.split("/") for name in archive.namelist()]
        packages.append({f"parlour/{parts[1]}" for parts in files if parts[0] == "parlour"})
    client, parlour = sorted(packages, key=len)

    assert client == {"parlour/client", "parlour/protocol"}
    assert (
        parlour
        == {
            f"parlour/{path.parent.name}"
            for portion in ("server", "client")
            for path in (ROOT / portion / "parlour").glob("*/__init__.py")
        }
        - client
    )


async def test_it_is_complete(built: list[Path], tmp_path: Path) -> None:
    """Installed from the wheels, the command has its help, and the server its page, documentation and API."""
    python = new_environment(tmp_path / "environment", LIBRARIES)
    install(python, "--no-deps", *built)
    run(sys.executable, "-m", "pip", "--python", str(python), "check")
    parlour = python.with_name("parlour")

    assert "new-game" in run(str(parlour), "--help")
    assert str(tmp_path) in run(str(python), "-I", "-c", "import parlour.server; print(parlour.server.__file__)")
    server = ServerProcess(tmp_path / "data", python=python)
    await server.start()
    try:
        page = await ask(server, "/")
        others = [await ask(server, path) for path in ("/rules/replica", "/docs/protocol/", "/api/v1/openapi.json")]
    finally:
        await server.stop()
    assert [answer.status for answer in (page, *others)] == [200] * 4
    assert b'<script type="module"' in page.body
    assert server.errors == []
