"""Processes that are started, signalled, and never left behind."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from parlour.chaos.proxy import HOST
from parlour.server.store import launch

READY_WITHIN = 60.0  # seconds; a busy machine may need some of them
STOP_WITHIN = 20.0  # seconds; then it is killed
POLL_EVERY = 0.05  # seconds
WORKER_BEGINS = "Computing bot moves"  # the beginning of the line that a worker prints


class NotStarted(Exception):
    """A process could not be started; `str()` is a sentence for the user."""


class ChildProcess:
    """A process that ends with this one, and can be started again after it has ended."""

    def __init__(self, name: str, command: Sequence[str], log: Path, environ: Mapping[str, str]) -> None:
        self.name = name
        self._command = tuple(command)
        self._log = log
        self._environ = dict(environ)
        self._process: Process | None = None

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @property
    def exit_code(self) -> int | None:
        """The exit code of a process that has ended; negative: the signal that ended it."""
        return None if self._process is None else self._process.returncode

    @property
    def pid(self) -> int | None:
        return None if self._process is None or not self.is_running else self._process.pid

    async def start(self) -> None:
        """Start the process. Raise NotStarted if there is no such program."""
        program = shutil.which(self._command[0])
        if program is None:
            raise NotStarted(f"There is no program {self._command[0]}.")
        with self._log.open("ab") as output:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-IS", launch.__file__, str(os.getpid()), str(Path(program).absolute()),
                *self._command[1:],
                stdin=DEVNULL, stdout=output, stderr=output, env=self._environ,
                start_new_session=True,  # Ctrl-C must reach only this process, which stops the others
            )  # fmt: skip

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, if the process is still running."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def wait(self) -> int:
        """Wait until the process has ended, and return its exit code."""
        assert self._process is not None
        return await self._process.wait()

    async def kill(self) -> None:
        """End the process and those that it has started, at once."""
        if self._process is not None and self.is_running:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            await self._process.wait()

    async def stop(self) -> int | None:
        """Stop the process with SIGTERM, and return its exit code; negative: it had to be killed."""
        if self._process is None:
            return None
        self.send_signal(signal.SIGCONT)
        self.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(STOP_WITHIN):
                return await self._process.wait()
        except TimeoutError:
            await self.kill()
            return self._process.returncode

    # -- readiness

    async def ready(self) -> None:
        """Wait until the process can do its work. Raise NotStarted if it ends instead, or takes too long."""
        try:
            async with asyncio.timeout(READY_WITHIN):
                while not await self._is_ready():
                    if not self.is_running:
                        raise NotStarted(f"{self.name} ended with code {self.exit_code}: {self._last_line()}")
                    await asyncio.sleep(POLL_EVERY)
        except TimeoutError:
            raise NotStarted(f"{self.name} was not ready within {READY_WITHIN:.0f} seconds.") from None

    async def _is_ready(self) -> bool:
        return self.is_running

    def _printed(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace")

    def _last_line(self) -> str:
        lines = self._printed().splitlines()
        return lines[-1] if lines else "it printed nothing"


class NodeProcess(ChildProcess):
    """A node that listens on a port of this machine."""

    def __init__(self, name: str, command: Sequence[str], port: int, log: Path, environ: Mapping[str, str]) -> None:
        super().__init__(name, command, log, environ)
        self.port = port

    async def _is_ready(self) -> bool:
        try:
            async with asyncio.timeout(5):
                reader, writer = await asyncio.open_connection(HOST, self.port)
                try:
                    writer.write(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    return b" 200 " in await reader.readline()
                finally:
                    writer.close()
        except (OSError, TimeoutError):
            return False


class WorkerProcess(ChildProcess):
    """A bot worker, which has no port and prints that it has begun."""

    async def _is_ready(self) -> bool:
        return self.is_running and WORKER_BEGINS in self._printed()
