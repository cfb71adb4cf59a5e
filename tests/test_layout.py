"""The layout of the repository: rules that concern all files at once."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

TOP = Path(__file__).parents[1]
PORTIONS = [TOP / "server" / "parlour", TOP / "client" / "parlour", TOP / "protocol" / "parlour"]
OURS = [TOP / name for name in ("server", "client", "protocol", "tests", "bench", "docs")]
NOT_OURS = {"__pycache__", "node_modules", "dist", "build", "site", ".venv"}
SUFFIXES = {".py", ".ts", ".tsx", ".js", ".mjs", ".css", ".html", ".lua"}
LONGEST = 450

# All messages, all errors and all keys of the store in one file each are worth more than short files.
MAY_BE_LONG = {
    "protocol/parlour/protocol/errors.py",
    "protocol/parlour/protocol/messages.py",
    "server/parlour/server/store/keys.py",
}
VAGUE = {"util", "utils", "helper", "helpers", "manager", "base", "common"}

# Each package, and where its tests are: parlour/games/grid.py is tested by tests/games/test_grid.py.
MIRRORS = {
    "bench": "tests/bench",
    "server/parlour/bots": "tests/bots",
    "server/parlour/chaos": "tests/chaos",
    "server/parlour/cli": "tests/cli",
    "server/parlour/conform": "tests/conform",
    "server/parlour/games": "tests/games",
    "server/parlour/server": "tests/server",
    "server/parlour/tournaments": "tests/tournaments",
    "client/parlour/client": "tests/client",
    "client/parlour/terminal": "tests/terminal",
    "client/parlour/web": "tests/client/web",
    "protocol/parlour/protocol": "tests/protocol",
    "protocol/publish": "tests/protocol/publish",
}


def sources() -> Iterator[Path]:
    """Yield every source file of the project."""
    for folder in OURS:
        for path in folder.rglob("*"):
            if path.suffix in SUFFIXES and not NOT_OURS & set(path.relative_to(TOP).parts):
                yield path


def named(path: Path) -> str:
    return path.relative_to(TOP).as_posix()


def is_generated(path: Path) -> bool:
    """Return whether the first lines of a file say so."""
    with path.open(encoding="utf-8") as file:
        return any("do not edit" in line for _, line in zip(range(3), file, strict=False))


def unmirrored(packages: Iterable[str]) -> dict[str, str]:
    """Return the source files of these packages that have no test file, with the test file each should have."""
    missing = {}
    for package in packages:
        for source in sorted((TOP / package).rglob("*.py")):
            mirror = TOP / MIRRORS[package] / source.relative_to(TOP / package).with_name(f"test_{source.name}")
            is_ours = not NOT_OURS & set(source.relative_to(TOP).parts)
            if is_ours and not source.stem.startswith("__") and not mirror.is_file():
                missing[named(source)] = named(mirror)
    return missing


# -- the namespace


def test_no_portion_claims_the_namespace() -> None:
    """`parlour` is a namespace of three folders: an __init__.py in any of them would hide the other two."""
    assert [named(portion) for portion in PORTIONS if not portion.is_dir()] == []
    assert [named(path) for top in OURS for path in top.rglob("parlour/__init__.py")] == []


def test_every_package_is_typed() -> None:
    """Each package in the namespace has a py.typed, so that users can type-check their code against it."""
    packages = [path.parent for portion in PORTIONS for path in portion.glob("*/__init__.py")]

    assert len(packages) >= 5
    assert [named(package) for package in packages if not (package / "py.typed").is_file()] == []


def test_every_folder_of_code_is_a_package() -> None:
    """Every folder with code has an __init__.py; without it a wheel may lack the folder."""
    folders = {path.parent for path in sources() if path.suffix == ".py" and set(path.parents) & set(PORTIONS)}

    assert sorted(named(folder) for folder in folders if not (folder / "__init__.py").is_file()) == []


def test_the_portions_import_together(tmp_path: Path) -> None:
    """An installation has all three portions in one namespace, wherever Python is started."""
    code = """
import parlour, parlour.protocol, parlour.games, parlour.client, parlour.cli
assert parlour.__file__ is None, "a namespace has no file"
print(*(module.__name__ for module in (parlour.protocol, parlour.games, parlour.client, parlour.cli)))
"""
    # -I: neither the current folder nor PYTHONPATH helps.
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )

    assert done.stderr == ""
    assert done.stdout.split() == ["parlour.protocol", "parlour.games", "parlour.client", "parlour.cli"]


def test_one_version() -> None:
    """Both distributions, the npm package and the command have the same version, and one needs the other at it."""
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    client = tomllib.loads((TOP / "client" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    package = json.loads((TOP / "client" / "web" / "sdk" / "package.json").read_text(encoding="utf-8"))
    done = subprocess.run(
        [sys.executable, "-m", "parlour.cli", "--version"], capture_output=True, encoding="utf-8", check=False
    )

    assert project["version"] == client["version"] == package["version"]
    assert f"parlour-client=={client['version']}" in project["dependencies"]
    assert version("parlour") == version("parlour-client") == project["version"]
    assert done.stdout == f"parlour {project['version']}\n"


# -- files


def test_no_file_is_long() -> None:
    """A file that is too long to read at once has more than one responsibility; generated files are exempt."""
    long = {
        named(path): lines
        for path in sources()
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST and not is_generated(path)
    }

    assert set(long) == MAY_BE_LONG, long


def test_no_name_is_vague() -> None:
    """A file is named for the noun that a reader looks for."""
    vague = {
        named(path)
        for path in sources()
        for part in path.relative_to(TOP).with_suffix("").parts
        if VAGUE & set(part.lower().replace("-", "_").split("_"))
    }

    assert vague == set()


def test_every_source_file_has_its_test_file() -> None:
    """The tests of a source file are at the same place under tests/."""
    assert unmirrored(MIRRORS) == {}


def test_every_package_has_a_mirror() -> None:
    """No package is left out of the rule above."""
    packages = {named(path.parent) for portion in PORTIONS for path in portion.glob("*/__init__.py")}

    assert packages <= set(MIRRORS)
