"""Where things are: what no single file can promise about all of them."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

TOP = Path(__file__).parents[1]
PORTIONS = [TOP / "server" / "parlour", TOP / "client" / "parlour", TOP / "protocol" / "parlour"]
OURS = [TOP / name for name in ("server", "client", "protocol", "tests", "bench", "docs")]
NOT_OURS = {"__pycache__", "node_modules", "dist", "build", ".venv"}
SUFFIXES = {".py", ".ts", ".tsx", ".js", ".mjs", ".css", ".html", ".lua"}
LONGEST = 450

# Every message in one file is worth more than a short one.
MAY_BE_LONG = {"protocol/parlour/protocol/messages.py"}
VAGUE = {"util", "utils", "helper", "helpers", "manager", "base", "common"}

# These packages have a test file for every source file: parlour/games/grid.py has tests/games/test_grid.py.
MIRRORED = [TOP / "server/parlour/games", TOP / "server/parlour/cli", TOP / "protocol/parlour/protocol"]

# Except for these, which another test file is about.
TESTED_ELSEWHERE = {
    "cli/__init__.py": "cli/test_main.py",
    "cli/__main__.py": "cli/test_main.py",
    "cli/conform.py": "conform/test_command.py",
    "games/__init__.py": "games/test_registry.py",
    "games/api.py": "games/test_refusals.py",
    "games/isaac/bars.py": "games/isaac/test_rules.py",
    "games/isaac/placement.py": "games/isaac/test_rules.py",
    "games/isaac/scoring.py": "games/isaac/test_rules.py",
    "games/mitsudomoe/board.py": "games/mitsudomoe/test_turns.py",
    "games/mitsudomoe/position.py": "games/mitsudomoe/test_notation.py",
    "protocol/feed.py": "protocol/test_session_model.py",
    "protocol/messages.py": "protocol/test_codec.py",
    "protocol/mirror.py": "protocol/test_session_rooms.py",
    "protocol/tables.py": "protocol/test_codec.py",
}


def sources() -> Iterator[Path]:
    """Every file of ours with code in it."""
    for folder in OURS:
        for path in folder.rglob("*"):
            if path.suffix in SUFFIXES and not NOT_OURS & set(path.relative_to(TOP).parts):
                yield path


def named(path: Path) -> str:
    return path.relative_to(TOP).as_posix()


def is_the_game_itself(source: Path) -> bool:
    """The `__init__.py` of a game ties its parts together, and the laws are about the whole."""
    return source.parts[0] == "games" and len(source.parts) == 3 and source.name == "__init__.py"


def is_made_by_a_program(path: Path) -> bool:
    """Whether the head of a file says so."""
    with path.open(encoding="utf-8") as file:
        return any("do not edit" in line for _, line in zip(range(3), file, strict=False))


def has_code(path: Path) -> bool:
    """Whether there is more in a Python file than a docstring and imports from the future."""
    return any(
        not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        for statement in ast.parse(path.read_text(encoding="utf-8")).body
        if not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__")
    )


# -- the namespace


def test_no_portion_claims_the_namespace() -> None:
    """`parlour` is a namespace of three folders: an __init__.py in any of them would hide the other two."""
    assert [named(portion) for portion in PORTIONS if not portion.is_dir()] == []
    assert [named(path) for top in OURS for path in top.rglob("parlour/__init__.py")] == []


def test_every_package_is_typed() -> None:
    """Each package in the namespace has a py.typed, so that others can check their code against ours."""
    packages = [path.parent for portion in PORTIONS for path in portion.glob("*/__init__.py")]

    assert len(packages) >= 5
    assert [named(package) for package in packages if not (package / "py.typed").is_file()] == []


def test_every_folder_of_code_is_a_package() -> None:
    """A folder with code below a package has an __init__.py of its own; otherwise a wheel may lack it."""
    folders = {path.parent for portion in PORTIONS for path in portion.rglob("*.py")}

    assert sorted(named(folder) for folder in folders if not (folder / "__init__.py").is_file()) == []


def test_the_portions_import_together(tmp_path: Path) -> None:
    """What is installed has all three portions in one namespace, from wherever Python is started."""
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
    """The version of the project, of the installed distribution and of the command are the same."""
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    done = subprocess.run(
        [sys.executable, "-m", "parlour.cli", "--version"], capture_output=True, encoding="utf-8", check=False
    )

    assert version("parlour") == project["version"]
    assert done.stdout == f"parlour {project['version']}\n"


# -- files


def test_no_file_is_long() -> None:
    """A file that nobody can take in at once holds more than one thing; what a program made is not read."""
    long = {
        named(path): lines
        for path in sources()
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST and not is_made_by_a_program(path)
    }

    assert set(long) == MAY_BE_LONG, long


def test_no_name_is_vague() -> None:
    """A file is named for the noun somebody looks for."""
    vague = {
        named(path)
        for path in sources()
        for part in path.relative_to(TOP).with_suffix("").parts
        if VAGUE & set(part.lower().replace("-", "_").split("_"))
    }

    assert vague == set()


def test_every_source_file_has_its_test_file() -> None:
    """Whoever opens a source file knows where its tests are: at the same place under tests/."""
    missing, needless = [], []
    for package in MIRRORED:
        for path in sorted(package.rglob("*.py")):
            source = path.relative_to(package.parent)
            mirror = TOP / "tests" / source.with_name(f"test_{source.name}")
            if not has_code(path) or is_the_game_itself(source):
                continue
            if source.as_posix() not in TESTED_ELSEWHERE and not mirror.is_file():
                missing.append(f"{named(path)} has no {named(mirror)}")
            if source.as_posix() in TESTED_ELSEWHERE and mirror.is_file():
                needless.append(source.as_posix())

    assert missing == []
    assert needless == []


def test_the_exceptions_are_exact() -> None:
    """Each exception is about a source file that exists and names a test file that does."""
    for source, test in TESTED_ELSEWHERE.items():
        assert any((package.parent / source).is_file() for package in MIRRORED), source
        assert (TOP / "tests" / test).is_file(), test
