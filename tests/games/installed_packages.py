"""Packages as pip installs them, with entry points, for tests of how their games are found."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

FIFTH_GAME = Path(__file__).parent / "fifth_game" / "noughts"

NOUGHTS = """
from parlour_noughts.rules import GAME

API_VERSION = 1
"""


def install(folder: Path, project: str, key: str, package: str, code: str) -> None:
    """Install a package with one game in `folder`, which is one for PYTHONPATH."""
    (folder / package).mkdir(parents=True)
    (folder / package / "__init__.py").write_text(code, encoding="utf-8")
    metadata = folder / f"{project.replace('-', '_')}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project}\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(f"[parlour.games]\n{key} = {package}\n", encoding="utf-8")


def install_noughts(folder: Path) -> None:
    """Install noughts and crosses, with its lesson and a page of rules."""
    install(folder, "parlour-noughts", "noughts", "parlour_noughts", NOUGHTS)
    package = folder / "parlour_noughts"
    shutil.copy(FIFTH_GAME / "__init__.py", package / "rules.py")
    shutil.copy(FIFTH_GAME / "lesson.json", package)
    (package / "rules.md").write_text("# Noughts and crosses\n\nThree in a row.\n", encoding="utf-8")


def with_packages(folder: Path) -> dict[str, str]:
    """Return the environment of a process for which the packages in `folder` are installed."""
    return {**os.environ, "PYTHONPATH": str(folder)}
