"""A private Valkey, for a node that was not given the address of a store."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sys
import tempfile
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal, Self

from parlour.server.store import launch
from parlour.server.store.binary import Binary, find_binary
from parlour.server.store.data_folder import DataFolder
from parlour.server.store.errors import StoreUnavailable

logger = logging.getLogger(__name__)

MAX_SOCKET_PATH = 100  # characters; operating systems allow 104 to 108
STOP_WITHIN = 10.0  # seconds; then it is killed
SYNC_EVERY = 1.0  # seconds


class EmbeddedStore:
    """Runs a Valkey in a data folder for the lifetime of the node.

    Valkey listens on a Unix socket that only this user can open, writes every change to an append-only file, and ends
    with the node: stopped by `stop`, or by the operating system (on Linux) if the node is killed. It logs to
    `valkey.log` in the folder. A second node on the same folder is refused, and so is a program that cannot read the
    data in it.

    Durability: every change is passed to the operating system before Valkey replies. Killing the node, Valkey, or a
    container with both loses nothing that was acknowledged. A power failure or a crash of the operating system may:
    with `fsync="everysec"` the node forces the file to disk once a second, and later changes are lost; with
    `fsync="always"` Valkey replies only when the data is on disk, so nothing is lost and every move waits for the disk.
    """

    def __init__(
        self,
        data: Path,
        *,
        fsync: Literal["everysec", "always"] = "everysec",
        on_exit: Callable[[int], None] | None = None,
        start_within: float = 60.0,
        sync_every: float = SYNC_EVERY,
    ) -> None:
        """`on_exit` is called with the exit code if Valkey ends unexpectedly; `restart` starts it again.

        `start_within` and `sync_every` are in seconds; starting includes loading the data.
        """
        self._folder = DataFolder(data)
        self._fsync = fsync
        self._on_exit = on_exit
        self._start_within = start_within
        self._sync_every = sync_every
        self._binary: Binary | None = None
        self._sockets: Path | None = None
        self._process: Process | None = None
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def url(self) -> str:
        """The address to connect to. It does not change with a restart."""
        return f"unix://{self._socket}"

    @property
    def pid(self) -> int | None:
        """The process id of Valkey; None if it is not running."""
        return None if self._process is None or self._process.returncode is not None else self._process.pid

    async def start(self) -> str:
        """Start Valkey, wait until it replies, and return its address. Raise StoreUnavailable."""
        self._folder.lock()
        try:
            self._binary = await find_binary()
            self._folder.check(self._binary)
            self._sockets = _short_folder()
            await self._launch(self._binary)
            self._folder.mark(self._binary)
        except BaseException:
            await self.stop()
            raise
        return self.url

    async def restart(self) -> None:
        """Start Valkey again after it ended unexpectedly, at the same address."""
        assert self._binary is not None
        assert self.pid is None
        await self._cancel_tasks()
        await self._launch(self._binary)

    async def stop(self) -> None:
        """Stop Valkey, which writes out everything first, and release the folder."""
        await self._cancel_tasks()
        if self._process is not None:
            await _stop(self._process)
            self._process = None
            self._folder.ended()
        if self._sockets is not None:
            shutil.rmtree(self._sockets, ignore_errors=True)
            self._sockets = None
        self._folder.unlock()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    @property
    def _socket(self) -> str:
        assert self._sockets is not None, "not started"
        return str(self._sockets / "s")

    async def _launch(self, binary: Binary) -> None:
        self._folder.rotate_log()
        async with self._folder.valkey_lock(self._start_within) as lock:
            with self._folder.log.open("ab") as output:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable, "-IS", launch.__file__, str(os.getpid()), binary.path, *self._settings(),
                    stdin=DEVNULL, stdout=output, stderr=output, pass_fds=(lock,),
                    start_new_session=True,  # Ctrl-C must not stop it before the node has shut down
                )  # fmt: skip
        self._folder.started(self._process.pid, self._socket)
        try:
            async with asyncio.timeout(self._start_within):
                await self._wait_until_ready(self._process)
        except TimeoutError:
            sentence = f"Valkey did not start within {self._start_within:.0f} seconds; see {self._folder.log}."
            raise StoreUnavailable(sentence) from None
        self._tasks.append(asyncio.create_task(self._watch(self._process), name="embedded Valkey"))
        if self._fsync == "everysec":
            self._tasks.append(asyncio.create_task(self._sync_periodically(), name="embedded Valkey fsync"))

    def _settings(self) -> list[str]:
        settings = {
            "port": "0",
            "unixsocket": self._socket,
            "unixsocketperm": "700",
            "dir": str(self._folder.path.resolve()),
            "appendonly": "yes",
            # With its own "everysec", Valkey may reply before it writes while an fsync is in progress.
            "appendfsync": "no" if self._fsync == "everysec" else "always",
            "save": "",  # no snapshots in addition to the append-only file
            "daemonize": "no",
            "logfile": "",  # standard output
        }
        return [part for name, value in settings.items() for part in (f"--{name}", value)]

    async def _wait_until_ready(self, process: Process) -> None:
        """Return when Valkey replies and has loaded its data. Raise StoreUnavailable if it ends instead."""
        while not await _pong(self._socket):
            if process.returncode is not None:
                last_line = self._folder.last_log_line()
                raise StoreUnavailable(f"Valkey did not start. The last line of {self._folder.log} is: {last_line}")
            await asyncio.sleep(0.01)

    async def _watch(self, process: Process) -> None:
        code = await process.wait()
        if self._on_exit is not None:
            self._on_exit(code)

    async def _sync_periodically(self) -> None:
        while True:
            await asyncio.sleep(self._sync_every)
            try:
                await asyncio.to_thread(self._folder.sync)
            except OSError:
                logger.exception("the data in %s could not be forced to disk", self._folder.path)

    async def _cancel_tasks(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        self._tasks.clear()


async def _pong(socket: str) -> bool:
    try:
        reader, writer = await asyncio.open_unix_connection(socket)
    except OSError:
        return False
    try:
        writer.write(b"PING\r\n")
        return await reader.readline() == b"+PONG\r\n"  # or an error while it loads its data
    except OSError:
        return False
    finally:
        writer.close()


async def _stop(process: Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.terminate()
    try:
        async with asyncio.timeout(STOP_WITHIN):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def _short_folder() -> Path:
    """Return a new folder for the socket, whose path must be short."""
    folder = tempfile.mkdtemp(prefix="parlour-")
    if len(folder) + 2 > MAX_SOCKET_PATH:
        Path(folder).rmdir()
        folder = tempfile.mkdtemp(prefix="parlour-", dir="/tmp")
    return Path(folder)
