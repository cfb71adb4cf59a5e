"""A private Valkey, for a node that was not given the address of a store."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sys
import tempfile
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal, Self

from parlour.server.restarts import how_it_ended
from parlour.server.store import aof, launch
from parlour.server.store.binary import Binary, find_binary
from parlour.server.store.data_folder import DataFolder
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.start_failure import explain, is_damaged_aof, last_warning, unusable

logger = logging.getLogger(__name__)

MAX_SOCKET_PATH = 100  # characters; operating systems allow 104 to 108
STOP_WITHIN = 10.0  # seconds; then it is killed
SYNC_EVERY = 1.0  # seconds


class DamagedAof(StoreUnavailable):
    """Valkey cannot read an append-only file."""


class EmbeddedStore:
    """Runs a Valkey in a data folder for the lifetime of the node.

    Valkey listens on a Unix socket that only this user can open, writes every change to an append-only file, and ends
    with the node: stopped by `stop`, or by the operating system (on Linux) if the node is killed. It logs to
    `valkey.log` in the folder. A second node on the same folder is refused, and so is a program that cannot read the
    data in it. `StoreSupervisor` starts it again when it ends.

    Damage: if the operating system crashed, the end of the append-only file may be damaged. It is copied and cut off
    (see `aof.py`). Damage in the middle is refused, with what the operator can do about it.

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
        start_within: float = 60.0,
        sync_every: float = SYNC_EVERY,
    ) -> None:
        """`start_within` is how long Valkey may be silent while it starts, in seconds, and so is `sync_every`."""
        self._folder = DataFolder(data)
        self._fsync = fsync
        self._start_within = start_within
        self._sync_every = sync_every
        self._binary: Binary | None = None
        self._sockets: Path | None = None
        self._process: Process | None = None
        self._log_position = 0  # in the log, of the first line of this process
        self._sync_task: asyncio.Task[None] | None = None

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
            with self._explained():
                self._sockets = _short_folder()
                await self._launch(self._binary)
                self._folder.mark(self._binary)
        except BaseException:
            await self.stop()
            raise
        return self.url

    async def restart(self) -> None:
        """Restart Valkey at the same address after it has exited. Raise StoreUnavailable."""
        assert self._binary is not None
        assert self.pid is None
        await self._stop_syncing()
        with self._explained():
            await self._launch(self._binary)

    async def ended(self) -> str:
        """Wait until Valkey ends, and return how, as a verb: "was killed by SIGKILL"."""
        assert self._process is not None
        code = await self._process.wait()
        how = how_it_ended(code)
        return how if code < 0 else f"{how} ({last_warning(self._folder.log_since(self._log_position))})"

    async def stop(self) -> None:
        """Stop Valkey, which first writes everything to disk, and release the folder."""
        await self._stop_syncing()
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

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn errors of the operating system into sentences."""
        try:
            yield
        except OSError as error:
            raise StoreUnavailable(unusable(self._folder.path, error)) from error

    async def _launch(self, binary: Binary) -> None:
        """Start Valkey and wait until it replies; if its data is damaged, repair it and try once more."""
        await asyncio.to_thread(self._folder.check_room)
        try:
            await self._run(binary)
        except DamagedAof:
            if not await asyncio.to_thread(aof.repair, self._folder.path):
                raise
            await self._run(binary)
        if self._fsync == "everysec":
            self._sync_task = asyncio.create_task(self._sync_periodically(), name="embedded Valkey fsync")

    async def _run(self, binary: Binary) -> None:
        assert self._sockets is not None
        self._sockets.mkdir(mode=0o700, exist_ok=True)  # programs that clean up /tmp may have removed it
        async with self._folder.valkey_lock(self._start_within) as lock:
            log = self._folder.open_log()
            try:
                self._log_position = os.fstat(log).st_size
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable, "-IS", launch.__file__, str(os.getpid()), binary.path, *self._settings(),
                    stdin=DEVNULL, stdout=log, stderr=log, pass_fds=(lock,),
                    start_new_session=True,  # Ctrl-C must not stop it before the node has shut down
                )  # fmt: skip
            finally:
                os.close(log)
        try:
            self._folder.started(self._process.pid, self._socket)
            await self._wait_until_ready(self._process)
        except BaseException:
            await _stop(self._process)
            raise

    def _settings(self) -> list[str]:
        settings = {
            "port": "0",
            "unixsocket": self._socket,
            "unixsocketperm": "700",
            "dir": str(self._folder.path.resolve()),
            "appendonly": "yes",
            "aof-load-truncated": "no",  # see `aof.py`
            # With its own "everysec", Valkey may reply before it writes while an fsync is in progress.
            "appendfsync": "no" if self._fsync == "everysec" else "always",
            "save": "",  # no snapshots in addition to the append-only file
            "daemonize": "no",
            "logfile": "",  # standard output
        }
        return [part for name, value in settings.items() for part in (f"--{name}", value)]

    async def _wait_until_ready(self, process: Process) -> None:
        """Return when Valkey has loaded its data, however long that takes. Raise StoreUnavailable if it ends."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._start_within) as limit:
                while (reply := await _ping(self._socket)) != b"+PONG\r\n":
                    if process.returncode is not None:
                        log = self._folder.log_since(self._log_position)
                        raise (DamagedAof if is_damaged_aof(log) else StoreUnavailable)(explain(log, self._folder.path))
                    if reply:  # it is loading
                        limit.reschedule(loop.time() + self._start_within)
                    await asyncio.sleep(0.01)
        except TimeoutError:
            sentence = f"Valkey did not answer for {self._start_within:.0f} seconds; its log is {self._folder.log}."
            raise StoreUnavailable(sentence) from None

    async def _sync_periodically(self) -> None:
        """Force the data to disk once per interval; log a failure when it begins and when it is over."""
        failure = None
        while True:
            await asyncio.sleep(self._sync_every)
            try:
                await asyncio.to_thread(self._folder.sync)
            except OSError as error:
                if failure != error.errno:
                    failure = error.errno
                    logger.error("the data in %s cannot be forced to disk: %s", self._folder.path, error.strerror)
            else:
                if failure is not None:
                    failure = None
                    logger.warning("the data in %s is forced to disk again", self._folder.path)

    async def _stop_syncing(self) -> None:
        if self._sync_task is not None:
            self._sync_task.cancel()
            await asyncio.wait((self._sync_task,))
            self._sync_task = None


async def _ping(socket: str) -> bytes:
    """Return the reply to a PING, which is an error while Valkey loads its data; nothing if it does not listen."""
    try:
        reader, writer = await asyncio.open_unix_connection(socket)
    except OSError:
        return b""
    try:
        writer.write(b"PING\r\n")
        return await reader.readline()
    except OSError:
        return b""
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
