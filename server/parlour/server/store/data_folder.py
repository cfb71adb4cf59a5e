"""The folder in which an embedded store keeps its data."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from parlour.server.store.binary import Binary, Version
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.start_failure import unusable

logger = logging.getLogger(__name__)

MAX_LOG_SIZE = 1_000_000  # bytes; a larger log is rotated at the next start, and one old log is kept
MIN_ROOM = 1_000_000  # free bytes required to start Valkey; with less it would exit at once


class RunningValkey(Struct):
    """How to reach the Valkey that was last started in a folder."""

    pid: int
    socket: str


class DataFolder:
    """A folder, locked while a node uses it.

    There are two locks, which the operating system releases when the process that holds them ends: `lock` is held by
    the node, `valkey.lock` by the Valkey it started, which may outlive a killed node for a moment.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.log = path / "valkey.log"
        self._marker = path / "store.json"
        self._running = path / "valkey.json"
        self._lock: int | None = None

    def lock(self) -> None:
        """Create the folder and lock it. Raise StoreUnavailable if another node uses it."""
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._make_private()
            lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StoreUnavailable(unusable(self.path, error)) from error
        if not _try_lock(lock):
            holder = os.read(lock, 20).decode().strip()
            os.close(lock)
            raise StoreUnavailable(
                f"Another Parlour server (process {holder}) uses the folder {self.path}. "
                "Stop it, or choose another folder with --data."
            )
        os.ftruncate(lock, 0)
        os.write(lock, b"%d\n" % os.getpid())
        self._lock = lock

    def unlock(self) -> None:
        """Release the folder."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _make_private(self) -> None:
        """Make the folder private, unless all users share it, like /tmp."""
        mode = self.path.stat().st_mode
        if mode & (stat.S_IRWXG | stat.S_IRWXO) and not mode & stat.S_ISVTX:
            try:
                self.path.chmod(0o700)
            except PermissionError:
                logger.warning("the data folder %s belongs to another user and is open to others", self.path)

    def check_room(self) -> None:
        """Raise OSError if the folder cannot be written to, or the disk is full."""
        path = self.path / "room-check"
        try:
            with path.open("wb") as file:
                file.write(bytes(MIN_ROOM))
        finally:
            path.unlink(missing_ok=True)

    # -- which program may write here

    @property
    def has_data(self) -> bool:
        """Whether a store was ever started here."""
        return self._marker.is_file()

    def check(self, binary: Binary) -> None:
        """Raise StoreUnavailable if this program cannot read the data, or would silently ignore it."""
        try:
            written = msgspec.json.decode(self._marker.read_bytes(), type=Version)
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            raise StoreUnavailable(f"The file {self._marker} cannot be read: {error}.") from error
        if not binary.version.reads(written):
            raise StoreUnavailable(
                f"The data in {self.path} was written by {written}, and {binary.path} is {binary.version}, "
                f"which cannot read it. Install {written} or newer, or choose another folder with --data."
            )

    def mark(self, binary: Binary) -> None:
        """Record which program writes here."""
        _replace(self._marker, msgspec.json.encode(binary.version))

    # -- the Valkey that runs here

    @asynccontextmanager
    async def valkey_lock(self, within: float) -> AsyncIterator[int]:
        """Wait until no Valkey runs here, asking a leftover one to shut down.

        Yield a file descriptor that holds the lock, for the Valkey that is started next.
        """
        lock = os.open(self.path / "valkey.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if not _try_lock(lock):
                left_over = self._last_started()
                await _shut_down(left_over)
                await _lock_within(lock, within, left_over, self.path)
            yield lock
        finally:
            os.close(lock)

    def started(self, pid: int, socket: str) -> None:
        """Record how to reach the Valkey that was started."""
        left_over = self._last_started()
        if left_over is not None and left_over.socket != socket:  # its node was killed and did not remove it
            with suppress(OSError):
                Path(left_over.socket).unlink(missing_ok=True)
                Path(left_over.socket).parent.rmdir()
        _replace(self._running, msgspec.json.encode(RunningValkey(pid, socket)))

    def ended(self) -> None:
        """Record that Valkey was shut down properly."""
        self._running.unlink(missing_ok=True)

    def sync(self) -> None:
        """Force what Valkey has written to disk. Blocks until the disk is done."""
        for path in (self.path / "appendonlydir").glob("*.incr.aof"):
            with suppress(FileNotFoundError):  # Valkey has just replaced it
                descriptor = os.open(path, os.O_RDONLY)
                try:
                    os.fsync(descriptor)
                finally:
                    os.close(descriptor)

    async def running_url(self) -> str | None:
        """Return the address of the Valkey that runs here for another process; None if there is none."""
        running = self._last_started()
        if running is None:
            return None
        try:
            _, writer = await asyncio.open_unix_connection(running.socket)
        except OSError:
            return None
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
        return f"unix://{running.socket}"

    # -- its log

    def open_log(self) -> int:
        """Return a file descriptor that appends to the log. A large log is rotated."""
        with suppress(FileNotFoundError):
            if self.log.stat().st_size > MAX_LOG_SIZE:
                self.log.replace(self.log.with_suffix(".log.1"))
        return os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def log_since(self, position: int) -> str:
        """Return the part of the log after a position in bytes."""
        with suppress(OSError), self.log.open("rb") as file:
            file.seek(position)
            return file.read().decode(errors="replace")
        return ""

    def _last_started(self) -> RunningValkey | None:
        try:
            return msgspec.json.decode(self._running.read_bytes(), type=RunningValkey)
        except (OSError, ValueError):
            return None


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


async def _lock_within(lock: int, within: float, left_over: RunningValkey | None, path: Path) -> None:
    """Poll for the lock: a thread that waits for it could not be cancelled."""
    try:
        async with asyncio.timeout(within):
            while not _try_lock(lock):
                await asyncio.sleep(0.02)
    except TimeoutError:
        process = f" (process {left_over.pid})" if left_over is not None else ""
        sentence = f"A Valkey of an earlier run{process} still uses the folder {path}. Stop it and try again."
        raise StoreUnavailable(sentence) from None


async def _shut_down(left_over: RunningValkey | None) -> None:
    """Ask a Valkey to shut down; it may be doing so already."""
    if left_over is None:
        return
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(2):
            _, writer = await asyncio.open_unix_connection(left_over.socket)
            writer.write(b"SHUTDOWN\r\n")
            await writer.drain()
            writer.close()


def _replace(path: Path, data: bytes) -> None:
    """Write a file atomically."""
    fresh = path.with_name(path.name + ".new")
    fresh.touch(mode=0o600)
    fresh.write_bytes(data)
    fresh.replace(path)
