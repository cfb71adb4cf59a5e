"""`parlour new-game`: write the package of a new game, which works at once and is meant to be changed."""

from __future__ import annotations

import argparse
import keyword
import re
from importlib.resources import files
from pathlib import Path
from string import Template

from parlour import games
from parlour.cli.commands import add_command
from parlour.games.installed import API_VERSION
from parlour.protocol.errors import ErrorCode, Refusal

KEY = re.compile(r"[a-z][a-z0-9_]{0,31}")

DESCRIPTION = """\
Write a Python package for a new game: three in a row, to be replaced by your rules. The package keeps the laws of
games, has tests, and passes mypy and ruff. Once it is installed, servers, clients, bots and all commands here know it.
"""

EPILOG = """\
example:
  parlour new-game hexes
  pip install --editable parlour-game-hexes
  parlour play hexes --local
"""

# The files of the package, and the templates that they are made from.
FILES = {
    "pyproject.toml": "pyproject.toml.in",
    "README.md": "README.md.in",
    "src/$package/__init__.py": "__init__.py.in",
    "src/$package/py.typed": "",
    "src/$package/rules.md": "rules.md.in",
    "src/$package/rules.py": "rules.py.in",
    "tests/test_rules.py": "test_rules.py.in",
}


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "new-game",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.add_argument("name", metavar="NAME", help="the key of the game: small letters, digits and _")
    parser.add_argument(
        "--path",
        metavar="DIR",
        type=Path,
        default=Path(),
        help="where to make the folder parlour-game-NAME (default: .)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    key: str = arguments.name
    if not KEY.fullmatch(key) or keyword.iskeyword(key):
        sentence = (
            f"“{key}” cannot be the key of a game: write a small letter, then up to 31 small letters, digits or _."
        )
        raise Refusal(ErrorCode.NAME_REFUSED, sentence)
    if key in games.keys() or key in games.faults():
        raise Refusal(ErrorCode.GAME_CONFLICT, f"There is already a game “{key}” here. Choose another name.")
    folder: Path = arguments.path / f"parlour-game-{key.replace('_', '-')}"
    if folder.exists():
        raise Refusal(ErrorCode.NAME_TAKEN, f"{folder} exists. Choose another name, or another folder with --path.")
    for name, text in package_files(key).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    print(f"{folder} is a game. To play it: pip install --editable {folder} && parlour play {key} --local")
    return 0


def package_files(key: str) -> dict[str, str]:
    """Return the text of each file of the package of a game, by its path."""
    words = key.split("_")
    values = {
        "key": key,
        "project": f"parlour-game-{'-'.join(words)}",
        "package": f"parlour_game_{key}",
        "title": " ".join(words).capitalize(),
        "class_name": f"{''.join(word.capitalize() for word in words)}Rules",
        "api_version": API_VERSION,
    }
    templates = files("parlour.cli").joinpath("game_template")
    return {
        Template(path).substitute(values): Template(
            templates.joinpath(template).read_text("utf-8") if template else ""
        ).substitute(values)
        for path, template in FILES.items()
    }
