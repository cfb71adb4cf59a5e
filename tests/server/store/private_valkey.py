"""A Valkey for tests that can be killed and started again."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from parlour.server.store.binary import candidates

START_WITHIN = 60.0  # seconds
LARGEST_FILE = 4096  # bytes, on a full disk


class PrivateValkey:
    """A server on a Unix socket in a temporary folder. The address does not change when it is started again."""

    def __init__(self, *settings: str) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="pv-", dir="/tmp"))
        self._settings = settings
        self._environment = dict(os.environ)
        self._process: subprocess.Popen[bytes] | None = None
        self.socket = str(self._folder / "s")
        self.url = f"unix://{self.socket}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start the server and wait until it replies."""
        arguments = f"--port 0 --unixsocket {self.socket} --dir {self._folder} --logfile log".split()
        self._process = subprocess.Popen(
            [next(candidates()), *arguments, "--save", "", *self._settings],
            env=self._environment,
            restore_signals=False,  # SIGXFSZ stays ignored, see `fill_disk`
        )
        deadline = time.monotonic() + START_WITHIN
        while not self._replies():
            assert self._process.poll() is None, (self._folder / "log").read_text()
            assert time.monotonic() < deadline, "Valkey did not start"
            time.sleep(0.005)

    def kill(self) -> None:
        """Kill the server, as in a crash."""
        self.signal(signal.SIGKILL)
        self._wait()

    def signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def fill_disk(self) -> None:
        """Let no file grow beyond a few kilobytes: a write beyond that is cut short, as on a full disk."""
        _, hard = resource.prlimit(self.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (LARGEST_FILE, hard))

    def free_disk(self) -> None:
        _, hard = resource.prlimit(self.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (hard, hard))

    def close(self) -> None:
        """Stop the server and remove its folder."""
        if self._process is not None and self._process.poll() is None:
            self.signal(signal.SIGCONT)
            self.kill()
        shutil.rmtree(self._folder)

    def _wait(self) -> None:
        assert self._process is not None
        self._process.wait(START_WITHIN)

    def _replies(self) -> bool:
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(1)
                connection.connect(self.socket)
                connection.sendall(b"PING\r\n")
                return connection.recv(64).startswith((b"+PONG", b"-NOAUTH"))
        except OSError:
            return False
