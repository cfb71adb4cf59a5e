"""Virtual environments to install packages into, without a network."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).parents[2]

# Python adds these folders to its path, but does not follow the links of editable packages that are in them.
LIBRARIES = Path(sysconfig.get_path("purelib"))
SOURCES = tuple(ROOT / name for name in ("server", "client", "protocol"))


def new_environment(folder: Path, *paths: Path) -> Path:
    """Create a virtual environment in which only what is in `paths` can be imported, and return its Python."""
    run(sys.executable, "-m", "venv", "--without-pip", str(folder))
    python = folder / "bin" / "python"
    if paths:
        packages = Path(run(str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
        (packages / "paths.pth").write_text("\n".join(map(str, paths)), encoding="utf-8")
    return python


def install(python: Path, *arguments: str | Path) -> None:
    """Install packages into an environment, from files only."""
    options = ("--disable-pip-version-check", "--no-compile", "--no-index", "--quiet")
    run(sys.executable, "-m", "pip", "--python", str(python), "install", *options, *map(str, arguments))


def distributions(python: Path) -> set[str]:
    """Return the names of everything that is installed in an environment."""
    code = "from importlib.metadata import distributions as all\nprint(*(each.metadata['Name'] for each in all()))"
    return set(run(str(python), "-c", code).split())


def run(*command: str, folder: Path | None = None) -> str:
    """Run a command, without what the environment says about Python, and return its output."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False, timeout=200
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def wheel_of_installed(name: str, folder: Path) -> None:
    """Make a wheel in `folder` of a library that is installed for the tests."""
    installed = distribution(name)
    files = [file for file in installed.files or () if ".." not in file.parts and "__pycache__" not in file.parts]
    (tags,) = [
        line.removeprefix("Tag: ")
        for line in (installed.read_text("WHEEL") or "").splitlines()
        if line.startswith("Tag: ")
    ][:1]
    wheel = folder / f"{name}-{installed.version}-{tags}.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for file in files:
            if file.name != "RECORD":
                archive.write(str(file.locate()), str(file))
        record = next(file for file in files if file.name == "RECORD")
        lines = "".join(f"{file},,\n" for file in files)
        archive.writestr(str(record), lines)
