"""The folder in which an embedded store keeps its data, and who may use it."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from parlour.server.store.binary import Binary, Version
from parlour.server.store.trouble import StoreTrouble

LARGEST_LOG = 1_000_000  # bytes; then the next start begins a new one and keeps one old


class Left(Struct):
    """How to reach the Valkey that was started here last."""

    pid: int
    socket: str


class DataFolder:
    """A folder, locked while a node uses it.

    Two locks, which the system gives up by itself with the processes that hold them: `lock` is held by the node, and
    `valkey.lock` by the Valkey it started, which may live a little longer than a node that was killed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.log = path / "valkey.log"
        self._marker = path / "store.json"
        self._left = path / "valkey.json"
        self._lock: int | None = None

    def lock(self) -> None:
        """Make the folder and take it; a StoreTrouble when another node has it."""
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StoreTrouble(f"The data folder {self.path} cannot be used: {error.strerror}.") from error
        if not _try_lock(lock):
            holder = os.read(lock, 20).decode().strip()
            os.close(lock)
            raise StoreTrouble(
                f"Another Parlour server (process {holder}) uses the folder {self.path}. "
                "End it, or choose another folder with --data."
            )
        os.ftruncate(lock, 0)
        os.write(lock, b"%d\n" % os.getpid())
        self._lock = lock

    def unlock(self) -> None:
        """Let others use the folder."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    # -- which program may write here

    def check(self, binary: Binary) -> None:
        """A StoreTrouble when this program would not understand the data, or silently leave it aside."""
        try:
            written = msgspec.json.decode(self._marker.read_bytes(), type=Version)
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            raise StoreTrouble(f"The file {self._marker} cannot be read: {error}.") from error
        if not binary.version.reads(written):
            raise StoreTrouble(
                f"The data in {self.path} was written by {written}, and {binary.path} is {binary.version}, "
                f"which cannot read it. Install {written} or newer, or choose another folder with --data."
            )

    def mark(self, binary: Binary) -> None:
        """Note which program has written here."""
        _replace(self._marker, msgspec.json.encode(binary.version))

    # -- the Valkey that runs here

    @asynccontextmanager
    async def free(self, within: float) -> AsyncIterator[int]:
        """Wait until no Valkey runs here, asking one that is left over to end.

        Gives a descriptor that holds the lock: pass it to the Valkey that is started now.
        """
        lock = os.open(self.path / "valkey.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if not _try_lock(lock):
                left = self._last()
                await _shut_down(left)
                await _lock_within(lock, within, left, self.path)
            yield lock
        finally:
            os.close(lock)

    def started(self, pid: int, socket: str) -> None:
        """Note how to reach the Valkey that was started."""
        left = self._last()
        if left is not None and left.socket != socket:  # nobody cleared it away
            with suppress(OSError):
                Path(left.socket).unlink(missing_ok=True)
                Path(left.socket).parent.rmdir()
        _replace(self._left, msgspec.json.encode(Left(pid, socket)))

    def ended(self) -> None:
        """It ended as it should."""
        self._left.unlink(missing_ok=True)

    def sync(self) -> None:
        """Force to disk what Valkey has written; takes as long as the disk takes."""
        for path in (self.path / "appendonlydir").glob("*.incr.aof"):
            with suppress(FileNotFoundError):  # it has just been replaced
                descriptor = os.open(path, os.O_RDONLY)
                try:
                    os.fsync(descriptor)
                finally:
                    os.close(descriptor)

    def rotate_log(self) -> None:
        """Keep the log small."""
        with suppress(FileNotFoundError):
            if self.log.stat().st_size > LARGEST_LOG:
                self.log.replace(self.log.with_suffix(".log.1"))

    def last_words(self) -> str:
        """The last line of the log."""
        with suppress(OSError):
            lines = self.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            return lines[-1] if lines else ""
        return ""

    def _last(self) -> Left | None:
        try:
            return msgspec.json.decode(self._left.read_bytes(), type=Left)
        except (OSError, ValueError):
            return None


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


async def _lock_within(lock: int, within: float, left: Left | None, path: Path) -> None:
    """Asked again and again, because to wait for it would need a thread that cannot be called off."""
    try:
        async with asyncio.timeout(within):
            while not _try_lock(lock):
                await asyncio.sleep(0.02)
    except TimeoutError:
        process = f" (process {left.pid})" if left is not None else ""
        sentence = f"A Valkey of an earlier run{process} still uses the folder {path}. End it and try again."
        raise StoreTrouble(sentence) from None


async def _shut_down(left: Left | None) -> None:
    """Ask a Valkey to end; it may be doing so already."""
    if left is None:
        return
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(2):
            _, writer = await asyncio.open_unix_connection(left.socket)
            writer.write(b"SHUTDOWN\r\n")
            await writer.drain()
            writer.close()


def _replace(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    fresh = path.with_name(path.name + ".new")
    fresh.write_bytes(data)
    fresh.replace(path)
