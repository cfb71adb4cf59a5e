"""A Valkey for tests, which can be killed and started again."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from parlour.server.store.binary import candidates

START_WITHIN = 20.0  # seconds


class PrivateValkey:
    """A server on a unix socket in a folder of its own; the address stays the same when it is started again."""

    def __init__(self, *settings: str) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="pv-", dir="/tmp"))
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self.socket = str(self._folder / "s")
        self.url = f"unix://{self.socket}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it and wait until it answers."""
        base = f"--port 0 --unixsocket {self.socket} --dir {self._folder} --logfile log".split()
        self._process = subprocess.Popen([next(candidates()), *base, "--save", "", *self._settings])
        until = time.monotonic() + START_WITHIN
        while not self._answers():
            assert self._process.poll() is None, (self._folder / "log").read_text()
            assert time.monotonic() < until, "Valkey does not start"
            time.sleep(0.005)

    def kill(self) -> None:
        """End it as a crash would."""
        self.signal(signal.SIGKILL)
        self._wait()

    def signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def close(self) -> None:
        """End it and remove everything."""
        if self._process is not None and self._process.poll() is None:
            self.signal(signal.SIGCONT)
            self.kill()
        shutil.rmtree(self._folder)

    def _wait(self) -> None:
        assert self._process is not None
        self._process.wait(START_WITHIN)

    def _answers(self) -> bool:
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(1)
                connection.connect(self.socket)
                connection.sendall(b"PING\r\n")
                return connection.recv(64).startswith((b"+PONG", b"-NOAUTH"))
        except OSError:
            return False
