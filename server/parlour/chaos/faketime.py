"""A process with a clock of its own, by means of libfaketime, where that is installed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FOLDERS = ("/usr/lib", "/usr/lib64", "/usr/local/lib", "/opt/homebrew/lib")
NAME = "faketime/libfaketime.so.1"


def find_library(folders: tuple[str, ...] = FOLDERS) -> Path | None:
    """Return the library; None if it is not installed."""
    for folder in folders:
        for pattern in (NAME, f"*/{NAME}"):
            for found in Path(folder).glob(pattern):
                return found
    return None


class FakeClock:
    """The clock of processes that are started within `preloaded`."""

    def __init__(self, library: Path, file: Path) -> None:
        """`file` tells the library how wrong the clock is."""
        self._library = library
        self._file = file
        self.shift(0)

    def shift(self, seconds: float) -> None:
        """Make the clock wrong by this much: it jumps."""
        self._file.write_text(f"{seconds:+.3f}\n", encoding="ascii")

    @contextmanager
    def preloaded(self) -> Iterator[None]:
        """Let processes that inherit the environment have this clock."""
        variables = {
            "LD_PRELOAD": str(self._library),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",  # or the file would be read every ten seconds
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",  # no clock of a real machine does this
        }
        before = {name: os.environ.get(name) for name in variables}
        os.environ.update(variables)
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value
