"""The store of a node that was given none: a private Valkey."""

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
from parlour.server.store.folder import DataFolder
from parlour.server.store.trouble import StoreTrouble

log = logging.getLogger(__name__)

LONGEST_SOCKET = 100  # characters; systems allow 104 to 108
END_WITHIN = 10.0  # seconds
SYNC_EVERY = 1.0


class EmbeddedStore:
    """Runs a Valkey in a data folder for as long as the node lives.

    It listens on a unix socket that only this user can open, writes every change to an append-only file, and ends
    with the node: asked to by `stop`, or by the system (on Linux) when the node is killed. What it says is in
    `valkey.log` in the folder. A second node on the same folder is refused, and so is a program that cannot read what
    another one wrote.

    What survives: every change is handed to the operating system before it is answered, so whatever is killed with -9,
    the node, Valkey or a container with both, nothing that was acknowledged is lost. A power cut or a crash of the
    whole system is another matter: with `fsync="everysec"` the node forces the file to disk once a second, and what
    came after that may be lost; with `fsync="always"` Valkey answers only when the data is on disk, nothing is lost
    ever, and every move waits for the disk.
    """

    def __init__(
        self,
        data: Path,
        *,
        fsync: Literal["everysec", "always"] = "everysec",
        on_exit: Callable[[int], None] | None = None,
        start_within: float = 60.0,
    ) -> None:
        """`on_exit` is called with the exit code if Valkey ends by itself; `restart` then brings it back.

        `start_within` are seconds, in which also the data is loaded.
        """
        self._folder = DataFolder(data)
        self._fsync = fsync
        self._on_exit = on_exit
        self._start_within = start_within
        self._binary: Binary | None = None
        self._sockets: Path | None = None
        self._process: Process | None = None
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def url(self) -> str:
        """The address to connect to; it stays the same after a restart."""
        return f"unix://{self._socket}"

    @property
    def pid(self) -> int | None:
        """The process of Valkey, while there is one."""
        return None if self._process is None or self._process.returncode is not None else self._process.pid

    async def start(self) -> str:
        """Start Valkey and wait until it answers; gives its address. A StoreTrouble says why it cannot be."""
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
        """Start Valkey again after it ended by itself, at the same address."""
        assert self._binary is not None
        assert self.pid is None
        await self._end_tasks()
        await self._launch(self._binary)

    async def stop(self) -> None:
        """End Valkey, which writes out everything first, and let go of the folder."""
        await self._end_tasks()
        if self._process is not None:
            await _end(self._process)
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
        async with self._folder.free(self._start_within) as lock:
            with self._folder.log.open("ab") as output:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable, "-IS", launch.__file__, str(os.getpid()), binary.path, *self._settings(),
                    stdin=DEVNULL, stdout=output, stderr=output, pass_fds=(lock,),
                    start_new_session=True,  # or Ctrl-C would end it before the node has said good-bye
                )  # fmt: skip
        self._folder.started(self._process.pid, self._socket)
        try:
            async with asyncio.timeout(self._start_within):
                await self._answers(self._process)
        except TimeoutError:
            sentence = f"Valkey did not start within {self._start_within:.0f} seconds; see {self._folder.log}."
            raise StoreTrouble(sentence) from None
        self._tasks.append(asyncio.create_task(self._wait(self._process), name="embedded Valkey"))
        if self._fsync == "everysec":
            self._tasks.append(asyncio.create_task(self._sync(), name="embedded Valkey to disk"))

    def _settings(self) -> list[str]:
        settings = {
            "port": "0",
            "unixsocket": self._socket,
            "unixsocketperm": "700",
            "dir": str(self._folder.path.resolve()),
            "appendonly": "yes",
            # Its own "everysec" would answer before it writes while the second before is on its way to the disk.
            "appendfsync": "no" if self._fsync == "everysec" else "always",
            "save": "",  # no second copy beside the append-only file
            "daemonize": "no",
            "logfile": "",  # to where we put its output
        }
        return [part for name, value in settings.items() for part in (f"--{name}", value)]

    async def _answers(self, process: Process) -> None:
        """Return when it answers, and has loaded its data; a StoreTrouble if it ends instead."""
        while not await _pong(self._socket):
            if process.returncode is not None:
                words = self._folder.last_words()
                sentence = f"Valkey ended as soon as it was started; {self._folder.log} says at the end: {words}"
                raise StoreTrouble(sentence)
            await asyncio.sleep(0.01)

    async def _wait(self, process: Process) -> None:
        code = await process.wait()
        if self._on_exit is not None:
            self._on_exit(code)

    async def _sync(self) -> None:
        while True:
            await asyncio.sleep(SYNC_EVERY)
            try:
                await asyncio.to_thread(self._folder.sync)
            except OSError:
                log.exception("The data in %s could not be forced to disk", self._folder.path)

    async def _end_tasks(self) -> None:
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
        return await reader.readline() == b"+PONG\r\n"  # or that it still loads its data
    except OSError:
        return False
    finally:
        writer.close()


async def _end(process: Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.terminate()
    try:
        async with asyncio.timeout(END_WITHIN):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def _short_folder() -> Path:
    """A new folder for the socket, whose whole path may not be long."""
    folder = tempfile.mkdtemp(prefix="parlour-")
    if len(folder) + 2 > LONGEST_SOCKET:
        Path(folder).rmdir()
        folder = tempfile.mkdtemp(prefix="parlour-", dir="/tmp")
    return Path(folder)
